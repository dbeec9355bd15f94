package assistant_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/shared/agent"
	"frontdesk/shared/ai"
	"frontdesk/shared/ai/builtin"
	"frontdesk/shared/assistant"
	"frontdesk/shared/auth"
	"frontdesk/shared/conversation"
	"frontdesk/shared/event"
	"frontdesk/shared/fault"
	"frontdesk/shared/id"
	"frontdesk/shared/table"
	"frontdesk/shared/table/sqlite"
)

// A model is an ai.Model that calls before, if it is set, before it replies, and fails if before does.
type model struct {
	engine ai.Model
	before func(ai.Request) error
}

func (m *model) Reply(ctx context.Context, r ai.Request) (ai.Reply, error) {
	if m.before != nil {
		if err := m.before(r); err != nil {
			return ai.Reply{}, fmt.Errorf("%w: %w", ai.ErrUnavailable, err)
		}
	}
	return m.engine.Reply(ctx, r)
}

// A fixture is an assistant with a workspace that has one agent.
type fixture struct {
	*assistant.Assistant
	model   *model
	account auth.Account
	plan    auth.Plan
	agent   int64
}

func newFixture(t *testing.T, plan string) *fixture {
	t.Helper()
	store, err := sqlite.Open(filepath.Join(t.TempDir(), "table.db"), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	ids := id.NewSource(time.Now)
	workspaces := auth.Workspaces{Table: store, Now: time.Now, IDs: ids}
	account, _, err := workspaces.Create(t.Context(), "Acme", plan)
	if err != nil {
		t.Fatal(err)
	}
	agents := agent.Store{Table: store, Now: time.Now, IDs: ids}
	made, err := agents.Create(t.Context(), account.ID, agent.Agent{
		Summary: agent.Summary{Name: "Ada", Status: agent.Active, Language: "en", Tone: "friendly",
			AIEnabled: true, MemoryEnabled: true, CapabilitySmallTalk: true, AIModel: ai.Builtin,
			MaxResponseLength: 500},
		FAQs: []agent.FAQ{{Question: "Are dogs welcome?", Answer: "Dogs are welcome in the garden."},
			{Question: "Is there a menu for children?"}},
	}, 1)
	if err != nil {
		t.Fatal(err)
	}
	w := &fixture{model: &model{engine: builtin.New()}, account: account, agent: made.ID}
	if w.plan, err = auth.PlanNamed(plan); err != nil {
		t.Fatal(err)
	}
	w.Assistant = &assistant.Assistant{Table: store,
		Models: map[string]ai.Model{"builtin": w.model, "openai": w.model}, Now: time.Now, IDs: ids}
	return w
}

// byModel makes the agent answer by a language model.
func (w *fixture) byModel(t *testing.T) {
	t.Helper()
	w.edit(t, func(a *agent.Agent) { a.AIModel = "openai:test" })
}

const session = "11111111-2222-4333-8444-555555555555"

func (w *fixture) say(ctx context.Context, text string) (assistant.Answer, error) {
	return w.Turn(ctx, assistant.Message{
		AccountID: w.account.ID, AgentID: w.agent, Channel: conversation.API, Proved: true,
		SessionID: session, Text: text,
	})
}

// thread returns the messages of the session's conversation, as "direction: text".
func (w *fixture) thread(t *testing.T) []string {
	t.Helper()
	item, err := w.Table.Get(t.Context(), conversation.SessionKey(w.account.ID, w.agent, session))
	if err != nil {
		t.Fatal(err)
	}
	s, err := conversation.ReadSession(item)
	if err != nil {
		t.Fatal(err)
	}
	page, err := conversation.Messages{Table: w.Table}.Query(
		t.Context(), conversation.Latest(w.account.ID, s.ConversationID, 100, false))
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, item := range slices.Backward(page.Items) {
		m, err := conversation.ReadMessage(item)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, string(m.Direction)+": "+m.Content)
	}
	return lines
}

// change updates a conversation, as a person in the inbox does.
func (w *fixture) change(t *testing.T, conversationID int64, change func(*conversation.Conversation)) {
	t.Helper()
	item, err := w.Table.Get(t.Context(), conversation.Key(w.account.ID, conversationID))
	if err != nil {
		t.Fatal(err)
	}
	c, err := conversation.Read(item)
	if err != nil {
		t.Fatal(err)
	}
	change(&c)
	changed, err := c.Item(w.account.ID, item.Version)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Table.Transact(t.Context(), table.PutIfVersion(changed)); err != nil {
		t.Fatal(err)
	}
}

func code(err error) fault.Code {
	var e *fault.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// TestTakenConversation tests that a new conversation whose id is taken gets another one, which the id of
// its session contains, and that the existing conversation stays as it is.
func TestTakenConversation(t *testing.T) {
	w := newFixture(t, "pro")
	still := time.Now()
	w.IDs = id.NewSource(func() time.Time { return still })
	var last int64
	for range 1 << 13 { // the random ids of this millisecond are used up, so the next ones are consecutive
		last = w.IDs.Next()
	}
	// The contact takes the id last + 1.
	taken := conversation.Conversation{ID: last + 2, AgentID: w.agent, Status: conversation.Open}
	item, err := taken.Item(w.account.ID, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Table.Transact(t.Context(), table.PutIfAbsent(item)); err != nil {
		t.Fatal(err)
	}
	answer, err := w.Turn(t.Context(), assistant.Message{AccountID: w.account.ID, AgentID: w.agent,
		Channel: conversation.API, Proved: true, Text: "Hello"})
	if err != nil || answer.ConversationID <= taken.ID ||
		conversation.Hint(answer.SessionID) != answer.ConversationID {
		t.Errorf("%+v, %v", answer, err)
	}
	if got, err := w.Table.Get(t.Context(), item.Key); err != nil || table.Puts(got.Version) != 1 {
		t.Errorf("the other's conversation: %+v, %v", got, err)
	}
}

// TestMovedSession tests a session that points to another conversation than the one in its id.
func TestMovedSession(t *testing.T) {
	w := newFixture(t, "pro")
	begin := func(text string) assistant.Answer {
		t.Helper()
		answer, err := w.Turn(t.Context(), assistant.Message{AccountID: w.account.ID, AgentID: w.agent,
			Channel: conversation.API, Proved: true, Text: text})
		if err != nil {
			t.Fatal(err)
		}
		return answer
	}
	left, kept := begin("I left this"), begin("I went here")
	moved := conversation.Session{ConversationID: kept.ConversationID, ContactID: kept.ContactID}
	item, err := moved.Item(conversation.SessionKey(w.account.ID, w.agent, left.SessionID))
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Table.Transact(t.Context(), table.Put(item)); err != nil {
		t.Fatal(err)
	}
	var history []ai.Turn
	w.model.before = func(r ai.Request) error {
		history = r.History
		return nil
	}
	answer, err := w.Turn(t.Context(), assistant.Message{
		AccountID: w.account.ID, AgentID: w.agent, Channel: conversation.API, Proved: true,
		SessionID: left.SessionID, Text: "Hello",
	})
	if err != nil || answer.ConversationID != kept.ConversationID || answer.ContactID != kept.ContactID ||
		answer.SessionID != left.SessionID {
		t.Errorf("%+v, %v", answer, err)
	}
	if len(history) != 2 || history[0].Text != "I went here" {
		t.Errorf("history %+v", history)
	}
}

func TestFailedModelKeepsTheMessage(t *testing.T) {
	w := newFixture(t, "free")
	w.model.before = func(ai.Request) error { return errors.New("out of order") }
	if _, err := w.say(t.Context(), "Are dogs welcome?"); code(err) != fault.ServerError {
		t.Fatalf("%v", err)
	}
	w.model.before = nil
	if _, err := w.say(t.Context(), "Are dogs welcome?"); err != nil {
		t.Fatal(err)
	}
	want := []string{"inbound: Are dogs welcome?", "inbound: Are dogs welcome?",
		"outbound: Dogs are welcome in the garden."}
	if diff := cmp.Diff(want, w.thread(t)); diff != "" {
		t.Error(diff)
	}
	usage, err := w.Table.Query(t.Context(), w.account.UsageQuery(time.Now()))
	if err != nil || auth.Used(usage.Items...) != 1 {
		t.Errorf("%d replies are counted, %v", auth.Used(usage.Items...), err)
	}
}

func TestTakeOver(t *testing.T) {
	w := newFixture(t, "pro")
	first, err := w.say(t.Context(), "Are dogs welcome?")
	if err != nil {
		t.Fatal(err)
	}
	w.change(t, first.ConversationID, func(c *conversation.Conversation) {
		c.TakeoverMode, c.AIEnabled, c.Status = conversation.ByHuman, false, conversation.Resolved
	})
	w.model.before = func(ai.Request) error {
		t.Error("the model was asked")
		return nil
	}
	second, err := w.say(t.Context(), "And cats?")
	if err != nil || second.Reply != nil || second.Action != assistant.HumanHandling ||
		second.MessageID != nil || second.InboundMessageID == 0 {
		t.Errorf("%+v, %v", second, err)
	}
	w.model.before = nil
	w.change(t, first.ConversationID, func(c *conversation.Conversation) {
		if c.Status != conversation.Open {
			t.Errorf("a message left the conversation %s", c.Status)
		}
		c.TakeoverMode, c.AIEnabled = conversation.ByAI, true
	})
	if third, err := w.say(t.Context(), "Are dogs welcome?"); err != nil || third.Reply == nil {
		t.Errorf("%+v, %v", third, err)
	}
}

// TestTakeOverWhileTheModelWrites tests that no reply is sent if a person takes over while the model writes
// it.
func TestTakeOverWhileTheModelWrites(t *testing.T) {
	w := newFixture(t, "pro")
	first, err := w.say(t.Context(), "Hello")
	if err != nil {
		t.Fatal(err)
	}
	w.model.before = func(ai.Request) error {
		w.change(t, first.ConversationID,
			func(c *conversation.Conversation) { c.TakeoverMode, c.AIEnabled = conversation.ByHuman, false })
		return nil
	}
	answer, err := w.say(t.Context(), "Are dogs welcome?")
	if err != nil || answer.Reply != nil || answer.Action != assistant.HumanHandling {
		t.Errorf("%+v, %v", answer, err)
	}
	if thread := w.thread(t); len(thread) != 3 || thread[2] != "inbound: Are dogs welcome?" {
		t.Errorf("%q", thread)
	}
}

// TestModelIsAskedOnce tests that a turn that meets a concurrent change of the conversation is stored again
// without another call of the model, whether the model replied or failed.
func TestModelIsAskedOnce(t *testing.T) {
	for _, test := range []struct {
		fault error
		want  fault.Code
	}{{nil, ""}, {errors.New("out of order"), fault.ServerError}} {
		w := newFixture(t, "pro")
		first, err := w.say(t.Context(), "Hello")
		if err != nil {
			t.Fatal(err)
		}
		w.byModel(t)
		asked := 0
		w.model.before = func(ai.Request) error {
			asked++
			w.change(t, first.ConversationID, func(c *conversation.Conversation) { c.Priority = "urgent" })
			return test.fault
		}
		_, err = w.say(t.Context(), "Are dogs welcome?")
		if (err != nil) != (test.fault != nil) || code(err) != test.want || asked != 1 {
			t.Errorf("%v, want %q, after %d questions to the model", err, test.want, asked)
		}
		if thread := w.thread(t); thread[2] != "inbound: Are dogs welcome?" {
			t.Errorf("%q", thread)
		}
	}
}

// TestManyAtOnce sends several messages of one session at once, and expects a reply to each, in one
// conversation.
func TestManyAtOnce(t *testing.T) {
	w := newFixture(t, "pro")
	const messages = 30
	var wg sync.WaitGroup
	for range messages {
		wg.Go(func() {
			if answer, err := w.say(context.Background(), "Are dogs welcome?"); err != nil ||
				answer.Reply == nil {
				t.Errorf("%+v, %v", answer, err)
			}
		})
	}
	wg.Wait()
	if thread := w.thread(t); len(thread) != 2*messages {
		t.Errorf("the conversation has %d messages", len(thread))
	}
}

// atOnce calls say n times at once. It returns the number of calls that succeeded and of those that were
// refused because the quota was used up. Any other error fails the test.
func atOnce(t *testing.T, n int, say func(i int) error) (replied, refused int64) {
	t.Helper()
	var replies, refusals atomic.Int64
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			switch err := say(i); {
			case err == nil:
				replies.Add(1)
			case code(err) == fault.QuotaExceeded:
				refusals.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	wg.Wait()
	return replies.Load(), refusals.Load()
}

// TestQuotaIsExact sends more messages at once than the period has replies left.
func TestQuotaIsExact(t *testing.T) {
	w := newFixture(t, "free")
	left := int64(5)
	used := w.account.CountReply(w.plan, time.Now(), 0)
	used.Add = map[string]int64{"replies": w.plan.Replies - left}
	if err := w.Table.Transact(t.Context(), used); err != nil {
		t.Fatal(err)
	}
	replied, refused := atOnce(t, 12, func(i int) error {
		_, err := w.Turn(context.Background(), assistant.Message{
			AccountID: w.account.ID, AgentID: w.agent, Channel: conversation.API, Proved: true,
			Text:      "Hello",
			SessionID: fmt.Sprintf("11111111-2222-4333-8444-5555555555%02d", i),
		})
		return err
	})
	if replied != left || refused != 12-left {
		t.Errorf("%d replies and %d refusals with %d left", replied, refused, left)
	}
}

// TestRequest tests what a model receives.
func TestRequest(t *testing.T) {
	w := newFixture(t, "pro")
	var got ai.Request
	w.model.before = func(r ai.Request) error {
		got = r
		return nil
	}
	for _, text := range []string{"Hello", "Are dogs welcome?"} {
		if _, err := w.say(t.Context(), text); err != nil {
			t.Fatal(err)
		}
	}
	if got.Message != "Are dogs welcome?" || got.Language != "en" || got.MaxLength != 500 ||
		got.System == "" {
		t.Errorf("%+v", got)
	}
	if len(got.History) != 2 || got.History[0] != (ai.Turn{Inbound: true, Text: "Hello"}) ||
		got.History[1].Inbound {
		t.Errorf("history %+v", got.History)
	}
	want := []ai.Passage{{Questions: []string{"Are dogs welcome?"}, Text: "Dogs are welcome in the garden."}}
	if diff := cmp.Diff(want, got.Passages); diff != "" {
		t.Errorf("the answered FAQ alone is a passage: %s", diff)
	}
}

func TestUnknownAgent(t *testing.T) {
	w := newFixture(t, "pro")
	w.agent++
	if _, err := w.say(t.Context(), "Hello"); code(err) != fault.NotFoundCode {
		t.Errorf("%v", err)
	}
}

// TestReplyIsAnnounced tests that webhooks receive an event for a reply over WhatsApp only.
func TestReplyIsAnnounced(t *testing.T) {
	w := newFixture(t, "pro")
	var answers []assistant.Answer
	for _, channel := range []conversation.Channel{conversation.API, conversation.WhatsApp} {
		answer, err := w.Turn(t.Context(), assistant.Message{
			AccountID: w.account.ID, AgentID: w.agent, Channel: channel,
			Proved: true, Contact: assistant.Identity{Phone: "+14155550123"}, Text: "Are dogs welcome?",
		})
		if err != nil {
			t.Fatal(err)
		}
		answers = append(answers, answer)
	}
	changes, err := w.Table.(table.Feed).Changes(t.Context(), "", 1000)
	if err != nil {
		t.Fatal(err)
	}
	var told []string
	for _, change := range changes {
		if !strings.HasPrefix(change.New.PK, event.KeyPrefix) {
			continue
		}
		e, err := event.Read(*change.New)
		if err != nil {
			t.Fatal(err)
		}
		data, err := e.WebhookData()
		if err != nil {
			t.Fatal(err)
		}
		told = append(told, string(e.Kind)+" "+string(data))
	}
	last := answers[1]
	want := []string{fmt.Sprintf(`message.sent {"conversation_id":%d,"contact_phone":"+14155550123","content":%q,"sent_by_ai":true,"action":%q,"intent":%q}`,
		last.ConversationID, *last.Reply, last.Action, last.Intent)}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Error(diff)
	}
}
