package dispatch_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"frontdesk/shared/agent"
	"frontdesk/shared/contact"
	"frontdesk/shared/conversation"
	"frontdesk/shared/counter"
	"frontdesk/shared/delivery"
	"frontdesk/shared/event"
	"frontdesk/shared/message"
	"frontdesk/shared/playbook"
	"frontdesk/shared/queue"
	"frontdesk/shared/table"
	"frontdesk/shared/table/dynamo"
)

// A jobs is a queue.Sender that keeps the events that it is sent, with their delays.
type jobs struct {
	events []event.Event
	delays []time.Duration
}

func (o *jobs) Send(_ context.Context, messages ...queue.Outgoing) error {
	for _, out := range messages {
		var e event.Event
		if err := json.Unmarshal([]byte(out.Body), &e); err != nil {
			return err
		}
		o.events, o.delays = append(o.events, e), append(o.delays, out.Delay)
	}
	return nil
}

// A talk is a conversation with a contact of the first agent.
type talk struct{ contact, conversation int64 }

// talk begins one on a channel.
func (w *fixture) talk(t *testing.T, on conversation.Channel, edit func(*contact.Contact)) talk {
	t.Helper()
	with := contact.New(w.IDs.Next(), w.agents[0], time.Now().UTC())
	with.Phone = "+14155550123"
	if edit != nil {
		edit(&with)
	}
	begun := conversation.New(w.IDs.Next(), w.agents[0], on, with.Partner())
	begun.Frame.Said.Hear("Do you repair bikes?", true)
	identity := conversation.Address{ContactID: with.ID, ConversationID: begun.ID,
		LastInboundAt: time.Now().UTC()}
	if on == conversation.WhatsApp {
		begun.Address = with.Phone
	}
	with.Join(begun.ID)
	first, err := with.Item(account, 0)
	if err != nil {
		t.Fatal(err)
	}
	second, err := begun.Item(account, 0)
	if err != nil {
		t.Fatal(err)
	}
	third, err := identity.Item(conversation.AddressKey(account, w.agents[0], "whatsapp", with.Phone), 0)
	if err != nil {
		t.Fatal(err)
	}
	counts := counter.Add(account, w.agents[0], 0, contact.Recount(nil, &with),
		conversation.Recount(nil, &begun))
	writes := append(counts, table.Put(first), table.Put(second), table.Put(third))
	if err := w.Table.Transact(t.Context(), writes...); err != nil {
		t.Fatal(err)
	}
	return talk{with.ID, begun.ID}
}

// wrote is the news of a message in a talk.
func (w *fixture) wrote(in talk, at time.Time) event.Event {
	e := w.came(in.contact, at)
	e.ConversationID = in.conversation
	return e
}

// carried makes a talk one whose messages the caller of the API carries, with one of the contact's so long
// ago.
func (w *fixture) carried(t *testing.T, in talk, ago time.Duration) {
	t.Helper()
	store := message.Store{Table: w.Table, Now: time.Now, IDs: w.IDs}
	if _, err := store.Change(t.Context(), account, in.conversation, func(u *message.Unit) error {
		u.Conversation.Address = ""
		put, err := u.Conversation.AddMessage(account, conversation.Message{
			ID: w.IDs.Next(), ConversationID: u.Conversation.ID, Direction: conversation.Inbound,
			Type: conversation.Text, Content: "Hello",
			Status: conversation.Received, CreatedAt: time.Now().UTC().Add(-ago),
		})
		u.Add(put)
		return err
	}); err != nil {
		t.Fatal(err)
	}
}

// stored is what a talk has come to.
func (w *fixture) stored(t *testing.T, in talk) (contact.Contact, conversation.Conversation,
	[]conversation.Message) {
	t.Helper()
	item, err := w.Table.Get(t.Context(), contact.Key(account, in.contact))
	if err != nil {
		t.Fatal(err)
	}
	with, err := contact.Read(item)
	if err != nil {
		t.Fatal(err)
	}
	if item, err = w.Table.Get(t.Context(), conversation.Key(account, in.conversation)); err != nil {
		t.Fatal(err)
	}
	c, err := conversation.Read(item)
	if err != nil {
		t.Fatal(err)
	}
	page, err := conversation.Messages{Table: w.Table}.Query(t.Context(),
		conversation.All(account, in.conversation))
	if err != nil {
		t.Fatal(err)
	}
	var said []conversation.Message
	for _, item := range page.Items {
		m, err := conversation.ReadMessage(item)
		if err != nil {
			t.Fatal(err)
		}
		said = append(said, m)
	}
	return with, c, said
}

// does makes an action of the first agent.
func (w *fixture) does(t *testing.T, kind playbook.ActionType, on event.Trigger,
	config playbook.ActionConfig, edit ...func(*playbook.Action)) {
	t.Helper()
	w.action(t, func(a *playbook.Action) {
		a.ActionType, a.TriggerOn, a.Config = kind, on, config
		for _, e := range edit {
			e(a)
		}
	})
}

// outboxed are the events that the table's outbox holds of a kind.
func (w *fixture) outboxed(t *testing.T, kind event.Kind) []event.Event {
	t.Helper()
	var all []event.Event
	after := ""
	for {
		changes, err := w.Table.(table.Feed).Changes(t.Context(), after, 100)
		if err != nil {
			t.Fatal(err)
		}
		if len(changes) == 0 {
			return all
		}
		for _, change := range changes {
			after = change.Position
			if change.New == nil || change.Old != nil || !strings.HasPrefix(change.New.PK, event.KeyPrefix) {
				continue
			}
			e, err := event.Read(*change.New)
			if err != nil {
				t.Fatal(err)
			}
			if e.Kind == kind {
				all = append(all, e)
			}
		}
	}
}

// TestEffects has one message set off an action of each type, and its event read twice.
func TestEffects(t *testing.T) {
	w := newFixture(t)
	in := w.talk(t, conversation.WebChat, func(c *contact.Contact) { c.Tags = []string{"new", "vip"} })
	for kind, config := range map[playbook.ActionType]playbook.ActionConfig{
		playbook.AddTag:      {Tag: "asked"},
		playbook.RemoveTag:   {Tag: "new"},
		playbook.SetStage:    {Stage: contact.Customer},
		playbook.SetPriority: {Priority: conversation.Urgent},
		playbook.SendMessage: {Message: "A moment, please."},
		playbook.Handoff:     {},
		playbook.Resolve:     {},
	} {
		w.does(t, kind, event.OnMessageReceived, config)
	}
	// What the others do sets nothing off.
	for _, on := range []event.Trigger{event.OnMessageSent, event.OnHandoff, event.OnConversationResolved,
		event.OnStageChanged} {
		w.does(t, playbook.AddTag, on, playbook.ActionConfig{Tag: "by " + string(on)})
	}
	changes := feed(t, w.wrote(in, time.Now()))
	for range 2 {
		if again := w.read(t, changes); again != "" {
			t.Fatalf("%s comes again", again)
		}
	}
	for _, d := range event.Declarations() {
		for _, e := range w.outboxed(t, d.Kind) {
			if len(e.Triggers) > 0 {
				t.Errorf("actions hear of %+v", e)
			}
		}
	}
	with, talk, said := w.stored(t, in)
	if diff := cmp.Diff([]string{"vip", "asked"}, with.Tags); diff != "" || with.Stage != contact.Customer {
		t.Errorf("%s, stage %s", diff, with.Stage)
	}
	if talk.Status != conversation.Resolved || talk.Priority != conversation.Urgent ||
		talk.TakeoverMode != conversation.ByHuman ||
		talk.HandoffReason != conversation.HandoffAction || talk.LeadScore != with.LeadScore ||
		!strings.Contains(talk.HandoffSummary, "Wants: “Do you repair bikes?”") {
		t.Errorf("%+v", talk)
	}
	want := []conversation.Message{{
		ConversationID: in.conversation, AgentID: w.agents[0], Direction: conversation.Outbound,
		Type:    conversation.Text,
		Content: "A moment, please.", SentByAI: true, Status: conversation.Sent,
	}}
	if diff := cmp.Diff(want, said,
		cmpopts.IgnoreFields(conversation.Message{}, "ID", "CreatedAt")); diff != "" {
		t.Error(diff)
	}
	if resolved := w.outboxed(t,
		event.ConversationResolved); len(resolved) != 1 || resolved[0].ConversationID != in.conversation {
		t.Errorf("published: %+v", resolved)
	}
	days, err := counter.OfDays(t.Context(), w.Table, account, w.agents[0], time.Now(), time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if s := conversation.StatisticsOf(days.Sum()); s.Sent != 1 || s.HandedOff != 1 {
		t.Errorf("%+v", s)
	}
}

// TestEffectsOnce has many read the same events at the same time, of which each adds to what the others find.
func TestEffectsOnce(t *testing.T) {
	w := newFixture(t)
	in := w.talk(t, conversation.WebChat, nil)
	w.does(t, playbook.SendMessage, event.OnMessageReceived, playbook.ActionConfig{Message: "always"})
	w.does(t, playbook.SendMessage, event.OnMessageReceived, playbook.ActionConfig{Message: "thrice"},
		func(a *playbook.Action) { a.MaxPerContact = 3 })
	w.does(t, playbook.SendMessage, event.OnMessageReceived, playbook.ActionConfig{Message: "twice a day"},
		func(a *playbook.Action) { a.MaxPerDay = 2 })
	w.does(t, playbook.SendMessage, event.OnMessageReceived, playbook.ActionConfig{Message: "never"},
		func(a *playbook.Action) {
			a.Conditions = []playbook.Condition{{Field: playbook.OfIntent, Operator: playbook.Equals,
				Value: "booking"}}
		})
	var events []event.Event
	for i := range 5 {
		events = append(events, w.wrote(in, noon.Add(time.Duration(i)*time.Second)))
	}
	changes := feed(t, events...)
	var readers sync.WaitGroup
	for range 4 {
		service := w.Service
		service.Deliveries = new(attempts)
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
	_, _, said := w.stored(t, in)
	got := map[string]int{}
	for _, m := range said {
		got[m.Content]++
	}
	if diff := cmp.Diff(map[string]int{"always": 5, "thrice": 3, "twice a day": 2}, got); diff != "" {
		t.Error(diff)
	}
}

// TestLastEffectCounts has several events of one batch set the stage: they take effect in the order in which
// they happened.
func TestLastEffectCounts(t *testing.T) {
	w := newFixture(t)
	in := w.talk(t, conversation.WebChat, nil)
	on := func(stage contact.Stage, message string) {
		w.does(t, playbook.SetStage, event.OnKeyword, playbook.ActionConfig{Stage: stage},
			func(a *playbook.Action) {
				a.Conditions = []playbook.Condition{{Field: playbook.OfMessage, Operator: playbook.Contains,
					Value: message}}
			})
	}
	on(contact.Churned, "leave")
	on(contact.Customer, "buy")
	say := func(text string) event.Event {
		e := w.wrote(in, noon)
		e.Message = text
		return e
	}
	w.read(t, feed(t, say("I buy"), say("I leave"), say("I buy"), say("I leave")))
	if with, _, _ := w.stored(t, in); with.Stage != contact.Churned {
		t.Errorf("stage %s", with.Stage)
	}
}

// TestMessageOfAction says where a message may be said, and how it leaves.
func TestMessageOfAction(t *testing.T) {
	w := newFixture(t)
	w.does(t, playbook.SendMessage, event.OnMessageReceived, playbook.ActionConfig{Message: "Thank you!"})
	closed := func(in talk) {
		key := conversation.AddressKey(account, w.agents[0], "whatsapp", "+14155550123")
		identity := conversation.Address{ContactID: in.contact, ConversationID: in.conversation,
			LastInboundAt: time.Now().UTC().Add(-25 * time.Hour)}
		item, err := identity.Item(key, 0)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Table.Transact(t.Context(), table.Put(item)); err != nil {
			t.Fatal(err)
		}
	}
	deleted := func(in talk) {
		if err := w.Table.Transact(t.Context(), table.Delete(contact.Key(account, in.contact))); err != nil {
			t.Fatal(err)
		}
	}
	optedOut := func(c *contact.Contact) { c.OptedIn = false }
	for _, test := range []struct {
		name   string
		on     conversation.Channel
		edit   func(*contact.Contact)
		before func(talk)
		want   []conversation.MessageStatus
	}{
		{"web chat", conversation.WebChat, nil, nil, []conversation.MessageStatus{conversation.Sent}},
		{"opted out", conversation.WebChat, optedOut, nil, nil},
		{"deleted contact", conversation.WebChat, nil, deleted, nil},
		{"WhatsApp", conversation.WhatsApp, nil, nil, []conversation.MessageStatus{conversation.Queued}},
		{
			"WhatsApp, carried by somebody else", conversation.WhatsApp, nil,
			func(in talk) { w.carried(t, in, time.Hour) },
			[]conversation.MessageStatus{conversation.Received, conversation.Sent},
		},
		{
			"WhatsApp, carried by somebody else a day ago", conversation.WhatsApp, nil,
			func(in talk) { w.carried(t, in, 25*time.Hour) },
			[]conversation.MessageStatus{conversation.Received},
		},
		{"WhatsApp, opted out", conversation.WhatsApp, optedOut, nil, nil},
		{"WhatsApp, window closed", conversation.WhatsApp, nil, closed, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			in := w.talk(t, test.on, test.edit)
			if test.before != nil {
				test.before(in)
			}
			before := len(w.outboxed(t, event.MessageQueued))
			w.read(t, feed(t, w.wrote(in, time.Now())))
			page, err := conversation.Messages{Table: w.Table}.Query(t.Context(),
				conversation.All(account, in.conversation))
			if err != nil {
				t.Fatal(err)
			}
			var got []conversation.MessageStatus
			for _, item := range page.Items {
				m, err := conversation.ReadMessage(item)
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, m.Status)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
			queued := w.outboxed(t, event.MessageQueued)[before:]
			if want := slices.Contains(test.want, conversation.Queued); want != (len(queued) == 1) {
				t.Fatalf("queued: %+v", queued)
			} else if want {
				w.jobs = jobs{}
				w.read(t, feed(t, queued...))
				if diff := cmp.Diff([]time.Duration{0}, w.jobs.delays); diff != "" {
					t.Error(diff)
				}
			}
		})
	}
	// That of the message that leaves is published once the platform has accepted it.
	if sent := w.outboxed(t, event.MessageSent); len(sent) != 1 || sent[0].ConversationID == 0 {
		t.Errorf("published: %+v", sent)
	}
}

// TestLatestConversation has an appointment that belongs to no conversation, of contacts with and without
// one.
func TestLatestConversation(t *testing.T) {
	w := newFixture(t)
	w.does(t, playbook.SetPriority, event.OnAppointmentCreated,
		playbook.ActionConfig{Priority: conversation.Urgent})
	in := w.talk(t, conversation.WebChat, nil)
	alone := w.talk(t, conversation.WebChat, nil)
	if _, err := (&contact.Store{Table: w.Table, Now: time.Now, IDs: w.IDs}).Change(t.Context(), account,
		alone.contact, func(c *contact.Contact) error {
			c.Conversations = nil
			return nil
		}); err != nil {
		t.Fatal(err)
	}
	for _, id := range []int64{in.contact, alone.contact, 12345} {
		e := w.came(id, time.Now())
		e.Kind, e.ConversationID = event.AppointmentCreated, 0
		e.Triggers = []event.Trigger{event.OnAppointmentCreated}
		if again := w.read(t, feed(t, e)); again != "" {
			t.Fatalf("%s comes again", again)
		}
	}
	if _, talk, _ := w.stored(t, in); talk.Priority != conversation.Urgent {
		t.Errorf("priority %s", talk.Priority)
	}
	if _, talk, _ := w.stored(t, alone); talk.Priority != conversation.Normal {
		t.Errorf("priority %s", talk.Priority)
	}
}

// TestPausedAgentDoesNothing is about effects; TestNobodyRuns about webhooks.
func TestPausedAgentDoesNothing(t *testing.T) {
	w := newFixture(t)
	in := w.talk(t, conversation.WebChat, nil)
	w.does(t, playbook.Resolve, event.OnMessageReceived, playbook.ActionConfig{})
	agents := &agent.Store{Table: w.Table, Now: time.Now, IDs: w.IDs}
	if _, err := agents.UpdateSummary(t.Context(), account, w.agents[0],
		func(s *agent.Summary) ([]table.Write, error) {
			s.Status = agent.Paused
			return nil, nil
		}); err != nil {
		t.Fatal(err)
	}
	w.read(t, feed(t, w.wrote(in, time.Now())))
	if _, talk, _ := w.stored(t, in); talk.Status != conversation.Open {
		t.Errorf("status %s", talk.Status)
	}
}

// TestNotesGoWithTheAction deletes an action that ran.
func TestNotesGoWithTheAction(t *testing.T) {
	w := newFixture(t)
	in := w.talk(t, conversation.WebChat, nil)
	w.does(t, playbook.AddTag, event.OnMessageReceived, playbook.ActionConfig{Tag: "asked"})
	w.read(t, feed(t, w.wrote(in, time.Now())))
	page, err := w.Table.Query(t.Context(), w.actions().Query(account, w.agents[0]))
	if err != nil {
		t.Fatal(err)
	}
	made, err := playbook.Read[playbook.Action](page.Items[0])
	if err != nil {
		t.Fatal(err)
	}
	to := delivery.Receiver{AccountID: account, AgentID: w.agents[0], ActionID: made.ID}
	if notes, err := w.Table.Query(t.Context(),
		table.Query{PK: to.Partition()}); err != nil || len(notes.Items) != 1 {
		t.Fatalf("%d notes, %v", len(notes.Items), err)
	}
	if err := w.actions().Delete(t.Context(), account, w.agents[0], made.ID); err != nil {
		t.Fatal(err)
	}
	if left := w.outboxed(t, event.ActionDeleted); len(left) != 1 || left[0].ActionID != made.ID {
		t.Errorf("to be cleared away: %+v", left)
	}
}

// TestLog has actions run, and one find nothing to change. What the limits keep from running is not logged.
func TestLog(t *testing.T) {
	w := newFixture(t)
	in := w.talk(t, conversation.WebChat, func(c *contact.Contact) { c.Tags = []string{"vip"} })
	tag := func(tag string, limit int) delivery.Receiver {
		return w.action(t, func(a *playbook.Action) {
			a.ActionType, a.TriggerOn, a.Config.Tag = playbook.AddTag, event.OnMessageReceived, tag
			a.MaxPerContact = limit
		})
	}
	tags, again := tag("asked", 1), tag("vip", 0)
	call := w.action(t, func(a *playbook.Action) {
		a.ActionType, a.TriggerOn = playbook.FireWebhook, event.OnMessageReceived
		a.Config.URL = "https://example.com"
	})
	at := time.Now().UTC().Truncate(time.Millisecond)
	first, second := w.wrote(in, at), w.wrote(in, at.Add(time.Second))
	if failed := w.read(t, feed(t, first, second)); failed != "" {
		t.Fatalf("%s comes again", failed)
	}
	for _, test := range []struct {
		of   delivery.Receiver
		want []playbook.Outcome
	}{
		{tags, []playbook.Outcome{playbook.Done}},
		{again, []playbook.Outcome{playbook.Unchanged, playbook.Unchanged}},
		{call, []playbook.Outcome{playbook.Pending, playbook.Pending}},
	} {
		log, err := playbook.Log(t.Context(), w.Table, account, w.agents[0], test.of.ActionID)
		if err != nil || len(log) != len(test.want) {
			t.Errorf("%v: %+v, %v", test.want, log, err)
			continue
		}
		of := []event.Event{second, first}
		for i, ran := range log {
			if len(log) == 1 {
				i = 1
			}
			want := playbook.ActionRun{
				ID: of[i].ID, At: of[i].At, Trigger: event.OnMessageReceived, ContactID: in.contact,
				ConversationID: in.conversation, Outcome: test.want[0],
			}
			if diff := cmp.Diff(want, ran); diff != "" {
				t.Errorf("%v, run %d: %s", test.want, i, diff)
			}
		}
	}
}
