package dispatch_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/functions/dispatch"
	"frontdesk/shared/agent"
	"frontdesk/shared/channel/registry"
	"frontdesk/shared/delivery"
	"frontdesk/shared/event"
	"frontdesk/shared/id"
	"frontdesk/shared/queue"
	"frontdesk/shared/secret"
	"frontdesk/shared/table"
	"frontdesk/shared/table/dynamo"
	"frontdesk/shared/webhook"
	"frontdesk/shared/worktest"
)

// An attempts is a queue.Sender that keeps the messages that it is sent, or fails.
type attempts struct {
	messages []delivery.Message
	err      error
}

func (a *attempts) Send(_ context.Context, messages ...queue.Outgoing) error {
	if a.err != nil {
		return a.err
	}
	for _, out := range messages {
		var m delivery.Message
		if err := json.Unmarshal([]byte(out.Body), &m); err != nil {
			return err
		}
		a.messages = append(a.messages, m)
	}
	return nil
}

// letters is a queue.Sender that keeps the bodies that it is sent.
type letters []string

func (l *letters) Send(_ context.Context, messages ...queue.Outgoing) error {
	for _, out := range messages {
		*l = append(*l, out.Body)
	}
	return nil
}

// A fixture is dispatch over a table of its own, with two agents.
type fixture struct {
	dispatch.Service
	sent *attempts
	jobs jobs
	// unreadable are the bodies of the dead letters.
	unreadable letters
	hooks      *webhook.Store
	agents     [2]int64
}

const account = 5

func newFixture(t *testing.T) *fixture {
	t.Helper()
	store := worktest.Table(t, time.Now)
	ids := id.NewSource(time.Now)
	w := &fixture{sent: new(attempts)}
	w.Service = dispatch.Service{
		Table: store, Now: time.Now, IDs: ids, Deliveries: w.sent, Jobs: &w.jobs,
		DeadLetters: &w.unreadable,
		Channels:    registry.New(registry.Addresses{}), Log: slog.New(slog.DiscardHandler),
	}
	w.hooks = &webhook.Store{Table: store, Now: time.Now, IDs: ids,
		Secrets: &secret.Keys{Read: secret.Static(secret.NewKey())}}
	agents := &agent.Store{Table: store, Now: time.Now, IDs: ids}
	for i := range w.agents {
		made, err := agents.Create(t.Context(), account, agent.Agent{}, 10)
		if err != nil {
			t.Fatal(err)
		}
		w.agents[i] = made.ID
	}
	return w
}

// hook registers a webhook of one of the agents.
func (w *fixture) hook(t *testing.T, agent int, active bool, events ...event.Kind) delivery.Receiver {
	t.Helper()
	hook, err := w.hooks.Create(t.Context(), account, webhook.Webhook{
		AgentID: w.agents[agent], URL: "https://example.com/", Active: active, Events: events,
	}, webhook.NewSecret())
	if err != nil {
		t.Fatal(err)
	}
	return delivery.Receiver{AccountID: account, AgentID: w.agents[agent], WebhookID: hook.ID}
}

// happened are changes of the feed that put events into the outbox.
func (w *fixture) happened(t *testing.T, all ...event.Event) []table.Change {
	t.Helper()
	var changes []table.Change
	for i, e := range all {
		e.ID, e.At, e.AccountID = w.hooks.IDs.Next(), time.Now().UTC(), account
		put, err := e.Put()
		if err != nil {
			t.Fatal(err)
		}
		put.Item.Version = 1
		changes = append(changes, table.Change{Position: fmt.Sprint(i), New: &put.Item})
	}
	return changes
}

// read gives changes to dispatch and returns what is to come again, "" for nothing.
func (w *fixture) read(t *testing.T, changes []table.Change) string {
	t.Helper()
	w.sent.messages = nil
	event := dynamo.Event(changes)
	for i := range event.Records {
		event.Records[i].Change.SequenceNumber = changes[i].Position
	}
	response, err := w.Handle(t.Context(), event)
	if err != nil {
		t.Fatal(err)
	}
	if len(response.BatchItemFailures) == 0 {
		return ""
	}
	return response.BatchItemFailures[0].ItemIdentifier
}

// kept are the events of the deliveries to a receiver, in the order in which they happened.
func (w *fixture) kept(t *testing.T, r delivery.Receiver) []string {
	t.Helper()
	page, err := w.Table.Query(t.Context(), delivery.Query(r))
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, item := range slices.Backward(page.Items) {
		d, err := delivery.Read(item)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, d.Event+" "+string(d.Body))
	}
	if n, err := delivery.Count(t.Context(), w.Table, r); err != nil || n != int64(len(all)) {
		t.Errorf("%d deliveries are counted, %d are there, %v", n, len(all), err)
	}
	return all
}

func TestWebhooksAreTold(t *testing.T) {
	w := newFixture(t)
	resolved := w.hook(t, 0, true, event.ConversationResolved)
	both := w.hook(t, 0, true, event.AppointmentCreated, event.ConversationResolved)
	off := w.hook(t, 0, false, event.ConversationResolved)
	deaf := w.hook(t, 0, true, event.MessageReceived, event.ContactCreated)
	other := w.hook(t, 1, true, event.ConversationResolved)
	changes := w.happened(t,
		event.Event{Kind: event.ConversationResolved, AgentID: w.agents[0], ConversationID: 1},
		event.Event{Kind: event.AppointmentCreated, AgentID: w.agents[0], Title: "a, b: <c>"},
		event.Event{Kind: event.ConversationResolved, AgentID: w.agents[1], ConversationID: 2},
		event.Event{Kind: event.ConversationResolved, AgentID: w.agents[0], ConversationID: 3},
	)
	body := func(event string, agent int, data string) string {
		return fmt.Sprintf(`%s {"event": "%s", "agent_id": %d, "data": %s}`, event, event, w.agents[agent], data)
	}
	first := body("conversation.resolved", 0, `{"conversation_id": 1}`)
	second := body("appointment.created", 0, `{"appointment_id": 0, "title": "a, b: <c>", "start_time": "", "contact_phone": ""}`)
	third := body("conversation.resolved", 1, `{"conversation_id": 2}`)
	fourth := body("conversation.resolved", 0, `{"conversation_id": 3}`)
	for _, read := range []struct {
		name     string
		changes  []table.Change
		messages int
	}{{"once", changes, 6}, {"twice", changes, 6}, {"all but the first a third time", changes[1:], 4}} {
		if again := w.read(t, read.changes); again != "" {
			t.Errorf("%s: %s comes again", read.name, again)
		}
		for _, test := range []struct {
			name string
			to   delivery.Receiver
			want []string
		}{
			{
				"one event", resolved, []string{first, fourth}}, {"two events", both,
				[]string{first, second, fourth},
			},
			{
				"switched off", off, nil}, {"not subscribed", deaf, nil}, {"of another agent", other,
				[]string{third},
			},
		} {
			if diff := cmp.Diff(test.want, w.kept(t, test.to)); diff != "" {
				t.Errorf("%s: %s: %s", read.name, test.name, diff)
			}
		}
		if len(w.sent.messages) != read.messages {
			t.Errorf("%s: %d messages, want %d", read.name, len(w.sent.messages), read.messages)
		}
		for _, m := range w.sent.messages {
			if d, err := delivery.Load(t.Context(), w.Table, m.Receiver,
				m.DeliveryID); err != nil || m.Attempt != 1 ||
				d.MessageID != fmt.Sprint("msg_", m.DeliveryID) {
				t.Errorf("%s: %+v leads to %+v, %v", read.name, m, d, err)
			}
		}
	}
}

// TestMessagesAreLost has the queue fail after the deliveries were stored: the events come again, and the
// messages are sent then.
func TestMessagesAreLost(t *testing.T) {
	w := newFixture(t)
	to := w.hook(t, 1, true, event.ConversationResolved)
	changes := w.happened(t,
		event.Event{Kind: event.ConversationResolved, AgentID: w.agents[0], ConversationID: 1},
		event.Event{Kind: event.ConversationResolved, AgentID: w.agents[1], ConversationID: 2},
		event.Event{Kind: event.ConversationResolved, AgentID: w.agents[1], ConversationID: 3},
	)
	w.sent.err = errors.New("out of order")
	if again := w.read(t, changes); again != "1" { // the first that somebody hears of
		t.Errorf("%q comes again", again)
	}
	if n := len(w.kept(t, to)); n != 2 {
		t.Errorf("%d deliveries are there", n)
	}
	w.sent.err = nil
	if again := w.read(t, changes[1:]); again != "" || len(w.sent.messages) != 2 || len(w.kept(t, to)) != 2 {
		t.Errorf("%q comes again, %d messages", again, len(w.sent.messages))
	}
}

// TestRequestedAgain asks for the attempt that a delivery that is sent again begins with.
func TestRequestedAgain(t *testing.T) {
	w := newFixture(t)
	changes := w.happened(t,
		event.Event{Kind: event.DeliveryRequested, AgentID: 7, WebhookID: 8, DeliveryID: 9, Attempt: 4})
	if again := w.read(t, changes); again != "" {
		t.Errorf("%s comes again", again)
	}
	want := []delivery.Message{{Receiver: delivery.Receiver{AccountID: account, AgentID: 7, WebhookID: 8},
		DeliveryID: 9, Attempt: 4}}
	if diff := cmp.Diff(want, w.sent.messages); diff != "" {
		t.Error(diff)
	}
}
