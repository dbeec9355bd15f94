package purge_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"testing"
	"time"

	"frontdesk/functions/jobs/purge"
	"frontdesk/shared/agent"
	"frontdesk/shared/contact"
	"frontdesk/shared/conversation"
	"frontdesk/shared/counter"
	"frontdesk/shared/event"
	"frontdesk/shared/id"
	"frontdesk/shared/message"
	"frontdesk/shared/queue"
	"frontdesk/shared/table"
	"frontdesk/shared/worktest"
)

// A loop is a queue of jobs whose messages the test hands over one by one.
type loop struct{ waiting []string }

func (l *loop) Send(_ context.Context, messages ...queue.Outgoing) error {
	for _, m := range messages {
		l.waiting = append(l.waiting, m.Body)
	}
	return nil
}

// TestRetention has an agent with conversations that are old when a retention is set, one that is written to
// again, one that becomes old later, and a second agent whose conversations stay until it has one too. Then
// the retention is taken away.
func TestRetention(t *testing.T) {
	now := time.Date(2026, 3, 2, 9, 30, 0, 0, time.UTC)
	clock := func() time.Time { return now }
	store := worktest.Table(t, clock)
	const account = 5
	ctx, ids := t.Context(), id.NewSource(clock)
	agents := &agent.Store{Table: store, Now: clock, IDs: ids}
	contacts := &contact.Store{Table: store, Now: clock, IDs: ids}
	messages := message.Store{Table: store, Now: clock, IDs: ids}
	waiting := &loop{}
	service := purge.Service{Table: store, Queue: waiting, Log: slog.New(slog.DiscardHandler), Now: clock,
		IDs: ids, Budget: time.Minute}
	newAgent := func() int64 {
		a, err := agents.Create(ctx, account, agent.Agent{}, 10)
		if err != nil {
			t.Fatal(err)
		}
		return a.ID
	}
	say := func(u *message.Unit) {
		u.Receive("", nil, message.Part{Kind: conversation.Text, Content: "Hello"})
	}
	talk := func(agentID int64, phone string) int64 {
		t.Helper()
		with := contact.New(0, agentID, now)
		with.Phone = phone
		with, _, err := contacts.Upsert(ctx, account, with)
		if err != nil {
			t.Fatal(err)
		}
		u := messages.New(account)
		u.Contact = with
		u.Begin(agentID, conversation.SMS, phone)
		say(u)
		if err := u.Commit(ctx); err != nil {
			t.Fatal(err)
		}
		return u.Conversation.ID
	}
	retain := func(agentID int64, days int) {
		t.Helper()
		if _, err := agents.Update(ctx, account, agentID, func(a *agent.Agent) error {
			a.RetentionDays = days
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	// daily is what the schedule does, and the messages that follow from it.
	daily := func() {
		t.Helper()
		body, err := json.Marshal(event.Event{Kind: event.RetentionDue})
		if err != nil {
			t.Fatal(err)
		}
		for waiting.waiting = []string{string(body)}; len(waiting.waiting) > 0; {
			next := waiting.waiting[0]
			waiting.waiting = waiting.waiting[1:]
			var e event.Event
			if err := json.Unmarshal([]byte(next), &e); err != nil {
				t.Fatal(err)
			}
			if err := service.Handle(ctx, e); err != nil {
				t.Fatal(err)
			}
		}
	}
	there := func(what string, conversationID int64, want bool) {
		t.Helper()
		page, err := store.Query(ctx, table.Query{PK: conversation.Partition(account, conversationID)})
		if err != nil || len(page.Items) > 0 != want {
			t.Errorf("%s: %d items, %v", what, len(page.Items), err)
		}
	}

	first, second := newAgent(), newAgent()
	var old []int64
	for i := range 60 { // more than one step deletes
		old = append(old, talk(first, "+1415555"+string(rune('0'+i/10))+string(rune('0'+i%10))+"99"))
	}
	revived, others := talk(first, "+14155550001"), talk(second, "+14155550002")
	now = now.AddDate(0, 0, 8)
	young := talk(first, "+14155550003")
	if _, err := messages.Change(ctx, account, revived, func(u *message.Unit) error {
		say(u)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	daily()
	there("without a retention", old[0], true)

	retain(first, 7)
	daily()
	there("an old conversation", old[0], false)
	there("the last old conversation", old[59], false)
	there("one that was written to again", revived, true)
	there("a young one", young, true)
	there("one of another agent", others, true)
	counts, err := counter.OfAgent(ctx, store, account, first)
	if n := conversation.Count(counts, ""); err != nil || n != 2 {
		t.Errorf("%d conversations are counted, %v", n, err)
	}
	item, err := store.Get(ctx, conversation.AddressKey(account, first, "sms", "+14155550099"))
	if err != nil {
		t.Fatal(err)
	}
	if a, err := conversation.ReadAddress(item); err != nil || a.ConversationID != 0 || a.ContactID == 0 {
		t.Errorf("the address leads to %+v, %v", a, err)
	}

	retain(second, 7)
	retain(first, 0)
	now = now.AddDate(0, 0, 30)
	daily()
	there("one of an agent that keeps all again", young, true)
	there("one of the agent that got a retention", others, false)

	retain(first, 7)
	if err := agents.Delete(ctx, account, first); err != nil {
		t.Fatal(err)
	}
	page, err := store.Query(ctx, agent.RetentionQuery())
	if err != nil || len(page.Items) != 1 {
		t.Errorf("%d agents have a retention, %v", len(page.Items), err)
	}
	if _, err := store.Get(ctx, conversation.Key(account, others)); !errors.Is(err, table.ErrNotFound) {
		t.Error(err)
	}
}
