package conversation_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/shared/conversation"
)

// TestStatesGoForward has a message of each state be told each state.
func TestStatesGoForward(t *testing.T) {
	forward := map[conversation.MessageStatus][]conversation.MessageStatus{
		conversation.Received: nil,
		conversation.Queued: {conversation.Sent, conversation.Delivered, conversation.Seen,
			conversation.Failed},
		conversation.Sent:      {conversation.Delivered, conversation.Seen, conversation.Failed},
		conversation.Delivered: {conversation.Seen},
		conversation.Seen:      nil,
		conversation.Failed:    nil,
		"unheard of":           nil,
	}
	states := append(conversation.MessageStatus.Values(""), "unheard of")
	for from, want := range forward {
		var got []conversation.MessageStatus
		for _, to := range states {
			if from.Precedes(conversation.MessageStatus(to)) {
				got = append(got, conversation.MessageStatus(to))
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("from %s (-want +got):\n%s", from, diff)
		}
	}
}

func TestServiceWindow(t *testing.T) {
	wrote := time.Date(2026, 3, 2, 9, 30, 0, 0, time.UTC)
	known := conversation.Address{LastInboundAt: wrote}
	for now, want := range map[time.Time]bool{
		wrote: true,
		wrote.Add(24*time.Hour - time.Nanosecond): true,
		wrote.Add(24 * time.Hour):                 false,
		wrote.Add(25 * time.Hour):                 false,
	} {
		if known.InWindow(now, 24*time.Hour) != want {
			t.Errorf("at %v: %v", now, !want)
		}
	}
	if (conversation.Address{}).InWindow(wrote, 24*time.Hour) {
		t.Error("open for someone who never wrote")
	}
	if !(conversation.Address{}).InWindow(wrote, 0) {
		t.Error("closed where there is no window")
	}
}
