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
	"frontdesk/shared/auth"
	"frontdesk/shared/conversation"
	"frontdesk/shared/fault"
)

// useModel makes the fixture's agent use the fixture's model as a language model of a service.
func (w *fixture) useModel(t *testing.T) {
	t.Helper()
	w.Models = map[string]ai.Model{"openai": w.model}
	w.changeAgent(t, func(a *agent.Agent) { a.AIModel = "openai:gpt" })
}

func (w *fixture) changeAgent(t *testing.T, change func(*agent.Agent)) {
	t.Helper()
	agents := agent.Store{Table: w.Table, Now: time.Now, IDs: w.IDs}
	if _, err := agents.Update(t.Context(), w.account.ID, w.agent, func(a *agent.Agent) error {
		change(a)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

// usedReplies returns the number of counted replies of the current period.
func (w *fixture) usedReplies(t *testing.T) int64 {
	t.Helper()
	item, err := w.Table.Get(t.Context(), w.account.UsageKey(time.Now()))
	if err != nil {
		t.Fatal(err)
	}
	return item.Numbers["replies"]
}

// TestRepliesAreReserved tests that if more messages come at once than the plan has replies, the language
// model is called once per reply of the plan.
func TestRepliesAreReserved(t *testing.T) {
	w := newFixture(t, "free")
	w.useModel(t)
	var calls atomic.Int64
	w.model.before = func(ai.Request) error {
		calls.Add(1)
		time.Sleep(20 * time.Millisecond)
		return nil
	}
	replied, refused := atOnce(t, 110, func(i int) error {
		_, err := w.Turn(context.Background(), assistant.Message{
			AccountID: w.account.ID, AgentID: w.agent, Channel: conversation.API, Proved: true,
			Text: "Are dogs welcome?", SessionID: fmt.Sprintf("11111111-2222-4333-8444-555555555%03d", i),
		})
		return err
	})
	if calls.Load() != 65 || replied != 65 || refused != 45 || w.usedReplies(t) != 65 {
		t.Errorf("%d calls of the model, %d replies, %d refusals, %d counted",
			calls.Load(), replied, refused, w.usedReplies(t))
	}
}

// TestCountedAhead sends more messages at once than the plan has replies for, and expects as many replies of
// the built-in engine as the plan has. A reply that was counted ahead is given back if a person turns out to
// handle the conversation.
func TestCountedAhead(t *testing.T) {
	w := newFixture(t, "free")
	say := func(session string) (assistant.Answer, error) {
		return w.Turn(context.Background(), assistant.Message{
			AccountID: w.account.ID, AgentID: w.agent, Channel: conversation.API, Proved: true,
			Text: "Are dogs welcome?", SessionID: session,
		})
	}
	first, err := say("11111111-2222-4333-8444-666666666666")
	if err != nil {
		t.Fatal(err)
	}
	w.change(t, first.ConversationID,
		func(c *conversation.Conversation) { c.HandOver(conversation.HandoffRequested) })
	if answer, err := say(first.SessionID); err != nil || answer.Action != assistant.HumanHandling {
		t.Fatalf("Turn = %+v, %v", answer, err)
	}
	if used := w.usedReplies(t); used != 1 {
		t.Errorf("%d replies are counted after one", used)
	}
	replied, refused := atOnce(t, 90, func(i int) error {
		_, err := say(fmt.Sprintf("11111111-2222-4333-8444-555555555%03d", i))
		return err
	})
	if replied != 64 || refused != 26 || w.usedReplies(t) != 65 {
		t.Errorf("%d replies, %d refusals, %d counted", replied, refused, w.usedReplies(t))
	}
}

// TestReservationsAreGivenBack tests that a turn uses no reply if the model fails, or if a person takes over
// or the request ends while the model writes.
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
			w.change(t, first.ConversationID,
				func(c *conversation.Conversation) { c.HandOver(conversation.HandoffRequested) })
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

// TestDryRunsGiveBack tests that a dry run uses no reply, whether the model answers, it fails, or the request
// ends while it writes.
func TestDryRunsGiveBack(t *testing.T) {
	w := newFixture(t, "free")
	w.useModel(t)
	for name, while := range map[string]func(context.CancelFunc) error{
		"the model answers": func(context.CancelFunc) error { return nil },
		"the model fails":   func(context.CancelFunc) error { return errors.New("down") },
		"the request ends":  func(end context.CancelFunc) error { end(); return nil },
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			w.model.before = func(ai.Request) error {
				if used := w.usedReplies(t); used != 1 {
					t.Errorf("%d replies are counted while the model writes", used)
				}
				return while(cancel)
			}
			w.DryRun(ctx,
				assistant.Message{AccountID: w.account.ID, AgentID: w.agent, Channel: conversation.API,
					Proved: true, Text: "Are dogs welcome?"})
			if used := w.usedReplies(t); used != 0 {
				t.Errorf("%d replies are counted afterwards", used)
			}
		})
	}
}

// TestLastReplyIsKept tests that a turn that is retried after a concurrent change keeps its reservation of
// the period's last reply.
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
		w.change(t, first.ConversationID,
			func(c *conversation.Conversation) { c.Priority = conversation.Urgent })
		return nil
	}
	if answer, err := w.say(t.Context(), "Are dogs welcome?"); err != nil || answer.Reply == nil {
		t.Errorf("%+v, %v", answer, err)
	}
	if _, err := w.say(t.Context(), "Are dogs welcome?"); code(err) != fault.QuotaExceeded {
		t.Errorf("a reply more than the plan has: %v", err)
	}
}

// A priced model adds a cost, in millionths of a dollar, to each reply.
type priced struct {
	ai.Model
	cost int64
}

func (p priced) Reply(ctx context.Context, r ai.Request) (ai.Reply, error) {
	reply, err := p.Model.Reply(ctx, r)
	if err == nil {
		reply.Usage = ai.Usage{InputTokens: 1, OutputTokens: 1, MicroUSD: p.cost}
	}
	return reply, err
}

// TestBudgetBoundsModels sends many messages at once to a language model whose replies cost a cent each, with
// a daily budget of five cents. About five replies are paid for, and the built-in engine gives the others.
// The next day has a new budget.
func TestBudgetBoundsModels(t *testing.T) {
	const cent = 10_000
	w := newFixture(t, "enterprise")
	w.useModel(t)
	w.changeAgent(t, func(a *agent.Agent) {
		budget := int64(5 * cent)
		a.AIModel, a.AIDailyBudget = "openai:gpt-4o", &budget
	})
	var calls atomic.Int64
	w.model.before = func(ai.Request) error {
		calls.Add(1)
		time.Sleep(20 * time.Millisecond)
		return nil
	}
	w.Models["openai"] = priced{w.model, cent}
	now := time.Now()
	w.Now = func() time.Time { return now }
	asked := func() {}
	ask := func(n int) {
		var wg sync.WaitGroup
		for range n {
			wg.Go(func() {
				answer, err := w.Turn(context.Background(), assistant.Message{
					AccountID: w.account.ID, AgentID: w.agent, Channel: conversation.API, Proved: true,
					Text: "Are dogs welcome?",
				})
				asked()
				if err != nil || answer.Reply == nil {
					t.Errorf("%+v, %v", answer, err)
				}
			})
		}
		wg.Wait()
	}
	spent := func() int64 {
		item, err := w.Table.Get(t.Context(), agent.SpentKey(w.account.ID, w.agent, now))
		if err != nil {
			t.Fatal(err)
		}
		return agent.Spent(item)
	}
	for range 10 {
		ask(1)
	}
	if calls.Load() != 5 || spent() != 5*cent {
		t.Errorf("one after the other: %d calls for %d", calls.Load(), spent())
	}
	now = now.Add(24 * time.Hour)
	calls.Store(0)
	w.Models["openai"] = priced{w.model, 1} // less than its reservation
	// The model answers after all other messages were answered without it, so that all reservations are held.
	release, answered := make(chan struct{}), new(atomic.Int64)
	w.model.before = func(ai.Request) error {
		calls.Add(1)
		<-release
		return nil
	}
	go func() {
		for calls.Load()+answered.Load() < 60 {
			time.Sleep(time.Millisecond)
		}
		close(release)
	}()
	asked = func() { answered.Add(1) }
	ask(60)
	if n := calls.Load(); n == 0 || n == 60 || spent() != n {
		t.Errorf("at once: %d calls, %d spent", n, spent())
	}
	now = now.Add(24 * time.Hour)
	calls.Store(0)
	w.model.before = func(ai.Request) error { calls.Add(1); return errors.New("down") }
	if _, err := w.say(t.Context(), "Are dogs welcome?"); code(err) != fault.ServerError ||
		calls.Load() != 1 || spent() != 0 {
		t.Errorf("a call that failed: %v, %d spent", err, spent())
	}
}

// TestPlanLacksModel tests that the built-in engine answers for an agent whose language model is not part of
// the plan any more.
func TestPlanLacksModel(t *testing.T) {
	w := newFixture(t, "free")
	w.useModel(t)
	w.changeAgent(t, func(a *agent.Agent) { a.AIModel = "openai:gpt-4o" })
	w.model.before = func(ai.Request) error { return errors.New("was asked") }
	if answer, err := w.say(t.Context(), "Are dogs welcome?"); err != nil ||
		*answer.Reply != "Dogs are welcome in the garden." {
		t.Errorf("%+v, %v", answer, err)
	}
}

// TestDowngradeSilences tests a workspace with more agents than its plan allows: the second one does not
// reply.
func TestDowngradeSilences(t *testing.T) {
	w := newFixture(t, "free")
	agents := agent.Store{Table: w.Table, Now: time.Now, IDs: w.IDs}
	second, err := agents.Create(t.Context(), w.account.ID, agent.Agent{Summary: agent.Summary{
		Name: "Max", Status: agent.Active, Language: "en", Tone: "friendly", AIEnabled: true,
		AIModel: ai.Builtin,
	}}, 2)
	if err != nil {
		t.Fatal(err)
	}
	if answer, err := w.say(t.Context(), "Hello"); err != nil || answer.Reply == nil {
		t.Errorf("the oldest: %+v, %v", answer, err)
	}
	w.agent = second.ID
	if answer, err := w.say(t.Context(), "Hello"); err != nil || answer.Reply != nil ||
		answer.Action != assistant.AgentPaused {
		t.Errorf("the second: %+v, %v", answer, err)
	}
}

// TestVisitorLimits tests that one network is limited to its messages and sessions per day and its share of
// the period's replies, and that other networks are not affected.
func TestVisitorLimits(t *testing.T) {
	w := newFixture(t, "free")
	now := time.Now()
	w.Now = func() time.Time { return now }
	say := func(network, session string) (assistant.Answer, error) {
		return w.Turn(t.Context(), assistant.Message{
			AccountID: w.account.ID, AgentID: w.agent, Channel: conversation.WebChat, Network: network,
			Text: "Hello", SessionID: session,
		})
	}
	visit := func(v auth.Visits) {
		if err := w.Table.Transact(t.Context(), w.account.CountVisits(w.plan, "a", now, v)); err != nil {
			t.Fatal(err)
		}
	}
	most := w.plan.Visitor
	visit(auth.Visits{Messages: most.Messages - 3, Sessions: most.Sessions - 1, Replies: most.Replies - 1})
	first, err := say("a", "")
	if err != nil || first.Reply == nil {
		t.Fatalf("the last session and reply: %+v, %v", first, err)
	}
	if answer, err := say("a", first.SessionID); code(err) != fault.QuotaExceeded ||
		answer.InboundMessageID == 0 {
		t.Errorf("one reply too many: %+v, %v", answer, err)
	}
	_, err = say("a", "")
	var refusal *fault.Error
	if !errors.As(err, &refusal) || refusal.Code != fault.RateLimited ||
		refusal.Detail != "This chat takes no more messages today. Please try again tomorrow." ||
		refusal.RetryAfter <= 0 || refusal.RetryAfter > 24*time.Hour {
		t.Errorf("one session too many: %+v", err)
	}
	if _, err := w.Identify(t.Context(), assistant.Message{
		AccountID: w.account.ID, AgentID: w.agent, Network: "a", SessionID: session,
		Contact: assistant.Identity{Name: "Ada"},
	}); code(err) != fault.RateLimited {
		t.Errorf("one contact too many: %v", err)
	}
	if answer, err := say("b", ""); err != nil || answer.Reply == nil {
		t.Errorf("another network: %+v, %v", answer, err)
	}
	say("a", first.SessionID)
	if _, err := say("a", first.SessionID); code(err) != fault.RateLimited {
		t.Errorf("one message too many: %v", err)
	}
	now = now.Add(24 * time.Hour)
	if answer, err := say("a", ""); code(err) != fault.QuotaExceeded || answer.InboundMessageID == 0 {
		t.Errorf("the next day: %+v, %v", answer, err)
	}
	now = now.Add(auth.PeriodLength)
	if answer, err := say("a", ""); err != nil || answer.Reply == nil {
		t.Errorf("the next period: %+v, %v", answer, err)
	}
}
