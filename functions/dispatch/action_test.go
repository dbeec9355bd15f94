package dispatch_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/shared/agent"
	"frontdesk/shared/contact"
	"frontdesk/shared/delivery"
	"frontdesk/shared/event"
	"frontdesk/shared/playbook"
	"frontdesk/shared/table"
	"frontdesk/shared/table/dynamo"
)

func (w *fixture) actions() playbook.Store[playbook.Action, *playbook.Action] {
	return playbook.Store[playbook.Action, *playbook.Action]{Table: w.Table, Now: time.Now, IDs: w.hooks.IDs}
}

// action makes an action of the first agent that calls a webhook when a message comes.
func (w *fixture) action(t *testing.T, edit func(*playbook.Action)) delivery.Receiver {
	t.Helper()
	a, err := w.actions().Create(t.Context(), account, w.agents[0], func(a *playbook.Action) error {
		a.Name, a.ActionType, a.TriggerOn = "Tell", playbook.FireWebhook, event.OnMessageReceived
		a.IsActive, a.Configured = true, true
		if edit != nil {
			edit(a)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return delivery.Receiver{AccountID: account, AgentID: w.agents[0], ActionID: a.ID}
}

// came is a message that came from a contact of the first agent, which triggers whatever waits for one.
func (w *fixture) came(contact int64, at time.Time) event.Event {
	confidence := 0.9
	return event.Event{
		ID: w.hooks.IDs.Next(), Kind: event.MessageReceived, At: at, AccountID: account, AgentID: w.agents[0],
		Triggers:  []event.Trigger{event.OnMessageReceived, event.OnKeyword, event.OnIntentDetected},
		ContactID: contact, ContactName: "Ada <A>", ConversationID: 8, Channel: "webchat",
		Contact:   &event.Contact{Stage: "lead", LeadScore: 40, Tags: []string{"vip"}},
		MessageID: 9, Message: "How much, please?", Intent: "pricing", Confidence: &confidence,
	}
}

// opened is the conversation of came, which began.
func (w *fixture) opened(contact int64, at time.Time) event.Event {
	e := w.came(contact, at)
	e.Kind, e.Triggers = event.ConversationOpened, []event.Trigger{event.OnConversationStarted}
	e.MessageID, e.Message, e.Intent, e.Confidence = 0, "", "", nil
	return e
}

// feed are the changes that put events into the outbox.
func feed(t *testing.T, all ...event.Event) []table.Change {
	t.Helper()
	var changes []table.Change
	for i, e := range all {
		put, err := e.Put()
		if err != nil {
			t.Fatal(err)
		}
		put.Item.Version = 1
		changes = append(changes, table.Change{Position: fmt.Sprint(i), New: &put.Item})
	}
	return changes
}

// fired is how many deliveries to the receivers there are.
func (w *fixture) fired(t *testing.T, to ...delivery.Receiver) []int {
	t.Helper()
	var all []int
	for _, r := range to {
		all = append(all, len(w.kept(t, r)))
	}
	return all
}

// noon is today's in Berlin, since deliveries are kept for a month.
var noon = berlin(0, 12, 0, 0)

// berlin is a time in Berlin, so many days from today.
func berlin(days, hour, minute, second int) time.Time {
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		panic(err)
	}
	year, month, day := time.Now().In(zone).Date()
	return time.Date(year, month, day+days, hour, minute, second, 0, zone)
}

func TestActionsAreSetOff(t *testing.T) {
	w := newFixture(t)
	on := func(field playbook.Subject, operator playbook.Operator, value string) func(*playbook.Action) {
		return func(a *playbook.Action) {
			a.Conditions = append(a.Conditions,
				playbook.Condition{Field: field, Operator: operator, Value: value})
		}
	}
	for _, test := range []struct {
		name string
		edit func(*playbook.Action)
		want int
	}{
		{"no conditions", nil, 1},
		{"another trigger of the same", func(a *playbook.Action) { a.TriggerOn = event.OnIntentDetected }, 1},
		{"another occurrence", func(a *playbook.Action) { a.TriggerOn = event.OnConversationStarted }, 1},
		{"what did not happen", func(a *playbook.Action) { a.TriggerOn = event.OnHandoff }, 0},
		{"switched off", func(a *playbook.Action) { a.IsActive = false }, 0},
		{"not configured", func(a *playbook.Action) { a.Configured = false }, 0},
		{"of another type", func(a *playbook.Action) { a.ActionType = playbook.Handoff }, 0},
		{"message contains", on(playbook.OfMessage, playbook.Contains, "HOW MUCH"), 1},
		{"message does not contain", on(playbook.OfMessage, playbook.NotContains, "how much"), 0},
		{"message equals", on(playbook.OfMessage, playbook.Equals, "how much, PLEASE?"), 1},
		{"message does not equal", on(playbook.OfMessage, playbook.NotEquals, "how much, please?"), 0},
		{"intent", on(playbook.OfIntent, playbook.Equals, "pricing"), 1},
		{"another intent", on(playbook.OfIntent, playbook.Equals, "price"), 0},
		{"confidence", on(playbook.OfConfidence, playbook.GreaterThan, "0.89"), 1},
		{"confidence at the bound", on(playbook.OfConfidence, playbook.GreaterThan, "0.9"), 0},
		{"channel", on(playbook.OfChannel, playbook.Equals, "whatsapp"), 0},
		{"stage", on(playbook.OfContactStage, playbook.Equals, "Lead"), 1},
		{"score", on(playbook.OfLeadScore, playbook.LessThan, "40"), 0},
		{"score equals", on(playbook.OfLeadScore, playbook.Equals, "40.0"), 1},
		{"tag", on(playbook.OfTags, playbook.Contains, "VIP"), 1},
		{"part of a tag", on(playbook.OfTags, playbook.Contains, "vi"), 0},
		{"without the tag", on(playbook.OfTags, playbook.NotContains, "vip"), 0},
		{"all conditions", func(a *playbook.Action) {
			on(playbook.OfIntent, playbook.Equals, "pricing")(a)
			on(playbook.OfTags, playbook.NotContains, "vip")(a)
		}, 0},
		{"no intent", func(a *playbook.Action) {
			a.TriggerOn = event.OnConversationStarted
			on(playbook.OfIntent, playbook.NotEquals, "pricing")(a)
		}, 1},
		{"no confidence", func(a *playbook.Action) {
			a.TriggerOn = event.OnConversationStarted
			on(playbook.OfConfidence, playbook.LessThan, "2")(a)
		}, 0},
	} {
		to := w.action(t, test.edit)
		if again := w.read(t, feed(t, w.opened(7, noon), w.came(7, noon))); again != "" {
			t.Fatalf("%s: %s comes again", test.name, again)
		}
		if got := w.fired(t, to); got[0] != test.want {
			t.Errorf("%s: fired %d times, want %d", test.name, got[0], test.want)
		}
	}
}

// TestAllowedActions has procedures at work that allow some actions only.
func TestAllowedActions(t *testing.T) {
	w := newFixture(t)
	to := w.action(t, func(a *playbook.Action) { a.Name = "Tell the CRM" })
	want := 0
	for i, test := range []struct {
		allowed []string
		runs    bool
	}{
		{nil, true},
		{[]string{"Tag", "Tell the CRM"}, true},
		{[]string{"Tag"}, false},
		{[]string{}, false}, // two procedures have none in common
	} {
		e := w.came(int64(7+i), noon)
		e.Allowed = test.allowed
		w.read(t, feed(t, e))
		if test.runs {
			want++
		}
		if got := w.fired(t, to); got[0] != want {
			t.Errorf("%q: fired %d times in all, want %d", test.allowed, got[0], want)
		}
	}
}

func TestActionBody(t *testing.T) {
	w := newFixture(t)
	to := w.action(t, func(a *playbook.Action) { a.Name, a.TriggerOn = `Tell "the" CRM: now, please`, event.OnKeyword })
	w.read(t, feed(t, w.came(7, noon)))
	want := []string{fmt.Sprintf(`action.fire_webhook {"event": "action.fire_webhook", "action_name": "Tell \"the\" CRM: now, please", `+
		`"agent_id": %d, "contact_id": 7, "contact_name": "Ada <A>", "conversation_id": 8, `+
		`"data": {"trigger": "keyword", "channel": "webchat", "message_id": 9, "message": "How much, please?", "intent": "pricing", "confidence": 0.9}}`,
		w.agents[0])}
	if diff := cmp.Diff(want, w.kept(t, to)); diff != "" {
		t.Error(diff)
	}
}

// TestContactIsRead has events that do not say what the contact is like.
func TestContactIsRead(t *testing.T) {
	w := newFixture(t)
	c := contact.New(7, w.agents[0], noon)
	c.Tags = []string{"vip"}
	item, err := c.Item(account, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Table.Transact(t.Context(), table.PutIfAbsent(item)); err != nil {
		t.Fatal(err)
	}
	to := w.action(t, func(a *playbook.Action) {
		a.Conditions = []playbook.Condition{{Field: playbook.OfTags, Operator: playbook.Contains,
			Value: "vip"}}
	})
	known, unknown := w.came(7, noon), w.came(6, noon)
	known.Contact, unknown.Contact = nil, nil
	w.read(t, feed(t, known, unknown))
	if got := w.fired(t, to); got[0] != 1 {
		t.Errorf("fired %d times", got[0])
	}
}

// TestLimits plays messages at several times and from two contacts, each batch twice: what was read before
// neither fires again nor keeps itself from firing.
func TestLimits(t *testing.T) {
	w := newFixture(t)
	agents := &agent.Store{Table: w.Table, Now: time.Now, IDs: w.hooks.IDs}
	if _, err := agents.Update(t.Context(), account, w.agents[0], func(a *agent.Agent) error {
		a.Timezone = "Europe/Berlin"
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	all := []delivery.Receiver{
		w.action(t, nil),
		w.action(t, func(a *playbook.Action) { a.CooldownSeconds = 60 }),
		w.action(t, func(a *playbook.Action) { a.MaxPerContact = 2 }),
		w.action(t, func(a *playbook.Action) { a.MaxPerDay = 3 }),
		w.action(t, func(a *playbook.Action) { a.CooldownSeconds, a.MaxPerContact, a.MaxPerDay = 60, 3, 4 }),
	}
	for _, step := range []struct {
		name    string
		contact int64
		at      time.Time
		want    []int
	}{
		{"first", 7, noon, []int{1, 1, 1, 1, 1}},
		{"another contact", 6, noon, []int{2, 2, 2, 2, 2}},
		{
			"just before the end of the cooldown", 7, noon.Add(time.Minute - time.Millisecond),
			[]int{3, 2, 3, 3, 2},
		},
		{"at its end", 7, noon.Add(time.Minute), []int{4, 3, 3, 3, 3}},
		{"the cooldown begins anew", 7, noon.Add(2*time.Minute - time.Millisecond), []int{5, 3, 3, 3, 3}},
		{"and ends", 7, noon.Add(2 * time.Minute), []int{6, 4, 3, 3, 4}},
		{"the last moment of the day in Berlin", 5, berlin(0, 23, 59, 59), []int{7, 5, 4, 3, 4}},
		{"the next day there", 4, berlin(1, 0, 0, 0), []int{8, 6, 5, 4, 5}},
		{"as often as for a contact ever", 7, berlin(1, 12, 0, 0), []int{9, 7, 5, 5, 5}},
	} {
		changes := feed(t, w.came(step.contact, step.at))
		for range 2 {
			if again := w.read(t, changes); again != "" {
				t.Fatalf("%s: %s comes again", step.name, again)
			}
			if diff := cmp.Diff(step.want, w.fired(t, all...)); diff != "" {
				t.Errorf("%s: %s", step.name, diff)
			}
		}
	}
}

// TestLimitsAtOnce has many read the same messages and others at the same time, in batches that overlap.
func TestLimitsAtOnce(t *testing.T) {
	w := newFixture(t)
	all := []delivery.Receiver{
		w.action(t, nil),
		w.action(t, func(a *playbook.Action) { a.CooldownSeconds = 60 }),
		w.action(t, func(a *playbook.Action) { a.MaxPerContact = 3 }),
		w.action(t, func(a *playbook.Action) { a.MaxPerDay = 5 }),
	}
	var events []event.Event
	for i := range 12 {
		events = append(events, w.came(7+int64(i%2), noon.Add(time.Duration(i)*time.Second)))
	}
	var readers sync.WaitGroup
	for reader := range 6 {
		some := slices.Clone(events[:6+reader])
		if reader%2 == 1 {
			some = events[reader:]
		}
		service := w.Service
		service.Deliveries = new(attempts)
		changes := feed(t, some...)
		readers.Go(func() {
			for _, change := range changes {
				response, err := service.Handle(context.Background(), dynamo.Event([]table.Change{change}))
				if err != nil || len(response.BatchItemFailures) != 0 {
					t.Errorf("%+v, %v", response, err)
				}
			}
		})
	}
	readers.Wait()
	if diff := cmp.Diff([]int{12, 2, 6, 5}, w.fired(t, all...)); diff != "" {
		t.Error(diff)
	}
}

// TestNobodyRuns switches off what would run: the action, by an edit; the agent, by a pause; both, by a
// deletion.
func TestNobodyRuns(t *testing.T) {
	w := newFixture(t)
	agents := &agent.Store{Table: w.Table, Now: time.Now, IDs: w.hooks.IDs}
	deleted, off, on := w.action(t, nil), w.action(t, nil), w.action(t, nil)
	if err := w.actions().Delete(t.Context(), account, w.agents[0], deleted.ActionID); err != nil {
		t.Fatal(err)
	}
	if _, err := w.actions().Update(t.Context(), account, w.agents[0], off.ActionID,
		func(a *playbook.Action) error {
			a.IsActive = false
			return nil
		}); err != nil {
		t.Fatal(err)
	}
	w.read(t, feed(t, w.came(7, noon)))
	pause := func(status agent.Status) {
		if _, err := agents.UpdateSummary(t.Context(), account, w.agents[0],
			func(s *agent.Summary) ([]table.Write, error) {
				s.Status = status
				return nil, nil
			}); err != nil {
			t.Fatal(err)
		}
	}
	pause(agent.Paused)
	w.read(t, feed(t, w.came(7, noon)))
	pause(agent.Active)
	w.read(t, feed(t, w.came(7, noon)))
	if err := agents.Delete(t.Context(), account, w.agents[0]); err != nil {
		t.Fatal(err)
	}
	w.read(t, feed(t, w.came(7, noon)))
	if diff := cmp.Diff([]int{0, 0, 2}, w.fired(t, deleted, off, on)); diff != "" {
		t.Error(diff)
	}
}

// TestSubscriptions follows what an agent's actions subscribe to through their changes, where publishers look
// it up.
func TestSubscriptions(t *testing.T) {
	w := newFixture(t)
	agents := &agent.Store{Table: w.Table, Now: time.Now, IDs: w.hooks.IDs}
	check := func(name string, want event.Subscriptions) {
		t.Helper()
		summary, err := agents.LoadSummary(t.Context(), account, w.agents[0])
		if err != nil {
			t.Fatal(err)
		}
		marks, err := agent.ReadMarks(t.Context(), w.Table, account, agent.MarkPrefix)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]event.Subscriptions{want, want},
			[]event.Subscriptions{summary.Subscriptions, marks.Subscriptions(w.agents[0])}); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	set := func(all ...event.Trigger) event.Subscriptions {
		s := event.Subscriptions{}
		for _, t := range all {
			s[t] = true
		}
		return s
	}
	check("at first", nil)
	first := w.action(t, nil)
	check("one", set(event.OnMessageReceived))
	second := w.action(t, func(a *playbook.Action) { a.TriggerOn = event.OnHandoff })
	w.action(t, func(a *playbook.Action) { a.TriggerOn, a.IsActive = event.OnMessageSent, false })
	w.action(t, func(
		a *playbook.Action) {
		a.TriggerOn, a.ActionType = event.OnConversationStarted, playbook.Resolve
	})
	third := w.action(t, nil)
	check("several", set(event.OnMessageReceived, event.OnHandoff, event.OnConversationStarted))
	edit := func(r delivery.Receiver, change func(*playbook.Action)) {
		t.Helper()
		if _, err := w.actions().Update(t.Context(), account, w.agents[0], r.ActionID,
			func(a *playbook.Action) error {
				change(a)
				return nil
			}); err != nil {
			t.Fatal(err)
		}
	}
	edit(first, func(a *playbook.Action) { a.IsActive = false })
	check("one of two switched off",
		set(event.OnMessageReceived, event.OnHandoff, event.OnConversationStarted))
	edit(third, func(a *playbook.Action) { a.Configured = false })
	check("the other not configured", set(event.OnHandoff, event.OnConversationStarted))
	edit(second, func(a *playbook.Action) { a.TriggerOn = event.OnStageChanged })
	check("another trigger", set(event.OnStageChanged, event.OnConversationStarted))
	edit(second, func(a *playbook.Action) { a.Name = "Another name" })
	check("another name", set(event.OnStageChanged, event.OnConversationStarted))
	edit(second, func(a *playbook.Action) { a.ActionType = playbook.Resolve })
	check("another type", set(event.OnStageChanged, event.OnConversationStarted))
	edit(first, func(a *playbook.Action) { a.IsActive = true })
	check("switched on", set(event.OnMessageReceived, event.OnStageChanged, event.OnConversationStarted))
	if err := w.actions().Delete(t.Context(), account, w.agents[0], first.ActionID); err != nil {
		t.Fatal(err)
	}
	check("deleted", set(event.OnStageChanged, event.OnConversationStarted))
}
