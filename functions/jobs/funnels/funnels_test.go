package funnels_test

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/go-cmp/cmp"

	"frontdesk/functions/dispatch"
	"frontdesk/functions/jobs"
	"frontdesk/functions/jobs/funnels"
	"frontdesk/shared/agent"
	"frontdesk/shared/ai"
	"frontdesk/shared/assistant"
	"frontdesk/shared/auth"
	"frontdesk/shared/channel/registry"
	"frontdesk/shared/contact"
	"frontdesk/shared/conversation"
	"frontdesk/shared/event"
	"frontdesk/shared/id"
	"frontdesk/shared/message"
	"frontdesk/shared/playbook"
	"frontdesk/shared/queue"
	queuedb "frontdesk/shared/queue/sqlite"
	"frontdesk/shared/table"
	"frontdesk/shared/table/dynamo"
	"frontdesk/shared/table/sqlite"
	"frontdesk/shared/worktest"
)

// A desk is an agent with a funnel, somebody who chats with it, and what brings the ends of waits to the
// worker.
type desk struct {
	table    *sqlite.Table
	queue    *queuedb.Queue
	ids      *id.Source
	chat     *assistant.Assistant
	dispatch *dispatch.Service
	worker   *jobs.Service

	account, agent, funnel int64
	steps                  []int64
	session                string
	conversation           int64
	contact                int64
	read                   string // how far the feed was read
	clock                  *worktest.Clock
}

// A sink is a queue.Sender that nobody listens to.
type sink struct{}

func (sink) Send(context.Context, ...queue.Outgoing) error { return nil }

// onlyWaits is a queue that takes the ends of waits alone of all that there is to do.
type onlyWaits struct{ queue.Sender }

func (w onlyWaits) Send(ctx context.Context, messages ...queue.Outgoing) error {
	for _, m := range messages {
		if strings.Contains(m.Body, string(event.FunnelWaiting)) {
			if err := w.Sender.Send(ctx, m); err != nil {
				return err
			}
		}
	}
	return nil
}

var begin = time.Date(2026, time.March, 2, 10, 0, 0, 0, time.UTC)

func open(t *testing.T, steps ...playbook.FunnelStep) *desk {
	t.Helper()
	d := &desk{clock: worktest.NewClock(begin)}
	d.table = worktest.Table(t, d.clock.Now)
	d.queue = worktest.Queue(t, d.clock.Now, queuedb.Config{Name: "JobsQueue", Visibility: 3 * time.Minute})
	d.ids = id.NewSource(d.clock.Now)
	log := slog.New(slog.DiscardHandler)
	d.chat = &assistant.Assistant{Table: d.table, Now: d.clock.Now, IDs: d.ids}
	d.dispatch = &dispatch.Service{
		Table: d.table, Now: d.clock.Now, IDs: d.ids, Deliveries: sink{}, Jobs: onlyWaits{d.queue}, Log: log,
	}
	d.worker = &jobs.Service{
		Funnels: &funnels.Service{
			Table: d.table, Now: d.clock.Now, IDs: d.ids, Queue: d.queue,
			Channels: registry.New(registry.Addresses{}),
		},
		Log: log,
	}
	workspaces := &auth.Workspaces{Table: d.table, Now: d.clock.Now, IDs: d.ids}
	account, _, err := workspaces.Create(t.Context(), "Acme", "pro")
	if err != nil {
		t.Fatal(err)
	}
	d.account = account.ID
	made, err := d.agents().Create(t.Context(), d.account, agent.Agent{Summary: agent.Summary{
		Name: "Ada", Status: agent.Active, Language: "en", AIEnabled: true, AIModel: ai.Builtin,
		MaxResponseLength: 500, HandoffMessage: "A person will come.",
	}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	d.agent = made.ID
	f, err := d.funnels().Create(t.Context(), d.account, d.agent, func(f *playbook.Funnel) error {
		f.TriggerKeyword, f.IsActive = "bike", true
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	d.funnel = f.ID
	for _, step := range steps {
		s, err := d.stepStore().Create(t.Context(), d.account, d.agent, d.funnel,
			func(s *playbook.FunnelStep) error {
				s.StepType, s.Content, s.DelaySeconds = step.StepType, step.Content, step.DelaySeconds
				return nil
			})
		if err != nil {
			t.Fatal(err)
		}
		d.steps = append(d.steps, s.ID)
	}
	return d
}

func (d *desk) agents() *agent.Store {
	return &agent.Store{Table: d.table, Now: d.clock.Now, IDs: d.ids}
}

func (d *desk) funnels() playbook.Store[playbook.Funnel, *playbook.Funnel] {
	return playbook.Store[playbook.Funnel, *playbook.Funnel]{Table: d.table, Now: d.clock.Now, IDs: d.ids}
}

func (d *desk) stepStore() playbook.StepStore {
	return playbook.StepStore{Table: d.table, Now: d.clock.Now, IDs: d.ids}
}

// say has the contact write.
func (d *desk) say(t *testing.T, text string) {
	t.Helper()
	answer, err := d.chat.Turn(t.Context(), assistant.Message{
		AccountID: d.account, AgentID: d.agent, Channel: conversation.WebChat, SessionID: d.session,
		Text: text,
	})
	if err != nil {
		t.Fatal(err)
	}
	d.session, d.conversation, d.contact = answer.SessionID, answer.ConversationID, answer.ContactID
}

// hear has dispatch read what is new in the feed, so many times.
func (d *desk) hear(t *testing.T, times int) {
	t.Helper()
	changes, err := d.table.Changes(t.Context(), d.read, 1000)
	if err != nil {
		t.Fatal(err)
	}
	for range times {
		response, err := d.dispatch.Handle(t.Context(), dynamo.Event(changes))
		if err != nil || len(response.BatchItemFailures) > 0 {
			t.Fatalf("%+v, %v", response, err)
		}
	}
	if len(changes) > 0 {
		d.read = changes[len(changes)-1].Position
	}
}

// work has two workers at once take all that the queue has at this moment, each all of it.
func (d *desk) work(t *testing.T) {
	t.Helper()
	found, err := d.queue.Receive(t.Context(), 10, 3*time.Minute, 0)
	if err != nil {
		t.Fatal(err)
	}
	var batch events.SQSEvent
	for _, m := range slices.Backward(found) {
		batch.Records = append(batch.Records, events.SQSMessage{MessageId: m.ID, Body: m.Body})
	}
	var workers sync.WaitGroup
	for range 2 {
		workers.Go(func() {
			if response, err := d.worker.Handle(t.Context(), batch); err != nil ||
				len(response.BatchItemFailures) > 0 {
				t.Errorf("%+v, %v", response, err)
			}
		})
	}
	workers.Wait()
	for _, m := range found {
		if err := d.queue.Delete(t.Context(), m.Receipt); err != nil {
			t.Fatal(err)
		}
	}
}

// watch lets time go by in steps, with everything coming twice, and returns what is said and when.
func (d *desk) watch(t *testing.T, during, step time.Duration) []string {
	t.Helper()
	said := map[int64]string{}
	var order []int64
	for end := d.clock.Now().Add(during); ; d.clock.Pass(step) {
		d.hear(t, 2)
		d.work(t)
		page, err := conversation.Messages{Table: d.table}.Query(t.Context(),
			conversation.All(d.account, d.conversation))
		if err != nil {
			t.Fatal(err)
		}
		for _, item := range page.Items {
			m, err := conversation.ReadMessage(item)
			if err != nil {
				t.Fatal(err)
			}
			if said[m.ID] == "" && m.Direction == conversation.Outbound {
				said[m.ID] = fmt.Sprintf("%s %s", d.clock.Now().Sub(begin), m.Content)
				order = append(order, m.ID)
			}
		}
		if !d.clock.Now().Before(end) {
			break
		}
	}
	var lines []string
	for _, id := range order {
		lines = append(lines, said[id])
	}
	return lines
}

func (d *desk) stored(t *testing.T) conversation.Conversation {
	t.Helper()
	item, err := d.table.Get(t.Context(), conversation.Key(d.account, d.conversation))
	if err != nil {
		t.Fatal(err)
	}
	c, err := conversation.Read(item)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func (d *desk) change(t *testing.T, change func(*conversation.Conversation)) {
	t.Helper()
	store := message.Store{Table: d.table, Now: d.clock.Now, IDs: d.ids}
	if _, err := store.Change(t.Context(), d.account, d.conversation, func(u *message.Unit) error {
		change(&u.Conversation)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

func step(kind playbook.StepType, delay int, content string) playbook.FunnelStep {
	return playbook.FunnelStep{StepType: kind, DelaySeconds: delay, Content: content}
}

const (
	says   = playbook.MessageStep
	asks   = playbook.QuestionStep
	waits  = playbook.DelayStep
	person = playbook.HandoffStep
)

func TestWaits(t *testing.T) {
	for _, test := range []struct {
		name  string
		steps []playbook.FunnelStep
		want  []string
		after func(conversation.Conversation) bool
	}{
		{
			"messages", []playbook.FunnelStep{step(says, 0, "One"), step(says, 10, "Two"),
				step(says, 0, "Three"), step(waits, 20, ""), step(says, 0, "Four"), step(waits, 5, "")},
			[]string{"0s One", "10s Two\n\nThree", "30s Four"},
			func(c conversation.Conversation) bool { return c.Frame.Asked.Funnel.Funnel == 0 },
		},
		{
			"two waits behind one another",
			[]playbook.FunnelStep{step(says, 0, "One"), step(waits, 10, ""), step(says, 10, "Two")},
			[]string{"0s One", "20s Two"},
			func(c conversation.Conversation) bool { return c.Frame.Asked.Funnel.Funnel == 0 },
		},
		{
			"a question",
			[]playbook.FunnelStep{step(says, 0, "One"), step(asks, 5, "Two?"), step(says, 0, "Three")},
			[]string{"0s One", "5s Two?"}, func(c conversation.Conversation) bool {
				return c.Frame.Asked.Funnel.Funnel != 0 && c.Frame.Asked.Funnel.Wait == 0
			},
		},
		{
			"a person", []playbook.FunnelStep{step(says, 0, "One"), step(person, 5, "Bye")},
			[]string{"0s One", "5s Bye"}, func(c conversation.Conversation) bool {
				return c.HandoffReason == conversation.HandoffFunnel &&
					strings.Contains(c.HandoffSummary, "Wants: “A bike”")
			},
		},
		{
			"a person in the agent's words", []playbook.FunnelStep{step(says, 0, "One"), step(person, 5, "")},
			[]string{"0s One", "5s A person will come."},
			func(c conversation.Conversation) bool { return !c.AIEnabled },
		},
		{
			"longer than one message",
			[]playbook.FunnelStep{step(says, 0, "One"), step(says, 5, strings.Repeat("x", 4000)),
				step(says, 0, strings.Repeat("y", 4000))},
			[]string{"0s One", "5s " + strings.Repeat("x", 4000), "10s " + strings.Repeat("y", 4000)},
			func(c conversation.Conversation) bool { return c.Frame.Asked.Funnel.Funnel == 0 },
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := open(t, test.steps...)
			d.say(t, "A bike")
			if diff := cmp.Diff(test.want, d.watch(t, time.Minute, 5*time.Second)); diff != "" {
				t.Error(diff)
			}
			d.countsSteps(t, test.steps)
			if c := d.stored(t); !test.after(c) || c.Messages != int64(1+len(test.want)) {
				t.Errorf("%+v", c)
			}
		})
	}
}

// countsSteps expects each step to have been reached once, but those that come after nothing that is said.
func (d *desk) countsSteps(t *testing.T, of []playbook.FunnelStep) {
	t.Helper()
	steps, err := d.stepStore().List(t.Context(), d.account, d.agent, d.funnel)
	if err != nil {
		t.Fatal(err)
	}
	for i, step := range steps {
		last := i == len(steps)-1 && of[i].StepType == waits
		afterQuestion := i > 0 && of[i-1].StepType == asks
		if want := step.Reached == 0; want != (last || afterQuestion) || step.Reached > 1 {
			t.Errorf("step %d was reached %d times", i, step.Reached)
		}
	}
}

// TestLongWait waits longer than a message of the queue can.
func TestLongWait(t *testing.T) {
	d := open(t, step(says, 0, "One"), step(says, 40*60, "Two"))
	d.say(t, "A bike")
	if diff := cmp.Diff([]string{"0s One", "40m0s Two"}, d.watch(t, time.Hour, time.Minute)); diff != "" {
		t.Error(diff)
	}
}

// TestAnswerLeadsOn has the contact answer a question that came after a wait.
func TestAnswerLeadsOn(t *testing.T) {
	d := open(t, step(asks, 5, "What for?"), step(says, 5, "Good."))
	d.say(t, "A bike")
	first := d.watch(t, 10*time.Second, 5*time.Second)
	d.say(t, "commuting")
	if diff := cmp.Diff([]string{"0s Thank you, I have noted that.", "5s What for?"}, first); diff != "" {
		t.Error(diff)
	}
	got := d.watch(t, 10*time.Second, 5*time.Second)
	if diff := cmp.Diff("15s Good.", got[len(got)-1]); diff != "" || len(got) != 4 {
		t.Error(got)
	}
}

// TestMeanwhile changes something while the contact waits.
func TestMeanwhile(t *testing.T) {
	status := func(s agent.Status) func(*testing.T, *desk) {
		return func(t *testing.T, d *desk) {
			if _, err := d.agents().UpdateSummary(t.Context(), d.account, d.agent,
				func(a *agent.Summary) ([]table.Write, error) {
					a.Status = s
					return nil, nil
				}); err != nil {
				t.Fatal(err)
			}
		}
	}
	nothing := []string{"0s One"}
	for _, test := range []struct {
		name   string
		change func(*testing.T, *desk)
		want   []string
		in     bool // still in the funnel at the end
	}{
		{"nothing", func(*testing.T, *desk) {}, []string{"0s One", "1m0s Two", "2m0s Three"}, false},
		{"the contact asks something", func(t *testing.T, d *desk) { d.say(t, "Thanks") },
			[]string{"0s One", "20s You are welcome.", "1m0s Two", "2m0s Three"}, false},
		{"the contact leaves", func(t *testing.T, d *desk) { d.say(t, "Never mind") },
			[]string{"0s One", "20s All right. How else can I help?"}, false},
		{"the contact begins again", func(t *testing.T, d *desk) { d.say(t, "A bike") },
			[]string{"0s One", "20s One", "1m20s Two", "2m20s Three"}, false},
		{"the contact opts out", func(t *testing.T, d *desk) {
			if _, err := (&contact.Store{Table: d.table, Now: d.clock.Now, IDs: d.ids}).Change(t.Context(),
				d.account, d.contact, func(c *contact.Contact) error {
					c.OptedIn = false
					return nil
				}); err != nil {
				t.Fatal(err)
			}
		}, nothing, false},
		{"the contact is deleted", func(t *testing.T, d *desk) {
			contacts := &contact.Store{Table: d.table, Now: d.clock.Now, IDs: d.ids}
			if err := contacts.Delete(t.Context(), d.account, d.contact); err != nil {
				t.Fatal(err)
			}
		}, nothing, false},
		{"a person takes over", func(t *testing.T, d *desk) {
			d.change(t, func(c *conversation.Conversation) { c.HandOver(conversation.HandoffManual) })
		}, nothing, false},
		{"a person had taken over", func(t *testing.T, d *desk) {
			d.change(t, func(c *conversation.Conversation) { c.HandOver(conversation.HandoffManual) })
			d.change(t, (*conversation.Conversation).HandBack)
		}, nothing, false},
		{"it is resolved", func(t *testing.T, d *desk) {
			d.change(t, func(c *conversation.Conversation) { c.Resolve(d.clock.Now()) })
		}, nothing, false},
		{"the agent is paused", status(agent.Paused), nothing, false},
		{"the agent was paused", func(t *testing.T, d *desk) {
			status(agent.Paused)(t, d)
			status(agent.Active)(t, d)
		}, []string{"0s One", "1m0s Two", "2m0s Three"}, false},
		{"the agent's AI is switched off", func(t *testing.T, d *desk) {
			if _, err := d.agents().UpdateSummary(t.Context(), d.account, d.agent,
				func(a *agent.Summary) ([]table.Write, error) {
					a.AIEnabled = false
					return nil, nil
				}); err != nil {
				t.Fatal(err)
			}
		}, nothing, false},
		{"the agent is deleted", func(t *testing.T, d *desk) {
			if err := d.agents().Delete(t.Context(), d.account, d.agent); err != nil {
				t.Fatal(err)
			}
		}, nothing, true},
		{"the funnel is switched off", func(t *testing.T, d *desk) {
			if _, err := d.funnels().Update(t.Context(), d.account, d.agent, d.funnel,
				func(f *playbook.Funnel) error {
					f.IsActive = false
					return nil
				}); err != nil {
				t.Fatal(err)
			}
		}, nothing, false},
		{"the funnel is deleted", func(t *testing.T, d *desk) {
			if err := d.stepStore().DeleteFunnel(t.Context(), d.account, d.agent, d.funnel); err != nil {
				t.Fatal(err)
			}
		}, nothing, false},
		{"the step is deleted", func(t *testing.T, d *desk) {
			if err := d.stepStore().Delete(t.Context(), d.account, d.agent, d.funnel,
				d.steps[1]); err != nil {
				t.Fatal(err)
			}
		}, nothing, false},
		{"the next step is deleted", func(t *testing.T, d *desk) {
			if err := d.stepStore().Delete(t.Context(), d.account, d.agent, d.funnel,
				d.steps[2]); err != nil {
				t.Fatal(err)
			}
		}, []string{"0s One", "1m0s Two"}, false},
		{"the step is edited", func(t *testing.T, d *desk) {
			if _, err := d.stepStore().Update(t.Context(), d.account, d.agent, d.funnel, d.steps[1],
				func(s *playbook.FunnelStep) error {
					s.Content, s.DelaySeconds = "Twice", 5
					return nil
				}); err != nil {
				t.Fatal(err)
			}
		}, []string{"0s One", "1m0s Twice", "2m0s Three"}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := open(t, step(says, 0, "One"), step(says, 60, "Two"), step(says, 60, "Three"))
			d.say(t, "A bike")
			d.hear(t, 1)
			d.clock.Pass(20 * time.Second)
			test.change(t, d)
			got := d.watch(t, 3*time.Minute, 20*time.Second)
			got[0] = "0s One" // it was said before the watch began
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
			if c := d.stored(t); (c.Frame.Asked.Funnel.Funnel != 0) != test.in {
				t.Errorf("%+v", c.Frame.Asked.Funnel)
			}
		})
	}
}

// TestActionsHear has an action of the agent wait for messages that are sent: those of a funnel are the
// agent's own.
func TestActionsHear(t *testing.T) {
	d := open(t, step(says, 0, "One"), step(says, 5, "Two"))
	actions := playbook.Store[playbook.Action, *playbook.Action]{Table: d.table, Now: d.clock.Now, IDs: d.ids}
	if _, err := actions.Create(t.Context(), d.account, d.agent, func(a *playbook.Action) error {
		a.ActionType, a.TriggerOn, a.IsActive, a.Configured = playbook.AddTag, event.OnMessageSent, true, true
		a.Config.Tag = "told twice"
		a.Conditions = []playbook.Condition{{Field: playbook.OfMessage, Operator: playbook.Equals,
			Value: "two"}}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	d.say(t, "A bike")
	d.watch(t, 10*time.Second, 5*time.Second)
	item, err := d.table.Get(t.Context(), contact.Key(d.account, d.contact))
	if err != nil {
		t.Fatal(err)
	}
	if c, err := contact.Read(item); err != nil || !slices.Equal(c.Tags, []string{"told twice"}) {
		t.Errorf("%+v, %v", c, err)
	}
}

// TestOtherEvents are no reason to do anything.
func TestOtherEvents(t *testing.T) {
	d := open(t)
	response, err := d.worker.Handle(t.Context(), events.SQSEvent{Records: []events.SQSMessage{
		{MessageId: "a", Body: `{"kind": "` + string(event.ConversationOpened) + `"}`},
		{MessageId: "b", Body: "{"},
		{MessageId: "c", Body: `{"kind": "funnel.waiting", "conversation_id": 7}`},
	}})
	want := []events.SQSBatchItemFailure{{ItemIdentifier: "a"}, {ItemIdentifier: "b"}}
	if diff := cmp.Diff(want, response.BatchItemFailures); diff != "" || err != nil {
		t.Errorf("%s, %v", diff, err)
	}
}

// TestCost says what the end of a wait costs, as docs/data-model.md does.
func TestCost(t *testing.T) {
	d := open(t, step(says, 0, "One"), step(says, 5, "Two"))
	d.say(t, "A bike")
	d.hear(t, 1)
	d.clock.Pass(5 * time.Second)
	found, err := d.queue.Receive(t.Context(), 1, time.Minute, 0)
	if err != nil || len(found) != 1 {
		t.Fatalf("%d messages, %v", len(found), err)
	}
	ctx, meter := table.WithMeter(t.Context())
	response, err := d.worker.Handle(ctx,
		events.SQSEvent{Records: []events.SQSMessage{{Body: found[0].Body}}})
	if err != nil || len(response.BatchItemFailures) > 0 {
		t.Fatalf("%+v, %v", response, err)
	}
	if c := meter.Cost(); c.Requests != 5 || c.ReadUnits != 5 || c.WriteUnits != 11 {
		t.Errorf("%+v", c)
	}
}
