package message_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/shared/agent"
	"frontdesk/shared/conversation"
	"frontdesk/shared/id"
	"frontdesk/shared/message"
	"frontdesk/shared/table/sqlite"
)

// TestClockSetBack has a conversation go on after the clock was set back and the process began again: what is
// added is listed after what was there.
func TestClockSetBack(t *testing.T) {
	const account = 7
	store, err := sqlite.Open(filepath.Join(t.TempDir(), "table.db"), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	agents := &agent.Store{Table: store, Now: time.Now, IDs: id.NewSource(time.Now)}
	of, err := agents.Create(t.Context(), account, agent.Agent{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	at := func(clock time.Time) message.Store {
		now := func() time.Time { return clock }
		return message.Store{Table: store, Now: now, IDs: id.NewSource(now)}
	}
	noon := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	u := at(noon).New(account)
	u.Begin(of.ID, conversation.WebChat, "")
	first := u.Receive("", nil, message.Part{Kind: conversation.Text, Content: "one"})
	if err := u.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	talk := u.Conversation.ID

	var want []string
	for _, turn := range []struct {
		clock time.Time
		text  string
	}{{noon.Add(-time.Hour), "two"}, {noon.Add(-2 * time.Hour), "three"}, {noon.Add(time.Minute), "four"}} {
		key := conversation.Key(account, talk)
		items, err := store.BatchGet(t.Context(), key)
		if err != nil {
			t.Fatal(err)
		}
		u := at(turn.clock).New(account)
		if err := u.ReadConversation(items[key]); err != nil {
			t.Fatal(err)
		}
		u.Receive("", nil, message.Part{Kind: conversation.Text, Content: turn.text})
		u.Say(message.Draft{Text: turn.text + ", answered"})
		if err := u.Commit(t.Context()); err != nil {
			t.Fatal(err)
		}
		want = append(want, turn.text, turn.text+", answered")
	}
	page, err := conversation.Messages{Table: store}.Query(t.Context(),
		conversation.Since(account, talk, first.ID, 50))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	if n := len(page.Items); !conversation.IsKey(page.Items[n-1].Key) {
		t.Errorf("the last item is %v", page.Items[n-1].Key)
	}
	for _, item := range page.Items[:len(page.Items)-1] {
		m, err := conversation.ReadMessage(item)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, m.Content)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
