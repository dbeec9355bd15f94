package widget_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/shared/change"
	"frontdesk/shared/conversation"
	"frontdesk/shared/message"
)

// handOver has a person take over a conversation.
func (s *service) handOver(t *testing.T, talk int64) {
	t.Helper()
	sender := message.Sender{Store: message.Store{Table: s.table, Now: time.Now, IDs: s.agents.IDs}}
	if _, err := sender.Change(t.Context(), s.agent.AccountID, talk, func(u *message.Unit) error {
		u.Conversation.HandOver(conversation.HandoffManual)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

// present reads who is at a conversation.
func (s *service) present(t *testing.T, talk int64) []change.Presence {
	t.Helper()
	page, err := s.table.Query(t.Context(), change.PresenceQuery(conversation.Partition(s.agent.AccountID,
		talk)))
	if err != nil {
		t.Fatal(err)
	}
	var all []change.Presence
	for _, item := range page.Items {
		p, err := change.ReadPresence(item)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	return all
}

// TestVisitorTypes has a visitor type before and after a person takes over.
func TestVisitorTypes(t *testing.T) {
	s := serve(t)
	first := s.say(t, session, "Are dogs welcome?")
	talk := number(t, first.Number("conversation_id"))
	typing := func(want bool) {
		t.Helper()
		a := s.visitor().Want(t, 200, "POST", s.public()+"typing/", map[string]any{"session_id": session})
		if a.Fields["person"] != want {
			t.Errorf("%s", a.Body)
		}
	}
	typing(false)
	if there := s.present(t, talk); len(there) != 0 {
		t.Errorf("stored while the agent answers: %+v", there)
	}
	s.handOver(t, talk)
	typing(true)
	there := s.present(t, talk)
	if len(there) != 1 || !there[0].Visitor || there[0].Writing(time.Now()) <= 0 {
		t.Fatalf("%+v", there)
	}
	typing(true)
	if again := s.present(t, talk); again[0].At != there[0].At {
		t.Error("a report that follows at once is stored again")
	}
	s.visitor().WantError(t, 404, "not_found", "", "POST", s.public()+"typing/",
		map[string]any{"session_id": other})
	s.visitor().WantError(t, 400, "validation_error", "session_id", "POST", s.public()+"typing/", "{}")
	s.call(t, s.key, "PATCH", s.path(), `{"enabled": false}`, 200, nil)
	s.visitor().WantError(t, 403, "forbidden", "", "POST", s.public()+"typing/",
		map[string]any{"session_id": session})
}

// TestTypingIsLimited types more often than anybody can, and writes a message then: typing has a limit of its
// own.
func TestTypingIsLimited(t *testing.T) {
	s := serve(t)
	s.say(t, session, "Hello")
	refused := 0
	for range 2*20 + 1 { // of which 20 are admitted in each minute of the clock
		a := s.visitor().Call(t, "POST", s.public()+"typing/", map[string]any{"session_id": session})
		if a.Status == 429 {
			refused++
		}
	}
	if refused == 0 {
		t.Error("typing is not limited")
	}
	s.say(t, session, "Are dogs welcome?")
}

// TestMemberTypes has a member type: the visitor sees it while a person has the conversation.
func TestMemberTypes(t *testing.T) {
	s := serve(t)
	first := s.say(t, session, "Are dogs welcome?")
	talk := number(t, first.Number("conversation_id"))
	report := func(who change.Who, activity change.Activity) {
		t.Helper()
		p := who.In(talk, activity, s.agents.IDs.Next())
		w := p.Write(s.agent.AccountID, conversation.Partition(s.agent.AccountID, talk))
		if err := s.table.Transact(t.Context(), w); err != nil {
			t.Fatal(err)
		}
	}
	after := func(id string, want ...any) {
		t.Helper()
		a := s.visitor().Want(t, 200, "GET",
			s.public()+"history/?session_id="+session+"&after="+id, nil)
		var got []any
		if names, ok := a.Fields["writing"]; ok {
			got = names.([]any)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("after %s (-want +got):\n%s\n%s", id, diff, a.Body)
		}
	}
	anna, tom := change.Who{MemberID: 7, Name: "Anna"}, change.Who{MemberID: 8, Name: "Tom"}
	report(anna, change.Writing)
	after("0") // the agent answers
	s.handOver(t, talk)
	after("0", "Anna")
	after(first.Number("message_id"), "Anna")
	report(tom, change.Writing)
	report(change.Who{Visitor: true}, change.Writing)
	after("0", "Anna", "Tom")
	report(anna, change.Viewing)
	after("0", "Tom")
	s.ahead.Store(int64(13 * time.Second))
	after("0")
	for i := range 51 { // more than a history has: neither the status nor who writes is told
		s.store(t, talk, fmt.Sprintf("message %d", i))
	}
	report(tom, change.Writing)
	if a := s.visitor().Want(t, 200, "GET", s.public()+"history/?session_id="+session+"&after="+
		first.Number("message_id"), nil); a.Fields["writing"] != nil || a.Fields["status"] != nil ||
		len(a.Fields["messages"].([]any)) != 50 {
		t.Errorf("%s", a.Body)
	}
}

// store adds a message of a person to a conversation.
func (s *service) store(t *testing.T, talk int64, content string) {
	t.Helper()
	sender := message.Sender{Store: message.Store{Table: s.table, Now: time.Now, IDs: s.agents.IDs}}
	if _, err := sender.Reply(t.Context(), s.agent.AccountID, talk, content, "Anna"); err != nil {
		t.Fatal(err)
	}
}

// number parses an id.
func number(t *testing.T, text string) int64 {
	t.Helper()
	var n int64
	if _, err := fmt.Sscan(text, &n); err != nil {
		t.Fatal(err)
	}
	return n
}
