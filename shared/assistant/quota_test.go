package assistant_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"frontdesk/shared/agent"
	"frontdesk/shared/ai"
	"frontdesk/shared/assistant"
	"frontdesk/shared/conversation"
	"frontdesk/shared/fault"
)

// useModel has the fixture's agent ask the fixture's model as a language model behind a service.
func (w *fixture) useModel(t *testing.T) {
	t.Helper()
	w.Models = map[string]ai.Model{"openai": w.model}
	agents := agent.Store{Table: w.Table, Now: time.Now, IDs: w.IDs}
	_, err := agents.Update(t.Context(), w.account.ID, w.agent, func(a *agent.Agent) error {
		a.AIModel = "openai:gpt"
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// usedReplies is how many replies of the period are counted.
func (w *fixture) usedReplies(t *testing.T) int64 {
	t.Helper()
	item, err := w.Table.Get(t.Context(), w.account.UsageKey(time.Now()))
	if err != nil {
		t.Fatal(err)
	}
	return item.Numbers["replies"]
}

// TestRepliesAreReserved has more people ask a language model at once than the plan has replies for: the model is asked
// as often as there is a reply to give.
func TestRepliesAreReserved(t *testing.T) {
	w := newFixture(t, "free")
	w.useModel(t)
	var calls, replied, refused atomic.Int64
	w.model.before = func(ai.Request) error {
		calls.Add(1)
		time.Sleep(20 * time.Millisecond)
		return nil
	}
	var wg sync.WaitGroup
	for i := range 110 {
		wg.Go(func() {
			_, err := w.Turn(context.Background(), assistant.Message{
				AccountID: w.account.ID, AgentID: w.agent, Channel: conversation.API, Proved: true,
				Text: "Are dogs welcome?", SessionID: fmt.Sprintf("11111111-2222-4333-8444-555555555%03d", i),
			})
			switch {
			case err == nil:
				replied.Add(1)
			case code(err) == fault.QuotaExceeded:
				refused.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if calls.Load() != 65 || replied.Load() != 65 || refused.Load() != 45 || w.usedReplies(t) != 65 {
		t.Errorf("%d calls of the model, %d replies, %d refusals, %d counted",
			calls.Load(), replied.Load(), refused.Load(), w.usedReplies(t))
	}
}

// TestReservationsAreGivenBack has the model fail, a person take over while it writes, and the request end while it
// writes: none of them uses up a reply.
func TestReservationsAreGivenBack(t *testing.T) {
	w := newFixture(t, "free")
	first, err := w.say(t.Context(), "Are dogs welcome?")
	if err != nil {
		t.Fatal(err)
	}
	w.useModel(t)
	for name, while := range map[string]func(context.CancelFunc) error{
		"the model fails":  func(context.CancelFunc) error { return errors.New("down") },
		"the request ends": func(end context.CancelFunc) error { end(); return nil },
		"a person takes over": func(context.CancelFunc) error {
			w.change(t, first.ConversationID, func(c *conversation.Conversation) { c.HandOver(conversation.HandoffRequested) })
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			w.change(t, first.ConversationID, (*conversation.Conversation).HandBack)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			w.model.before = func(ai.Request) error {
				if used := w.usedReplies(t); used != 2 {
					t.Errorf("%d replies are counted while the model writes", used)
				}
				return while(cancel)
			}
			answer, err := w.say(ctx, "Are dogs welcome?")
			if answer.Reply != nil {
				t.Errorf("%+v, %v", answer, err)
			}
			if used := w.usedReplies(t); used != 1 {
				t.Errorf("%d replies are counted afterwards", used)
			}
		})
	}
}

// TestLastReplyIsKept has somebody else write to the conversation while the model writes the period's last reply: the
// turn begins anew and still has the reply that it reserved.
func TestLastReplyIsKept(t *testing.T) {
	w := newFixture(t, "free")
	first, err := w.say(t.Context(), "Are dogs welcome?")
	if err != nil {
		t.Fatal(err)
	}
	used := w.account.CountReply(w.plan, time.Now(), 0)
	used.Add = map[string]int64{"replies": w.plan.Replies - 2}
	if err := w.Table.Transact(t.Context(), used); err != nil {
		t.Fatal(err)
	}
	w.useModel(t)
	w.model.before = func(ai.Request) error {
		w.change(t, first.ConversationID, func(c *conversation.Conversation) { c.Priority = conversation.Urgent })
		return nil
	}
	if answer, err := w.say(t.Context(), "Are dogs welcome?"); err != nil || answer.Reply == nil {
		t.Errorf("%+v, %v", answer, err)
	}
	if _, err := w.say(t.Context(), "Are dogs welcome?"); code(err) != fault.QuotaExceeded {
		t.Errorf("a reply more than the plan has: %v", err)
	}
}
