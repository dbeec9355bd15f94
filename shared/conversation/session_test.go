package conversation_test

import (
	"context"
	"encoding/hex"
	"errors"
	"regexp"
	"strings"
	"testing"

	"frontdesk/shared/conversation"
	"frontdesk/shared/id"
)

func TestSessionID(t *testing.T) {
	form := regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	for _, conversationID := range []int64{1, 31, 32, 1 << 47, id.Max - 1, id.Max, 265584663450312} {
		var set, clear [16]byte // the bits that were 1 and those that were 0 in one of many ids
		for range 200 {
			session := conversation.NewSessionID(conversationID)
			if !form.MatchString(session) {
				t.Fatalf("%s", session)
			}
			if got := conversation.Hint(session); got != conversationID {
				t.Fatalf("%s names conversation %d, want %d", session, got, conversationID)
			}
			bits, _ := hex.DecodeString(strings.ReplaceAll(session, "-", ""))
			for i, b := range bits {
				set[i], clear[i] = set[i]|b, clear[i]|^b
			}
		}
		random := 0
		for i := range set {
			for both := set[i] & clear[i]; both != 0; both &= both - 1 {
				random++
			}
		}
		if random != 69 {
			t.Errorf("%d bits of the ids of conversation %d vary", random, conversationID)
		}
	}
}

func TestNamedByOthers(t *testing.T) {
	for _, session := range []string{
		"", "nonsense", "11111111-2222-4333-8444-555555555555", "11111111-2222-8333-c444-555555555555",
		"00000000-0000-8000-8000-555555555555", "11111111-2222-8333-8444-55555555555",
		"whatsapp:+14155550123",
	} {
		if got := conversation.Hint(session); got != 0 {
			t.Errorf("%q names conversation %d", session, got)
		}
	}
}

func TestFollow(t *testing.T) {
	const named, other = 5, 6
	lost := errors.New("lost")
	for _, test := range []struct {
		name    string
		leadsTo int64
		err     error // of the session
		guess   error // of reading the conversation that the id names
		want    string
		wantErr error
		reads   int
	}{
		{"as named", named, nil, nil, "5", nil, 1},
		{"elsewhere", other, nil, nil, "6", nil, 2},
		{"nowhere yet", 0, nil, nil, "", nil, 1},
		{"no such session", 0, lost, nil, "", lost, 1},
		{"not readable", named, nil, lost, "", lost, 1},
	} {
		reads := 0
		session, got, err := conversation.ReadBySession(t.Context(), conversation.NewSessionID(named),
			func(context.Context) (conversation.Session, error) {
				return conversation.Session{ConversationID: test.leadsTo, ContactID: 7}, test.err
			}, func(_ context.Context, conversationID int64) (string, error) {
				reads++
				if conversationID == named && test.guess != nil {
					return "", test.guess
				}
				return string('0' + rune(conversationID)), nil
			})
		if got != test.want || !errors.Is(err, test.wantErr) || reads != test.reads || err == nil &&
			session.ContactID != 7 {
			t.Errorf("%s: %q, %v, %+v after %d reads", test.name, got, err, session, reads)
		}
	}
}
