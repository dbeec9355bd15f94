package deliver_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/go-cmp/cmp"

	"frontdesk/functions/deliver"
	"frontdesk/shared/agent"
	"frontdesk/shared/delivery"
	"frontdesk/shared/egress"
	"frontdesk/shared/event"
	"frontdesk/shared/id"
	"frontdesk/shared/playbook"
	"frontdesk/shared/queue"
	"frontdesk/shared/secret"
	"frontdesk/shared/webhook"
	"frontdesk/shared/worktest"
)

// A box is a queue.Sender that keeps what was sent, or fails.
type box struct {
	mu       sync.Mutex
	messages []delivery.Message
	err      error
}

func (b *box) Send(_ context.Context, messages ...queue.Outgoing) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err != nil {
		return b.err
	}
	for _, out := range messages {
		var m delivery.Message
		if err := json.Unmarshal([]byte(out.Body), &m); err != nil {
			return err
		}
		b.messages = append(b.messages, m)
	}
	return nil
}

// attempts are the numbers of the attempts that were asked for.
func (b *box) attempts() []int {
	b.mu.Lock()
	defer b.mu.Unlock()
	var all []int
	for _, m := range b.messages {
		all = append(all, m.Attempt)
	}
	return all
}

// byDelay is a queue that puts each message into a fixture's box of the attempt that waits as long.
type byDelay struct{ *fixture }

func (q byDelay) Send(ctx context.Context, messages ...queue.Outgoing) error {
	for _, m := range messages {
		to := q.first // what is over the budget
		switch m.Delay {
		case delivery.SecondAfter:
			to = q.second
		case delivery.ThirdAfter:
			to = q.third
		}
		if err := to.Send(ctx, m); err != nil {
			return err
		}
	}
	return nil
}

// A fixture is the worker over a table of its own, with a webhook of an agent at a server of this machine.
type fixture struct {
	*deliver.Service
	clock         *worktest.Clock
	hooks         *webhook.Store
	agents        *agent.Store
	account       int64
	agent         int64
	webhook       webhook.Webhook
	second, third *box
	first         *box
	server        *httptest.Server

	mu       sync.Mutex
	requests []*http.Request // as they came, with their bodies
	bodies   []string
}

const hookSecret = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"

// newFixture starts a fixture whose server answers by that handler.
func newFixture(t *testing.T, handler http.HandlerFunc) *fixture {
	t.Helper()
	w := &fixture{
		clock: worktest.NewClock(time.Date(2026, 3, 2, 9, 30, 0, 0, time.UTC)), account: 5,
		first: new(box), second: new(box), third: new(box),
	}
	store := worktest.Table(t, w.clock.Now)
	w.server = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, req *http.Request) {
		body, err := io.ReadAll(req.Body)
		if err != nil {
			return
		}
		w.mu.Lock()
		w.requests, w.bodies = append(w.requests, req), append(w.bodies, string(body))
		w.mu.Unlock()
		handler(rw, req)
	}))
	t.Cleanup(w.server.Close)
	keys, ids := &secret.Keys{Read: secret.Static(secret.NewKey())}, id.NewSource(w.clock.Now)
	w.Service = &deliver.Service{
		Table: store, Now: w.clock.Now, Secrets: keys,
		Web: egress.New(egress.Config{AllowHosts: "127.0.0.1"}),
		Log: slog.New(slog.DiscardHandler), Queue: byDelay{w},
		Timeout: webhook.Timeout,
		Budget:  &delivery.TableBudget{Table: store, Now: w.clock.Now},
	}
	w.agents = &agent.Store{Table: store, Now: w.clock.Now, IDs: ids}
	made, err := w.agents.Create(t.Context(), w.account, agent.Agent{Summary: agent.Summary{Name: "Mia"}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	w.agent = made.ID
	w.hooks = &webhook.Store{Table: store, Now: w.clock.Now, IDs: ids, Secrets: keys}
	w.webhook, err = w.hooks.Create(t.Context(), w.account, webhook.Webhook{
		AgentID: w.agent, URL: w.server.URL + "/hook", Events: []event.Kind{event.ConversationResolved},
		Active: true,
	}, hookSecret)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *fixture) calls() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.requests)
}

func (w *fixture) receiver() delivery.Receiver {
	return delivery.Receiver{AccountID: w.account, AgentID: w.agent, WebhookID: w.webhook.ID}
}

// announce makes a delivery and returns the message for its first attempt.
func (w *fixture) announce(t *testing.T, to delivery.Receiver) delivery.Message {
	t.Helper()
	id := w.hooks.IDs.Next()
	body, err := webhook.Body(event.ConversationResolved, w.agent, json.RawMessage(`{"conversation_id":77}`))
	if err != nil {
		t.Fatal(err)
	}
	d := delivery.New(to, id, "conversation.resolved", fmt.Sprint("msg_", id), body, w.clock.Now())
	if err := delivery.Create(t.Context(), w.Table, []delivery.Delivery{d}); err != nil {
		t.Fatal(err)
	}
	return d.Next()
}

// handle gives messages to the worker and returns how many of them are to come again.
func (w *fixture) handle(t *testing.T, messages ...delivery.Message) int {
	t.Helper()
	var batch events.SQSEvent
	for i, m := range messages {
		body, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		batch.Records = append(batch.Records, events.SQSMessage{MessageId: fmt.Sprint(i), Body: string(body)})
	}
	response, err := w.Handle(t.Context(), batch)
	if err != nil {
		t.Fatal(err)
	}
	return len(response.BatchItemFailures)
}

func (w *fixture) delivery(t *testing.T, m delivery.Message) delivery.Delivery {
	t.Helper()
	d, err := delivery.Load(t.Context(), w.Table, m.Receiver, m.DeliveryID)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// attempt is the message for another attempt of the same delivery.
func attempt(m delivery.Message, n int) delivery.Message {
	m.Attempt = n
	return m
}

func status(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
}

func TestDelivered(t *testing.T) {
	for _, code := range []int{200, 204, 302} {
		w := newFixture(t, func(rw http.ResponseWriter, req *http.Request) {
			rw.Header().Set("Location", "/elsewhere")
			rw.WriteHeader(code)
		})
		m := w.announce(t, w.receiver())
		if again := w.handle(t, m); again != 0 {
			t.Errorf("%d: %d messages come again", code, again)
		}
		d := w.delivery(t, m)
		want := []delivery.Attempt{{At: w.clock.Now(), HTTPStatus: code}}
		if diff := cmp.Diff(want, d.Attempts); diff != "" || d.Status != delivery.Delivered {
			t.Errorf("%d: %s, %s", code, d.Status, diff)
		}
		if w.calls() != 1 || len(w.second.attempts())+len(w.third.attempts()) != 0 {
			t.Errorf("%d: %d calls, further attempts %v %v", code, w.calls(), w.second.attempts(),
				w.third.attempts())
		}
		req := w.requests[0]
		got := map[string]string{}
		for name := range req.Header {
			if name != "Accept-Encoding" && name != "Content-Length" && name != "Connection" {
				got[name] = req.Header.Get(name)
			}
		}
		body := fmt.Sprintf(`{"event": "conversation.resolved", "agent_id": %d, "data": {"conversation_id": 77}}`, w.agent)
		signed := webhook.Live(w.webhook.URL, event.ConversationResolved, w.agent, []byte(body),
			webhook.Signature{
				Secrets: []secret.Plain{hookSecret}, ID: fmt.Sprint("msg_", m.DeliveryID), At: w.clock.Now(),
				Attempt: 1,
			}).Header
		wanted := map[string]string{
			"Content-Type": "application/json", "User-Agent": "Service-Webhook/1.0",
			"X-Service-Event": "conversation.resolved",
			"X-Service-Agent": fmt.Sprint(w.agent), "X-Service-Signature": signed.Get("X-Service-Signature"),
			"Webhook-Id":        fmt.Sprint("msg_", m.DeliveryID),
			"Webhook-Timestamp": fmt.Sprint(w.clock.Now().Unix()),
			"Webhook-Signature": signed.Get("Webhook-Signature"),
		}
		if diff := cmp.Diff(wanted, got); diff != "" || w.bodies[0] != body || req.Method != "POST" ||
			req.URL.Path != "/hook" {
			t.Errorf("%s %s %s\n%s", req.Method, req.URL, w.bodies[0], diff)
		}
	}
}

func TestThreeAttempts(t *testing.T) {
	w := newFixture(t, status(500))
	m := w.announce(t, w.receiver())
	for n := 1; n <= 3; n++ {
		if again := w.handle(t, attempt(m, n)); again != 0 {
			t.Fatalf("attempt %d comes again", n)
		}
		w.clock.Pass(time.Minute)
	}
	d := w.delivery(t, m)
	if d.Status != delivery.Failed || len(d.Attempts) != 3 || d.Attempts[2].HTTPStatus != 500 ||
		w.calls() != 3 {
		t.Errorf("%+v after %d calls", d, w.calls())
	}
	if diff := cmp.Diff([][]int{{2}, {3}}, [][]int{w.second.attempts(), w.third.attempts()}); diff != "" {
		t.Errorf("the queues of the second and third attempts: %s", diff)
	}
	ids := map[string]bool{}
	for _, req := range w.requests {
		ids[req.Header.Get("Webhook-Id")] = true
	}
	if len(ids) != 1 {
		t.Errorf("the attempts have the ids %v", ids)
	}
	// All messages come a second time, in another order.
	for _, n := range []int{3, 1, 2, 4, 0} {
		if again := w.handle(t, attempt(m, n)); again != 0 || w.calls() != 3 {
			t.Errorf("a duplicate of %d: %d come again, %d calls", n, again, w.calls())
		}
	}
	hook, err := w.hooks.Load(t.Context(), w.account, w.agent, w.webhook.ID)
	if err != nil || hook.FailingSince.IsZero() {
		t.Errorf("the webhook fails since %v, %v", hook.FailingSince, err)
	}
}

func TestNoAnswer(t *testing.T) {
	quit := make(chan struct{})
	slow := func(rw http.ResponseWriter, req *http.Request) {
		select {
		case <-req.Context().Done():
		case <-quit:
		}
	}
	dribble := func(rw http.ResponseWriter, req *http.Request) {
		for {
			if _, err := rw.Write([]byte("still there\n")); err != nil {
				return
			}
			rw.(http.Flusher).Flush()
			select {
			case <-req.Context().Done():
				return
			case <-quit:
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	}
	broken := func(rw http.ResponseWriter, _ *http.Request) { panic(http.ErrAbortHandler) }
	for _, test := range []struct {
		name    string
		handler http.HandlerFunc
		want    string
	}{
		{"no answer in time", slow, "The address did not answer in time."},
		{"no end of the answer in time", dribble, "The address did not answer in time."},
		{"the connection breaks off", broken, "The address did not answer as a web server does."},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newFixture(t, test.handler)
			w.Timeout = 200 * time.Millisecond
			m := w.announce(t, w.receiver())
			w.handle(t, m)
			d := w.delivery(t, m)
			if d.Status != delivery.Pending || len(d.Attempts) != 1 || d.Attempts[0].Error != test.want ||
				d.Attempts[0].HTTPStatus != 0 {
				t.Errorf("%+v", d)
			}
			if diff := cmp.Diff([]int{2}, w.second.attempts()); diff != "" {
				t.Error(diff)
			}
		})
	}
	close(quit)
}

// TestNothingListens has a webhook at a port that nobody serves, and one on a private network.
func TestNothingListens(t *testing.T) {
	w := newFixture(t, status(200))
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	listener.Close()
	for address, want := range map[string]string{
		"http://" + listener.Addr().String(): "The address refused the connection or cannot be reached.",
		"https://10.0.0.1/":                  "The address points to a private network.",
		"http://example.com/":                "The address, or one it redirects to, does not use https.",
	} {
		if _, err := w.hooks.Change(t.Context(), w.account, w.agent, w.webhook.ID,
			func(h *webhook.Webhook) error {
				h.URL = address
				return nil
			}); err != nil {
			t.Fatal(err)
		}
		m := w.announce(t, w.receiver())
		w.handle(t, m)
		if d := w.delivery(t, m); len(d.Attempts) != 1 || d.Attempts[0].Error != want {
			t.Errorf("%s: %+v", address, d.Attempts)
		}
	}
}

// TestLongAnswer takes an answer that is longer than what is read of it for one.
func TestLongAnswer(t *testing.T) {
	w := newFixture(t, func(rw http.ResponseWriter,
		req *http.Request) {
		io.WriteString(rw, strings.Repeat("x", 1<<20))
	})
	m := w.announce(t, w.receiver())
	w.handle(t, m)
	if d := w.delivery(t, m); d.Status != delivery.Delivered {
		t.Errorf("%+v", d)
	}
}

// TestPackedAnswer does not mind what an answer says of its body, which is not looked at.
func TestPackedAnswer(t *testing.T) {
	w := newFixture(t, func(rw http.ResponseWriter, req *http.Request) {
		rw.Header().Set("Content-Encoding", "gzip")
		io.WriteString(rw, "not packed at all")
	})
	m := w.announce(t, w.receiver())
	w.handle(t, m)
	if d := w.delivery(t, m); d.Status != delivery.Delivered {
		t.Errorf("%+v", d)
	}
}

// TestSlowReceiver gives the worker a batch of which one receiver does not answer: the others do not wait for
// it.
func TestSlowReceiver(t *testing.T) {
	served := make(chan struct{}, 16)
	release := make(chan struct{})
	w := newFixture(t, func(rw http.ResponseWriter, req *http.Request) {
		if req.URL.Path == "/slow" {
			<-release
			return
		}
		served <- struct{}{}
	})
	slow, err := w.hooks.Create(t.Context(), w.account, webhook.Webhook{
		AgentID: w.agent, URL: w.server.URL + "/slow", Events: []event.Kind{event.ConversationResolved},
		Active: true,
	}, hookSecret)
	if err != nil {
		t.Fatal(err)
	}
	messages := []delivery.Message{w.announce(t,
		delivery.Receiver{AccountID: w.account, AgentID: w.agent, WebhookID: slow.ID})}
	for range 9 {
		messages = append(messages, w.announce(t, w.receiver()))
	}
	go func() {
		for range 9 {
			<-served
		}
		close(release) // only then
	}()
	if again := w.handle(t, messages...); again != 0 {
		t.Errorf("%d come again", again)
	}
	for _, m := range messages {
		if d := w.delivery(t, m); d.Status != delivery.Delivered {
			t.Errorf("%+v", d)
		}
	}
}

// TestDuplicatesAtOnce gives the same message to ten workers at the same time: one makes the attempt, and the
// others keep their messages until it is known how it came out.
func TestDuplicatesAtOnce(t *testing.T) {
	var w *fixture
	arrived, release := make(chan struct{}), make(chan struct{})
	w = newFixture(t, func(http.ResponseWriter, *http.Request) {
		close(arrived)
		<-release
	})
	m := w.announce(t, w.receiver())
	var batch []delivery.Message
	for range 10 {
		batch = append(batch, m)
	}
	go func() {
		<-arrived
		time.Sleep(50 * time.Millisecond)
		close(release)
	}()
	if again := w.handle(t, batch...); again != 9 || w.calls() != 1 {
		t.Errorf("%d come again, %d calls", again, w.calls())
	}
	if again := w.handle(t, batch...); again != 0 || w.calls() != 1 {
		t.Errorf("afterwards %d come again, %d calls", again, w.calls())
	}
}

// TestCutOff kills an attempt after it was claimed: it is made again under the same number once its lease is
// over.
func TestCutOff(t *testing.T) {
	w := newFixture(t, status(500))
	m := w.announce(t, w.receiver())
	w.cutOff(t, m)
	if again := w.handle(t, m); again != 1 || w.calls() != 0 {
		t.Errorf("within the lease: %d come again, %d calls", again, w.calls())
	}
	w.clock.Pass(delivery.Lease)
	if again := w.handle(t, m); again != 0 || w.calls() != 1 {
		t.Errorf("after the lease: %d come again, %d calls", again, w.calls())
	}
	if d := w.delivery(t, m); len(d.Attempts) != 1 || d.Status != delivery.Pending {
		t.Errorf("%+v", d)
	}
}

// TestCutOffAlone kills a process that was the only one to make attempts. The next one need not wait for its
// lease, but respects its own.
func TestCutOffAlone(t *testing.T) {
	w := newFixture(t, status(200))
	m := w.announce(t, w.receiver())
	w.cutOff(t, m)
	w.clock.Pass(time.Millisecond)
	w.AloneSince = w.clock.Now()
	if again := w.handle(t, m); again != 0 || w.calls() != 1 {
		t.Errorf("%d come again, %d calls", again, w.calls())
	}
	m = w.announce(t, w.receiver())
	w.cutOff(t, m)
	if again := w.handle(t, m); again != 1 || w.calls() != 1 {
		t.Errorf("within a lease of its own: %d come again, %d calls", again, w.calls())
	}
}

// cutOff leaves a delivery as a worker does that is killed during an attempt.
func (w *fixture) cutOff(t *testing.T, m delivery.Message) {
	t.Helper()
	d := w.delivery(t, m)
	d.Claim(w.clock.Now())
	put, err := d.Put()
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Table.Transact(t.Context(), put); err != nil {
		t.Fatal(err)
	}
}

// TestLateWorker has a worker come back from an attempt that was taken for cut off and made by another
// meanwhile. What it found out changes nothing any more.
func TestLateWorker(t *testing.T) {
	var w *fixture
	var m delivery.Message
	w = newFixture(t, func(rw http.ResponseWriter, req *http.Request) {
		if w.calls() > 1 {
			return
		}
		w.clock.Pass(delivery.Lease)
		w.handle(t, m) // the second worker, which is answered 200
		rw.WriteHeader(http.StatusInternalServerError)
	})
	m = w.announce(t, w.receiver())
	if again := w.handle(t, m); again != 1 {
		t.Errorf("%d come again", again)
	}
	if d := w.delivery(t, m); d.Status != delivery.Delivered || len(d.Attempts) != 1 {
		t.Errorf("%+v", d)
	}
	if again := w.handle(t, m); again != 0 || w.calls() != 2 || len(w.second.attempts()) != 0 {
		t.Errorf("%d come again, %d calls", again, w.calls())
	}
}

// TestNextMessageIsLost kills the worker after an attempt was stored and before the next one was asked for.
func TestNextMessageIsLost(t *testing.T) {
	w := newFixture(t, status(500))
	m := w.announce(t, w.receiver())
	w.second.err = io.ErrUnexpectedEOF
	if again := w.handle(t, m); again != 1 {
		t.Errorf("%d come again", again)
	}
	w.second.err = nil
	if again := w.handle(t, m); again != 0 || w.calls() != 1 {
		t.Errorf("%d come again, %d calls", again, w.calls())
	}
	if diff := cmp.Diff([]int{2}, w.second.attempts()); diff != "" {
		t.Error(diff)
	}
}

func TestNoFurtherAttempt(t *testing.T) {
	for name, test := range map[string]struct {
		meanwhile func(w *fixture) error
		reason    string // "" where the delivery stays as it is
	}{
		"switched off": {func(w *fixture) error {
			_, err := w.hooks.Change(context.Background(), w.account, w.agent, w.webhook.ID,
				func(h *webhook.Webhook) error {
					h.Active = false
					return nil
				})
			return err
		}, "The webhook is switched off."},
		"deleted": {func(w *fixture) error {
			return w.hooks.Delete(context.Background(), w.account, w.agent, w.webhook.ID)
		}, ""},
		"agent deleted": {func(w *fixture) error {
			return w.agents.Delete(context.Background(), w.account, w.agent)
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := newFixture(t, status(500))
			m := w.announce(t, w.receiver())
			w.handle(t, m)
			if err := test.meanwhile(w); err != nil {
				t.Fatal(err)
			}
			if again := w.handle(t, attempt(m, 2)); again != 0 || w.calls() != 1 {
				t.Errorf("%d come again, %d calls", again, w.calls())
			}
			d := w.delivery(t, m)
			if ended := d.Status == delivery.Failed; ended != (test.reason != "") || d.Reason != test.reason {
				t.Errorf("%+v", d)
			}
		})
	}
}

func TestUnknownDelivery(t *testing.T) {
	w := newFixture(t, status(200))
	m := w.announce(t, w.receiver())
	m.DeliveryID++
	if again := w.handle(t, m); again != 0 || w.calls() != 0 {
		t.Errorf("%d come again, %d calls", again, w.calls())
	}
	response, err := w.Handle(t.Context(), events.SQSEvent{Records: []events.SQSMessage{{MessageId: "1",
		Body: "{"}}})
	if err != nil || len(response.BatchItemFailures) != 1 {
		t.Errorf("a message that is none: %+v, %v", response, err)
	}
}

// TestSwitchedOff lets all deliveries to a webhook fail for five days.
func TestSwitchedOff(t *testing.T) {
	w := newFixture(t, status(503))
	fail := func() {
		m := w.announce(t, w.receiver())
		for n := 1; n <= 3; n++ {
			w.handle(t, attempt(m, n))
		}
	}
	w.clock.Pass(123456 * time.Nanosecond) // the API shows times in whole milliseconds
	fail()
	began := w.clock.Now().Truncate(time.Millisecond)
	w.clock.Pass(5*24*time.Hour - time.Second)
	fail()
	if hook, err := w.hooks.Load(t.Context(), w.account, w.agent, w.webhook.ID); err != nil || !hook.Active ||
		!hook.FailingSince.Equal(began) {
		t.Fatalf("%+v, %v", hook, err)
	}
	w.clock.Pass(time.Second)
	fail()
	hook, err := w.hooks.Load(t.Context(), w.account, w.agent, w.webhook.ID)
	if err != nil || hook.Active || hook.DisabledReason != "Every delivery failed for 5 days." ||
		!hook.DisabledAt.Equal(w.clock.Now().Truncate(time.Millisecond)) {
		t.Errorf("%+v, %v", hook, err)
	}
}

// TestRecovered has a webhook that failed answer again.
func TestRecovered(t *testing.T) {
	code := http.StatusGone
	w := newFixture(t, func(rw http.ResponseWriter, _ *http.Request) { rw.WriteHeader(code) })
	m := w.announce(t, w.receiver())
	for n := 1; n <= 3; n++ {
		w.handle(t, attempt(m, n))
	}
	code = http.StatusOK
	w.handle(t, w.announce(t, w.receiver()))
	if hook, err := w.hooks.Load(t.Context(), w.account, w.agent, w.webhook.ID); err != nil ||
		!hook.FailingSince.IsZero() {
		t.Errorf("%+v, %v", hook, err)
	}
}

// TestRotation has two receivers, of which one knows the new secret and one that before it, each in
// X-Service-Signature alone. Both get the event within two attempts.
func TestRotation(t *testing.T) {
	for _, knows := range []secret.Plain{hookSecret, "the new one"} {
		var w *fixture
		w = newFixture(t, func(rw http.ResponseWriter, req *http.Request) {
			w.mu.Lock()
			body := w.bodies[len(w.bodies)-1]
			w.mu.Unlock()
			call := webhook.Live("", "", 0, []byte(body),
				webhook.Signature{Secrets: []secret.Plain{knows}, At: w.clock.Now()})
			if call.Header.Get(webhook.SignatureHeader) != req.Header.Get(webhook.SignatureHeader) {
				rw.WriteHeader(http.StatusForbidden)
			}
		})
		if _, err := w.hooks.Rotate(t.Context(), w.account, w.agent, w.webhook.ID,
			"the new one"); err != nil {
			t.Fatal(err)
		}
		m := w.announce(t, w.receiver())
		w.handle(t, m)
		w.handle(t, attempt(m, 2))
		if d := w.delivery(t, m); d.Status != delivery.Delivered {
			t.Errorf("%+v", d)
		}
		if n := len(strings.Fields(w.requests[0].Header.Get("Webhook-Signature"))); n != 2 {
			t.Errorf("%d signatures during the overlap", n)
		}
		w.clock.Pass(24 * time.Hour)
		before := w.calls()
		w.handle(t, w.announce(t, w.receiver()))
		if n := len(strings.Fields(w.requests[before].Header.Get("Webhook-Signature"))); n != 1 {
			t.Errorf("%d signatures after the overlap", n)
		}
	}
}

// TestAgain delivers what has failed a second time, with three attempts more and their waits.
func TestAgain(t *testing.T) {
	w := newFixture(t, status(500))
	m := w.announce(t, w.receiver())
	for n := 1; n <= 3; n++ {
		w.handle(t, attempt(m, n))
	}
	d := w.delivery(t, m)
	writes, err := d.Again(w.hooks.IDs, w.clock.Now())
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Table.Transact(t.Context(), writes...); err != nil {
		t.Fatal(err)
	}
	for n := 3; n <= 7; n++ { // the first and the last are none of its
		w.handle(t, attempt(m, n))
	}
	if d = w.delivery(t, m); d.Status != delivery.Failed || len(d.Attempts) != 6 || w.calls() != 6 {
		t.Errorf("%+v after %d calls", d, w.calls())
	}
	if diff := cmp.Diff([][]int{{2, 5}, {3, 6}},
		[][]int{w.second.attempts(), w.third.attempts()}); diff != "" {
		t.Error(diff)
	}
}

// TestAction delivers to the webhook of an action, which signs with bare hexadecimal digits.
func TestAction(t *testing.T) {
	w := newFixture(t, status(200))
	rows := playbook.Store[playbook.Action, *playbook.Action]{Table: w.Table, Now: w.clock.Now,
		IDs: w.hooks.IDs}
	a, err := rows.Create(t.Context(), w.account, w.agent, func(a *playbook.Action) (err error) {
		a.ActionType, a.IsActive, a.Configured = playbook.FireWebhook, true, true
		a.Config.URL = w.server.URL + "/action"
		a.Config.Secret, err = w.Secrets.Seal(t.Context(), a.SecretPlace(w.account), hookSecret)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	to := delivery.Receiver{AccountID: w.account, AgentID: w.agent, ActionID: a.ID}
	m := w.announce(t, to)
	w.handle(t, m)
	if d := w.delivery(t, m); d.Status != delivery.Delivered {
		t.Fatalf("%+v", d)
	}
	want := webhook.Live("", "", 0, []byte(w.bodies[0]),
		webhook.Signature{Secrets: []secret.Plain{hookSecret},
			Bare: true}).Header.Get(webhook.SignatureHeader)
	if got := w.requests[0].Header.Get(webhook.SignatureHeader); got != want || len(got) != 64 {
		t.Errorf("signed %s, want %s", got, want)
	}
	if _, err := rows.Update(t.Context(), w.account, w.agent, a.ID, func(a *playbook.Action) error {
		a.IsActive = false
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	m = w.announce(t, to)
	w.handle(t, m)
	if d := w.delivery(t, m); d.Status != delivery.Failed || w.calls() != 1 {
		t.Errorf("%+v after %d calls", d, w.calls())
	}
}

// TestCount announces deliveries, some of them twice, and counts what is kept as time goes by.
func TestCount(t *testing.T) {
	w := newFixture(t, status(200))
	var all []delivery.Delivery
	for range 120 {
		all = append(all, delivery.New(w.receiver(), w.hooks.IDs.Next(), "conversation.resolved", "msg",
			[]byte("{}"), w.clock.Now()))
	}
	for _, some := range [][]delivery.Delivery{all[:70], all[30:], all} {
		if err := delivery.Create(t.Context(), w.Table, some); err != nil {
			t.Fatal(err)
		}
	}
	count := func() (int64, int) {
		t.Helper()
		n, err := delivery.Count(t.Context(), w.Table, w.receiver())
		if err != nil {
			t.Fatal(err)
		}
		page, err := w.Table.Query(t.Context(), delivery.Query(w.receiver()))
		if err != nil {
			t.Fatal(err)
		}
		return n, len(page.Items)
	}
	if n, listed := count(); n != 120 || listed != 120 {
		t.Errorf("%d are counted, %d listed", n, listed)
	}
	w.clock.Pass(30 * 24 * time.Hour)
	if n, listed := count(); n != 120 || listed != 120 {
		t.Errorf("after 30 days %d are counted, %d listed", n, listed)
	}
	w.clock.Pass(24 * time.Hour)
	if n, listed := count(); n != 0 || listed != 0 {
		t.Errorf("after 31 days %d are counted, %d listed", n, listed)
	}
}

// TestOverBudget gives the worker more messages for a receiver that hangs than the workspace may have under
// way. The others are put off while those hang, and the messages of another receiver are not kept.
func TestOverBudget(t *testing.T) {
	quit := make(chan struct{})
	hung := make(chan struct{}, 100)
	w := newFixture(t, func(_ http.ResponseWriter, req *http.Request) {
		if req.URL.Path == "/hook" {
			hung <- struct{}{}
			<-quit
		}
	})
	fast, err := w.hooks.Create(t.Context(), w.account, webhook.Webhook{
		AgentID: w.agent, URL: w.server.URL + "/fast", Events: []event.Kind{event.ConversationResolved},
		Active: true,
	}, hookSecret)
	if err != nil {
		t.Fatal(err)
	}
	quick := w.receiver()
	quick.WebhookID = fast.ID
	var messages []delivery.Message
	for range 8 {
		messages = append(messages, w.announce(t, w.receiver()))
	}
	done := make(chan int)
	go func() { done <- w.handle(t, messages...) }()
	for range delivery.MaxLanes {
		<-hung
	}
	for range 2 {
		m := w.announce(t, quick)
		if again := w.handle(t, m); again != 0 || w.delivery(t, m).Status != delivery.Delivered {
			t.Errorf("the message of another receiver is kept")
		}
	}
	for len(w.first.attempts()) < len(messages)-delivery.MaxLanes {
		time.Sleep(10 * time.Millisecond) // the test ends by its own time-out
	}
	select {
	case <-done:
		t.Error("nothing hangs")
	default:
	}
	for _, m := range w.first.messages {
		if m.Attempt != 1 || m.Deferrals != 1 || len(w.delivery(t, m).Attempts) != 0 {
			t.Errorf("put off: %+v", m)
		}
	}
	close(quit)
	if again := <-done; again != 0 {
		t.Errorf("%d messages come again", again)
	}
	w.handle(t, w.first.messages...)
	for _, m := range messages {
		if d := w.delivery(t, m); d.Status != delivery.Delivered || len(d.Attempts) != 1 {
			t.Errorf("%+v", d)
		}
	}
}

// TestMinuteOver expects messages of a workspace that has begun as many attempts in a minute as its plan
// allows to be put off, the longer the more often.
func TestMinuteOver(t *testing.T) {
	w := newFixture(t, status(200))
	full := delivery.Limits{AtOnce: 10, PerReceiver: 10, PerMinute: 600} // as the cheapest plan
	for range 120 {
		loan, err := w.Budget.Take(t.Context(), w.receiver(), full, 5)
		if err != nil {
			t.Fatal(err)
		}
		for range loan.Lanes {
			w.Budget.Return(t.Context(), loan)
		}
	}
	m := w.announce(t, w.receiver())
	for n := 1; n <= 3; n++ {
		if again := w.handle(t, m); again != 0 || len(w.first.messages) != n {
			t.Fatalf("%d messages come again, %d were put off", again, len(w.first.messages))
		}
		if m = w.first.messages[n-1]; m.Deferrals != n {
			t.Errorf("put off %d times, want %d", m.Deferrals, n)
		}
	}
	w.clock.Pass(time.Minute)
	w.handle(t, m)
	if d := w.delivery(t, m); d.Status != delivery.Delivered {
		t.Errorf("%+v", d)
	}
}
