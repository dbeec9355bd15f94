package outbound_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/go-cmp/cmp"

	"frontdesk/functions/jobs"
	"frontdesk/functions/jobs/outbound"
	"frontdesk/infra/platforms"
	"frontdesk/shared/agent"
	"frontdesk/shared/channel"
	"frontdesk/shared/channel/registry"
	"frontdesk/shared/contact"
	"frontdesk/shared/conversation"
	"frontdesk/shared/event"
	"frontdesk/shared/id"
	"frontdesk/shared/message"
	"frontdesk/shared/playbook"
	"frontdesk/shared/queue"
	queuedb "frontdesk/shared/queue/sqlite"
	"frontdesk/shared/secret"
	"frontdesk/shared/table"
	"frontdesk/shared/table/sqlite"
	"frontdesk/shared/worktest"
)

const (
	account = 7
	ada     = "+14155550123"
	token   = "EAAG0bXk-token"
)

// A desk is an agent that is connected to WhatsApp and has a contact, with the worker behind its queue.
type desk struct {
	table   *sqlite.Table
	queue   *queuedb.Queue
	graph   *platforms.Graph
	sender  *message.Sender
	worker  *jobs.Service
	log     *bytes.Buffer
	agent   int64
	contact int64
	read    string // how far the feed was read
	clock   *worktest.Clock
}

func open(t *testing.T) *desk {
	t.Helper()
	d := &desk{graph: platforms.NewGraph(t), log: new(bytes.Buffer),
		clock: worktest.NewClock(time.Date(2026, time.March, 2, 10, 0, 0, 0, time.UTC))}
	d.table = worktest.Table(t, d.clock.Now)
	d.queue = worktest.Queue(t, d.clock.Now, queuedb.Config{Name: "JobsQueue", Visibility: 6 * time.Minute})
	keys, ids := &secret.Keys{Read: secret.Static(secret.NewKey())}, id.NewSource(d.clock.Now)
	log := slog.New(slog.NewJSONHandler(d.log, nil))
	d.sender = &message.Sender{
		Store: message.Store{Table: d.table, Now: d.clock.Now, IDs: ids,
			Channels: registry.New(registry.Addresses{Graph: d.graph.URL, InstagramGraph: d.graph.URL})},
		Secrets: keys, Log: log,
	}
	d.worker = &jobs.Service{
		Outbound: &outbound.Service{Sender: d.sender, Queue: d.queue}, Log: log,
	}

	made, err := (&agent.Store{Table: d.table, Now: d.clock.Now, IDs: ids}).Create(t.Context(), account,
		agent.Agent{Summary: agent.Summary{Name: "Mia"}}, 10)
	if err != nil {
		t.Fatal(err)
	}
	d.agent = made.ID
	_, _, err = (&channel.Store{Table: d.table, Now: d.clock.Now, Secrets: keys,
		Channels: registry.New(registry.Addresses{})}).Connect(t.Context(), account, d.agent,
		channel.WhatsApp, channel.Change{
			channel.PhoneNumberID: "106540352242922", channel.AccessToken: token,
		})
	if err != nil {
		t.Fatal(err)
	}
	c := contact.New(0, d.agent, d.clock.Now())
	c.Phone = ada
	c, _, err = d.contacts().Upsert(t.Context(), account, c)
	if err != nil {
		t.Fatal(err)
	}
	d.contact = c.ID
	return d
}

func (d *desk) contacts() *contact.Store {
	return &contact.Store{Table: d.table, Now: d.clock.Now, IDs: d.sender.IDs}
}

// send sends a message as the API does.
func (d *desk) send(t *testing.T) conversation.Message {
	t.Helper()
	sent, err := d.sender.Send(t.Context(), account, message.Request{Channel: conversation.WhatsApp,
		AgentID: d.agent, To: ada,
		Template: &conversation.TemplateRef{Name: "order_ready", Language: "en_US"}, Retry: time.Hour,
	})
	if err != nil {
		t.Fatal(err)
	}
	return sent.Message
}

// dispatch puts what the outbox has of messages on the queue, each so many times.
func (d *desk) dispatch(t *testing.T, times int) {
	t.Helper()
	changes, err := d.table.Changes(t.Context(), d.read, 1000)
	if err != nil {
		t.Fatal(err)
	}
	for _, change := range changes {
		d.read = change.Position
		if change.New == nil || change.Old != nil || !strings.HasPrefix(change.New.PK, event.KeyPrefix) {
			continue
		}
		e, err := event.Read(*change.New)
		if err != nil {
			t.Fatal(err)
		}
		if e.Kind != event.MessageQueued {
			continue
		}
		body, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		for range times {
			if err := d.queue.Send(t.Context(),
				queue.Outgoing{Body: string(body), Delay: conversation.FirstRetry}); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// work has the worker take what the queue has at this moment, in one batch for each of two workers, and
// returns how many messages that were. Those that failed come again.
func (d *desk) work(t *testing.T) int {
	t.Helper()
	found, err := d.queue.Receive(t.Context(), 10, 6*time.Minute, 0)
	if err != nil {
		t.Fatal(err)
	}
	var workers sync.WaitGroup
	for i := range 2 {
		var batch events.SQSEvent
		receipts := map[string]string{}
		for j, m := range found {
			if j%2 == i {
				batch.Records = append(batch.Records, events.SQSMessage{MessageId: m.ID, Body: m.Body})
				receipts[m.ID] = m.Receipt
			}
		}
		workers.Go(func() {
			response, err := d.worker.Handle(t.Context(), batch)
			if err != nil {
				t.Error(err)
			}
			for _, failed := range response.BatchItemFailures {
				delete(receipts, failed.ItemIdentifier)
			}
			for _, receipt := range receipts {
				if err := d.queue.Delete(t.Context(), receipt); err != nil {
					t.Error(err)
				}
			}
		})
	}
	workers.Wait()
	return len(found)
}

// watch lets time go by and returns when calls came, and when the message got another status, since begin.
func (d *desk) watch(t *testing.T, m conversation.Message, begin time.Time, during time.Duration) []string {
	t.Helper()
	var seen []string
	status := m.Status
	for end := d.clock.Now().Add(during); d.clock.Now().Before(end); d.clock.Pass(30 * time.Second) {
		d.work(t)
		at := d.clock.Now().Sub(begin).String()
		for range d.graph.Calls() {
			seen = append(seen, at)
		}
		if now := d.message(t, m).Status; now != status {
			seen = append(seen, at+" "+string(now))
			status = now
		}
	}
	return seen
}

func (d *desk) message(t *testing.T, m conversation.Message) conversation.Message {
	t.Helper()
	item, err := d.table.Get(t.Context(), conversation.MessageKey(account, m.ConversationID, m.ID))
	if err != nil {
		t.Fatal(err)
	}
	m, err = conversation.ReadMessage(item)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func repeat(a platforms.GraphAnswer, n int) []platforms.GraphAnswer {
	var all []platforms.GraphAnswer
	for range n {
		all = append(all, a)
	}
	return all
}

func TestOutbound(t *testing.T) {
	for _, test := range []struct {
		name    string
		answers []platforms.GraphAnswer // to the request, and to the attempts after it
		during  func(*testing.T, *desk, conversation.Message)
		want    []string // when calls came, the request's aside, and when the status changed
	}{
		{name: "accepted", want: nil},
		{name: "rejected", answers: []platforms.GraphAnswer{platforms.NoTemplate}},
		{
			name: "accepted at the first retry", answers: repeat(platforms.RateLimited, 1),
			want: []string{"30s", "30s sent"},
		},
		{
			name:    "accepted at the third retry",
			answers: []platforms.GraphAnswer{platforms.Broken, platforms.Throttled, platforms.Overloaded},
			want:    []string{"30s", "1m30s", "3m30s", "3m30s sent"},
		},
		{
			name: "rejected at a retry",
			answers: []platforms.GraphAnswer{platforms.Overloaded, platforms.Overloaded,
				platforms.TokenExpired},
			want: []string{"30s", "1m30s", "1m30s failed"},
		},
		{
			name: "out of order for an hour", answers: repeat(platforms.Overloaded, 100),
			want: []string{"30s", "1m30s", "3m30s", "7m30s", "15m30s", "30m30s", "45m30s", "1h0m0s failed"},
		},
		{
			name: "opted out meanwhile", answers: repeat(platforms.Overloaded, 100),
			during: func(t *testing.T, d *desk, _ conversation.Message) {
				_, err := d.contacts().Change(t.Context(), account, d.contact,
					func(c *contact.Contact) error {
						c.OptedIn = false
						return nil
					})
				if err != nil {
					t.Fatal(err)
				}
			},
			want: []string{"30s failed"},
		},
		{
			name: "the contact is gone", answers: repeat(platforms.Overloaded, 100),
			during: func(t *testing.T, d *desk, _ conversation.Message) {
				if err := d.contacts().Delete(t.Context(), account, d.contact); err != nil {
					t.Fatal(err)
				}
			},
			want: []string{"30s failed"},
		},
		{
			name: "disconnected meanwhile", answers: repeat(platforms.Overloaded, 100),
			during: func(t *testing.T, d *desk, _ conversation.Message) {
				err := d.channels().Disconnect(t.Context(), account, d.agent, channel.WhatsApp)
				if err != nil {
					t.Fatal(err)
				}
			},
			want: []string{"30s failed"},
		},
		{
			name: "the agent is gone", answers: repeat(platforms.Overloaded, 100),
			during: func(t *testing.T, d *desk, _ conversation.Message) {
				agents := &agent.Store{Table: d.table, Now: d.clock.Now, IDs: d.sender.IDs}
				if err := agents.Delete(t.Context(), account, d.agent); err != nil {
					t.Fatal(err)
				}
			},
		},
		{
			name: "nobody worked for an hour", answers: repeat(platforms.Overloaded, 100),
			during: func(_ *testing.T, d *desk, _ conversation.Message) { d.clock.Pass(time.Hour) },
			want:   []string{"1h0m0s failed"},
		},
		{
			// Somebody began an attempt and was never heard of again.
			name: "cut off", answers: repeat(platforms.Overloaded, 1),
			during: func(t *testing.T, d *desk, m conversation.Message) {
				d.clock.Pass(30 * time.Second)
				found, err := d.queue.Receive(t.Context(), 1, 6*time.Minute, 0)
				if err != nil || len(found) != 1 {
					t.Fatalf("%d messages, %v", len(found), err)
				}
				channels := d.sender.Channels
				d.sender.Channels = registry.New(registry.Addresses{Graph: "http://127.0.0.1:1"})
				d.worker.Handle(t.Context(),
					events.SQSEvent{Records: []events.SQSMessage{{Body: found[0].Body}}})
				d.sender.Channels = channels
			},
			want: []string{"1m30s", "1m30s sent"},
		},
	} {
		for _, times := range []int{1, 2} { // the queue may bring what it has more than once
			t.Run(fmt.Sprint(test.name, " ", times), func(t *testing.T) {
				if times > 1 && test.name == "cut off" {
					t.Skip("takes one message from the queue itself")
				}
				d := open(t)
				d.graph.Answer(test.answers...)
				begin := d.clock.Now()
				m := d.send(t)
				d.graph.Calls()
				d.dispatch(t, times)
				if test.during != nil {
					test.during(t, d, m)
				}
				if diff := cmp.Diff(test.want, d.watch(t, m, begin, 70*time.Minute)); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
				if n := d.work(t); n != 0 {
					t.Errorf("%d messages are left on the queue", n)
				}
				if strings.Contains(d.log.String(), token) || strings.Contains(d.log.String(), ada) {
					t.Errorf("%s", d.log)
				}
			})
		}
	}
}

// TestCutOff has the only attempt to send a message be cut off, after which nobody knows whether WhatsApp
// took it, or be refused. What is not known is told.
func TestCutOff(t *testing.T) {
	const twice, once = "may have taken the message twice", "may have taken the message all the same"
	for _, test := range []struct {
		name     string
		underWay bool
		unclear  bool
		left     time.Duration // in which it may be tried again
		answers  []platforms.GraphAnswer
		status   conversation.MessageStatus
		calls    int
		says     string // "" for no word of it
	}{
		{"the legacy send", true, false, 0, nil, conversation.Failed, 0, once},
		{"the legacy send, refused", false, false, 0, nil, conversation.Failed, 0, ""},
		{"the legacy send, without an answer", false, true, 0, nil, conversation.Failed, 0, once},
		{"a send", true, false, time.Hour, nil, conversation.Sent, 1, twice},
		{"a send, refused", false, false, time.Hour, nil, conversation.Sent, 1, ""},
		{"a send, without an answer", false, true, time.Hour, nil, conversation.Sent, 1, twice},
		{
			"a send, rejected then", true, false, time.Hour, []platforms.GraphAnswer{platforms.NoTemplate},
			conversation.Failed, 1, once,
		},
		{
			"a send, put off again", true, false, time.Hour, []platforms.GraphAnswer{platforms.Overloaded},
			conversation.Queued, 1, "",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := open(t)
			m := conversation.Message{
				ID: 1001, ConversationID: 1000, AgentID: d.agent, Direction: conversation.Outbound,
				Type: conversation.Text, Content: "Hi",
				Status: conversation.Queued, CreatedAt: d.clock.Now(),
				Sending: &conversation.Sending{
					Channel: conversation.WhatsApp, To: ada, Attempts: 1, Until: d.clock.Now().Add(test.left),
					InFlight: test.underWay, Unclear: test.unclear,
				},
			}
			talk := conversation.Conversation{ID: 1000, AgentID: d.agent,
				Partner: conversation.Partner{ContactID: d.contact}, Status: conversation.Open,
				Channel: conversation.WhatsApp}
			put, err := talk.AddMessage(account, m)
			if err != nil {
				t.Fatal(err)
			}
			item, err := talk.Item(account, 0)
			if err != nil {
				t.Fatal(err)
			}
			if err := d.table.Transact(t.Context(), put, table.PutIfAbsent(item)); err != nil {
				t.Fatal(err)
			}
			d.graph.Answer(test.answers...)
			d.clock.Pass(conversation.FirstRetry)
			queued := event.Event{Kind: event.MessageQueued, AccountID: account, AgentID: d.agent,
				ConversationID: 1000, MessageID: 1001, Attempt: 1}
			for range 2 {
				if err := d.sender.Retry(t.Context(), d.queue, queued); err != nil {
					t.Fatal(err)
				}
			}
			got, calls := d.message(t, m), len(d.graph.Calls())
			if got.Status != test.status || calls != test.calls || got.Sending.InFlight {
				t.Errorf("after %d calls %+v %+v", calls, got, got.Sending)
			}
			for _, word := range []string{twice, once} {
				if strings.Contains(got.StatusDetail, word) != (word == test.says) {
					t.Errorf("it says %q, want %q", got.StatusDetail, test.says)
				}
			}
			if test.status == conversation.Queued && !got.Sending.Unclear {
				t.Errorf("the attempt that was cut off is forgotten: %+v", got.Sending)
			}
		})
	}
}

// A brokenQueue takes nothing.
type brokenQueue struct{}

func (brokenQueue) Send(context.Context, ...queue.Outgoing) error {
	return errors.New("the queue is gone")
}

// TestFailures has what cannot be done come again, and the rest of its batch done.
func TestFailures(t *testing.T) {
	d := open(t)
	d.graph.Answer(platforms.Overloaded)
	m := d.send(t)
	d.graph.Calls()
	body := func(e event.Event) string {
		text, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	queued := event.Event{
		Kind: event.MessageQueued, AccountID: account, AgentID: d.agent, ConversationID: m.ConversationID,
		MessageID: m.ID, Attempt: 1,
	}
	gone := queued
	gone.MessageID++
	batch := events.SQSEvent{Records: []events.SQSMessage{
		{
			MessageId: "nonsense", Body: "{"}, {MessageId: "other",
			Body: body(event.Event{Kind: event.ConversationOpened}),
		},
		{MessageId: "gone", Body: body(gone)}, {MessageId: "good", Body: body(queued)},
	}}
	failed := func(s *jobs.Service) []string {
		response, err := s.Handle(t.Context(), batch)
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, f := range response.BatchItemFailures {
			ids = append(ids, f.ItemIdentifier)
		}
		return ids
	}
	log := slog.New(slog.DiscardHandler)
	without := &jobs.Service{
		Outbound: &outbound.Service{Sender: d.sender, Queue: brokenQueue{}}, Log: log,
	}
	if diff := cmp.Diff([]string{"nonsense", "other", "good"}, failed(without)); diff != "" {
		t.Error(diff)
	}
	if got := d.message(t, m); got.Sending.Attempts != 1 || len(d.graph.Calls()) != 0 {
		t.Errorf("an attempt was made that nothing would follow: %+v", got)
	}
	if diff := cmp.Diff([]string{"nonsense", "other"}, failed(d.worker)); diff != "" {
		t.Error(diff)
	}
	if got := d.message(t, m); got.Status != conversation.Sent || len(d.graph.Calls()) != 1 {
		t.Errorf("%+v", got)
	}
}

// TestActionsHear has an action wait for messages that are sent. It hears of one when the platform has
// accepted it, once, and of none that it rejects.
func TestActionsHear(t *testing.T) {
	for _, test := range []struct {
		name    string
		answers []platforms.GraphAnswer
		want    []int // how often it was told after the request, and after the retry that comes twice
	}{
		{"accepted", nil, []int{1, 1}},
		{"accepted at a retry", []platforms.GraphAnswer{platforms.Overloaded}, []int{0, 1}},
		{"rejected", []platforms.GraphAnswer{platforms.NoTemplate}, []int{0, 0}},
		{
			"rejected at a retry", []platforms.GraphAnswer{platforms.Overloaded, platforms.NoTemplate},
			[]int{0, 0},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := open(t)
			actions := playbook.Store[playbook.Action, *playbook.Action]{Table: d.table, Now: d.clock.Now,
				IDs: d.sender.IDs}
			if _, err := actions.Create(t.Context(), account, d.agent, func(a *playbook.Action) error {
				a.ActionType, a.TriggerOn = playbook.FireWebhook, event.OnMessageSent
				a.IsActive, a.Configured = true, true
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			d.graph.Answer(test.answers...)
			told := func() int {
				t.Helper()
				changes, err := d.table.Changes(t.Context(), "", 1000)
				if err != nil {
					t.Fatal(err)
				}
				n := 0
				for _, change := range changes {
					if change.New == nil || !strings.HasPrefix(change.New.PK, event.KeyPrefix) {
						continue
					}
					if e, err := event.Read(*change.New); err != nil {
						t.Fatal(err)
					} else if len(e.Triggers) > 0 {
						n++
					}
				}
				return n
			}
			d.send(t)
			got := []int{told()}
			d.dispatch(t, 2)
			d.clock.Pass(conversation.FirstRetry)
			d.work(t)
			if diff := cmp.Diff(test.want, append(got, told())); diff != "" {
				t.Error(diff)
			}
		})
	}
}
