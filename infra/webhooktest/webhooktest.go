// Package webhooktest is the suite of tests that holds a running product to what webhooks are promised: from
// the request that makes an event true to receivers that take it, refuse it or do not answer, and into the
// list of deliveries. It needs an address, a key and the queues, and so is the same for every stack that the
// product runs on.
package webhooktest

import (
	"encoding/json"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"frontdesk/shared/api/apitest"
	"frontdesk/shared/delivery"
	"frontdesk/shared/queue"
)

// A Stack is a running product.
type Stack struct {
	Client *apitest.Client // of a workspace, whose Account is set
	// Deliveries is the queue of the attempts, for messages that come twice.
	Deliveries queue.Sender
}

// A hook is a webhook as the suite knows it.
type hook struct {
	id     int64
	path   string // in the API
	secret string
}

// A logged delivery is one of the list of deliveries.
type logged struct {
	ID       int64
	Status   string
	Error    string
	Attempts []struct {
		Time       time.Time
		HTTPStatus int    `json:"http_status"`
		Error      string `json:"error"`
		DurationMS int64  `json:"duration_ms"`
	}
}

// What the list says of attempts without an answer.
const (
	notInTime   = "The address did not answer in time."
	noServer    = "The address did not answer as a web server does."
	unreachable = "The address refused the connection or cannot be reached."
	private     = "The address points to a private network."
)

// late is how much later than they should things may happen on a busy machine.
const late = 1500 * time.Millisecond

// Run resolves a conversation of an agent with many webhooks, and follows the event to all of them. It takes
// some 45 seconds: three attempts of ten seconds each, with the waits between them.
func Run(t *testing.T, s Stack) {
	c, r := s.Client, newReceiver(t)
	agent := c.Want(t, 201, "POST", "/agents/", map[string]any{"name": "Ada"}).Number("id")
	c.Want(t, 200, "POST", "/agents/"+agent+"/activate/", nil)
	hooks := map[string]hook{}
	register := func(at, url string, changes map[string]any) {
		body := map[string]any{"url": url, "events": []string{"conversation.resolved"}}
		for field, value := range changes {
			body[field] = value
		}
		made := c.Want(t, 201, "POST", "/agents/"+agent+"/webhooks/", body)
		h := hook{path: "/agents/" + agent + "/webhooks/" + made.Number("id") + "/",
			secret: made.Text("secret")}
		fmt.Sscan(made.Number("id"), &h.id)
		hooks[at] = h
	}
	for _, at := range []string{
		takes, takesLong, redirects, nowhere, switches, refuses, refusesOnce, switchedOff, deletedLater,
		silent, endless, breaksOff, knowsOld, deleted,
	} {
		register(at, r.URL+at, nil)
	}
	register(off, r.URL+off, map[string]any{"active": false})
	register(unsubscribed, r.URL+unsubscribed, map[string]any{"events": []string{
		"message.sent", "appointment.created", "appointment.updated", "message.received",
		"conversation.opened", "contact.created",
	}})
	register("nobody", "http://"+unused(t)+"/", nil)
	register("private", "https://10.0.0.1/", nil)
	r.mu.Lock()
	r.secret = hooks[knowsOld].secret
	r.mu.Unlock()
	c.Want(t, 200, "POST", hooks[knowsOld].path+"rotate-secret/", nil)
	c.Want(t, 204, "DELETE", hooks[deleted].path, nil)

	conversation := c.Want(t, 200, "POST", "/agents/"+agent+"/chat/",
		map[string]any{"message": "Hello"}).Number("conversation_id")
	c.Want(t, 200, "POST", "/conversations/"+conversation+"/resolve/", nil)
	resolved := time.Now()
	body := fmt.Sprintf(`{"event": "conversation.resolved", "agent_id": %s, "data": {"conversation_id": %s}}`,
		agent, conversation)

	// Those who do not answer hold up nobody, and nobody whom a batch of the queue brought along with them.
	for _, at := range []string{takes, takesLong, redirects, nowhere, switches, refusesOnce, knowsOld} {
		got := r.await(t, at, 1, 10*time.Second)[0]
		if after := got.at.Sub(resolved); after > 5*time.Second {
			t.Errorf("%s had to wait for %v", at, after)
		}
		if got.body != body || got.header.Get("X-Service-Event") != "conversation.resolved" ||
			got.header.Get("X-Service-Agent") != agent ||
			got.header.Get("X-Service-Delivery") != "" ||
			got.header.Get("Content-Type") != "application/json" {
			t.Errorf("%s got %s\nwith %v", at, got.body, got.header)
		}
		signatures := 1
		if at == knowsOld {
			signatures = 2
		} else if !got.signed(hooks[at].secret) {
			t.Errorf("%s got the signature %s", at, got.header.Get("X-Service-Signature"))
		}
		if n := len(strings.Fields(got.header.Get("Webhook-Signature"))); n != signatures {
			t.Errorf("%s got %d signatures of Standard Webhooks, want %d", at, n, signatures)
		}
	}
	// Changes between the first and the second attempt.
	r.await(t, switchedOff, 1, 5*time.Second)
	c.Want(t, 200, "PATCH", hooks[switchedOff].path, map[string]any{"active": false})
	r.await(t, deletedLater, 1, 5*time.Second)
	c.Want(t, 204, "DELETE", hooks[deletedLater].path, nil)
	// Messages that come twice: at the time of the attempts that they ask for, and later.
	event := r.await(t, silent, 1, 5*time.Second)[0].header.Get("Webhook-Id")
	twice := func(at string, attempt int) {
		m := delivery.Message{Receiver: delivery.Receiver{AccountID: c.Account, WebhookID: hooks[at].id},
			Attempt: attempt}
		fmt.Sscan(agent, &m.AgentID)
		fmt.Sscan(strings.TrimPrefix(event, "msg_"), &m.DeliveryID)
		text, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Deliveries.Send(t.Context(), queue.Outgoing{Body: string(text)}); err != nil {
			t.Fatal(err)
		}
	}
	twice(silent, 1)
	twice(takes, 1)
	r.await(t, refuses, 3, 20*time.Second)
	for attempt := 1; attempt <= delivery.Attempts; attempt++ {
		twice(refuses, attempt)
		twice(refusesOnce, attempt)
	}
	r.await(t, silent, 3, 50*time.Second)
	r.await(t, endless, 3, 5*time.Second)
	time.Sleep(webhookTimeout + 6*time.Second) // a further attempt would have come

	for _, test := range []struct {
		at       string
		requests int
		status   string
		attempts int
		answered int    // by the last attempt
		failure  string // of all attempts
		reason   string // why there was no other
	}{
		{at: takes, requests: 1, status: "delivered", attempts: 1, answered: 200},
		{at: takesLong, requests: 1, status: "delivered", attempts: 1, answered: 200},
		{at: redirects, requests: 1, status: "delivered", attempts: 1, answered: 302},
		{at: nowhere, requests: 1, status: "delivered", attempts: 1, answered: 302},
		{at: switches, requests: 1, status: "delivered", attempts: 1, answered: 101},
		{at: refusesOnce, requests: 2, status: "delivered", attempts: 2, answered: 200},
		{at: knowsOld, requests: 2, status: "delivered", attempts: 2, answered: 200},
		{at: refuses, requests: 3, status: "failed", attempts: 3, answered: 500},
		{at: silent, requests: 3, status: "failed", attempts: 3, failure: notInTime},
		{at: endless, requests: 3, status: "failed", attempts: 3, failure: notInTime},
		{at: breaksOff, requests: 3, status: "failed", attempts: 3, failure: noServer},
		{at: "nobody", status: "failed", attempts: 3, failure: unreachable},
		{at: "private", status: "failed", attempts: 3, failure: private},
		{at: switchedOff, requests: 1, status: "failed", attempts: 1, answered: 500,
			reason: "The webhook is switched off."},
		{at: deletedLater, requests: 1},
		{at: elsewhere}, {at: off}, {at: unsubscribed}, {at: deleted},
	} {
		requests := r.at(test.at)
		if len(requests) != test.requests {
			t.Errorf("%s got %d requests, want %d", test.at, len(requests), test.requests)
		}
		for _, req := range requests {
			if id := req.header.Get("Webhook-Id"); req.body != body || id != event {
				t.Errorf("%s got %s as %s, and others got %s as %s", test.at, req.body, id, body, event)
			}
		}
		h, ok := hooks[test.at]
		if !ok || test.at == deleted || test.at == deletedLater {
			continue
		}
		var list struct{ Results []logged }
		c.Want(t, 200, "GET", h.path+"deliveries/", nil).Into(t, &list)
		if test.status == "" {
			if len(list.Results) != 0 {
				t.Errorf("%s has the deliveries %+v", test.at, list.Results)
			}
			continue
		}
		if len(list.Results) != 1 {
			t.Errorf("%s has the deliveries %+v", test.at, list.Results)
			continue
		}
		d := list.Results[0]
		if d.Status != test.status || len(d.Attempts) != test.attempts || d.Error != test.reason {
			t.Errorf("%s has the delivery %+v", test.at, d)
			continue
		}
		for i, a := range d.Attempts {
			if i == len(d.Attempts)-1 && a.HTTPStatus != test.answered || a.Error != test.failure {
				t.Errorf("%s: attempt %d was %+v", test.at, i+1, a)
			}
			took := time.Duration(a.DurationMS) * time.Millisecond
			if timed := test.failure == notInTime; timed &&
				(took < webhookTimeout || took > webhookTimeout+late) {
				t.Errorf("%s: attempt %d was given up after %v, want %v", test.at, i+1, took, webhookTimeout)
			}
			if i+1 == len(requests) || test.requests == 0 {
				continue
			}
			// From when the service gave the attempt up to when the receiver got the next one.
			wait := requests[i+1].at.Sub(a.Time.Add(took))
			if want := waits[i]; wait < want || wait > want+late {
				t.Errorf("%s: %v between attempts %d and %d, want %v", test.at, wait, i+1, i+2, want)
			}
		}
	}

	// Once more what failed, from the list.
	var list struct{ Results []logged }
	c.Want(t, 200, "GET", hooks[refuses].path+"deliveries/", nil).Into(t, &list)
	again := c.Want(t, 200, "POST", fmt.Sprintf("%sdeliveries/%d/redeliver/", hooks[refuses].path,
		list.Results[0].ID), nil)
	if again.Text("status") != "pending" {
		t.Errorf("%s", again.Body)
	}
	for _, req := range r.await(t, refuses, 6, 20*time.Second)[3:] {
		if req.body != body || req.header.Get("Webhook-Id") != event {
			t.Errorf("sent again: %s as %s", req.body, req.header.Get("Webhook-Id"))
		}
	}
}

// webhookTimeout is how long a receiver may take, and waits are how long the second and the third attempt
// wait, as the API's reference has them.
const webhookTimeout = 10 * time.Second

var waits = [...]time.Duration{2 * time.Second, 4 * time.Second}

// unused is an address of this machine that nobody listens on.
func unused(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}
