package contract

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"frontdesk/shared/api/apitest"
)

// A call is a request that a receiver got.
type call struct {
	path, body string
	header     http.Header
}

// receive starts a server for webhooks on all addresses of this machine, and returns its port and what it
// gets.
func receive(t *testing.T) (port string, calls chan call) {
	t.Helper()
	calls = make(chan call, 100)
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, err := io.ReadAll(req.Body)
		if err == nil {
			calls <- call{req.URL.Path, string(body), req.Header}
		}
		if req.URL.Path == "/refuse" {
			w.WriteHeader(http.StatusTeapot)
		}
	}))
	server.Listener.Close()
	var err error
	if server.Listener, err = net.Listen("tcp4", "0.0.0.0:0"); err != nil {
		t.Fatal(err)
	}
	server.Start()
	t.Cleanup(server.Close)
	_, port, err = net.SplitHostPort(server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return port, calls
}

func (c call) signed(secret string) bool {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(c.body))
	return c.header.Get("X-Service-Signature") == "sha256="+hex.EncodeToString(mac.Sum(nil))
}

func TestWebhooks(t *testing.T) {
	s := Open(t)
	c := s.Client(t, "pro")
	agent := c.Agent(t, nil)
	body := map[string]any{"url": "https://example.com/hook",
		"events": []string{"message.received", "conversation.opened", "contact.created"}}
	made := c.Want(t, 201, "POST", agent+"webhooks/", body)
	path := agent + "webhooks/" + made.Number("id") + "/"
	if len(made.Text("secret")) != 64 || made.Text("name") != "Webhook "+
		made.Text("created_at")[:len("2026-03-02")] || made.Fields["active"] != true ||
		made.Text("url") != "https://example.com/hook" || "/agents/"+made.Number("agent_id")+"/" != agent {
		t.Errorf("%s", made.Body)
	}
	for _, read := range []string{path, agent + "webhooks/"} {
		if got := c.Want(t, 200, "GET", read, nil); strings.Contains(got.Body, made.Text("secret")) ||
			strings.Contains(got.Body, `"secret"`) {
			t.Errorf("%s shows the secret: %s", read, got.Body)
		}
	}
	for _, test := range []struct {
		field string
		body  any
	}{
		{"url", map[string]any{"events": body["events"]}},
		{"url", map[string]any{"events": body["events"], "url": "http://example.com/hook"}},
		{"url", map[string]any{"events": body["events"], "url": "https//example.com"}},
		{"events", map[string]any{"url": body["url"]}},
		{"events", map[string]any{"url": body["url"], "events": []string{}}},
		{"events", map[string]any{"url": body["url"], "events": []string{"*"}}},
	} {
		c.WantError(t, 400, "validation_error", test.field, "POST", agent+"webhooks/", test.body)
	}
	c.WantError(t, 400, "bad_request", "", "POST", agent+"webhooks/",
		map[string]any{"url": 5, "events": body["events"]})
	changed := c.Want(t, 200, "PATCH", path, map[string]any{"events": []string{"message.sent"},
		"description": "CRM", "active": false})
	if changed.Text("name") != "CRM" || changed.Fields["active"] != false ||
		!strings.Contains(changed.Body, `"events":["message.sent"]`) {
		t.Errorf("%s", changed.Body)
	}
	rotated := c.Want(t, 200, "POST", path+"rotate-secret/", nil)
	if len(rotated.Text("secret")) != 64 || rotated.Text("secret") == made.Text("secret") {
		t.Errorf("%s", rotated.Body)
	}
	c.WantError(t, 400, "validation_error", "event_type", "POST", path+"test/",
		map[string]any{"event_type": "no.such"})
	if empty := c.Want(t, 200, "GET", path+"deliveries/",
		nil); empty.Body != `{"count":0,"next":null,"previous":null,"results":[]}` {
		t.Errorf("%s", empty.Body)
	}
	c.WantError(t, 404, "not_found", "", "POST", path+"deliveries/5/redeliver/", nil)

	other := s.Client(t, "free")
	for p, method := range map[string]string{
		path: "GET", path + "test/": "POST", path + "rotate-secret/": "POST", path + "deliveries/": "GET",
		agent + "webhooks/": "GET",
	} {
		other.WantError(t, 404, "not_found", "", method, p, nil)
	}
	c.Want(t, 204, "DELETE", path, nil)
	c.WantError(t, 404, "not_found", "", "GET", path, nil)
	c.WantError(t, 404, "not_found", "", "DELETE", path, nil)
}

// TestWebhookIsTested sends test events to this machine and to a private network.
func TestWebhookIsTested(t *testing.T) {
	s := Open(t)
	c := s.Client(t, "pro")
	agent := c.Agent(t, nil)
	port, calls := receive(t)
	for _, test := range []struct{ url, want string }{
		{"http://" + s.callback + ":" + port + "/take", `{"delivered":true,"http_status":200}`},
		{"http://" + s.callback + ":" + port + "/refuse",
			`{"delivered":false,"error":"The address answered with HTTP status 418."}`},
		{"https://10.0.0.1/", `{"delivered":false,"error":"The address points to a private network."}`},
		{"https://[::ffff:169.254.169.254]/",
			`{"delivered":false,"error":"The address points to a private network."}`},
	} {
		made := c.Want(t, 201, "POST", agent+"webhooks/",
			map[string]any{"url": test.url, "events": []string{"message.sent"}})
		tested := c.Want(t, 200, "POST", agent+"webhooks/"+made.Number("id")+"/test/",
			map[string]any{"event_type": "appointment.created"})
		if tested.Body != test.want {
			t.Errorf("%s: %s, want %s", test.url, tested.Body, test.want)
		}
		if strings.HasPrefix(test.url, "https://") {
			continue
		}
		got := <-calls
		if !got.signed(made.Text("secret")) || got.header.Get("X-Service-Event") != "appointment.created" ||
			got.header.Get("X-Service-Delivery") == "" ||
			got.header.Get("User-Agent") != "Service-Webhook/1.0" ||
			got.header.Get("X-Service-Agent") != "" ||
			!strings.HasPrefix(got.body, `{"id": "test_`) ||
			!strings.Contains(got.body, `", "type": "appointment.created", "created_at": "`) ||
			!strings.Contains(got.body, `"livemode": false, "data": {"test": true, "message": "`) {
			t.Errorf("%s\n%v", got.body, got.header)
		}
	}
}

// TestEventIsDelivered resolves a conversation and waits for what a webhook gets of it, and for its delivery.
func TestEventIsDelivered(t *testing.T) {
	s := Open(t)
	if s.callback == "" {
		t.Skip("the service does not reach this machine")
	}
	c := s.Client(t, "pro")
	agent := c.Agent(t, nil)
	c.Want(t, 200, "POST", agent+"activate/", nil)
	port, calls := receive(t)
	// The workers of `sam local` run on this machine.
	made := c.Want(t, 201, "POST", agent+"webhooks/",
		map[string]any{"url": "http://127.0.0.1:" + port + "/take",
			"events": []string{"conversation.resolved"}})
	path := agent + "webhooks/" + made.Number("id") + "/"
	conversation := c.Want(t, 200, "POST", agent+"chat/",
		map[string]any{"message": "Hello"}).Number("conversation_id")
	c.Want(t, 200, "POST", "/conversations/"+conversation+"/resolve/", nil)
	c.Want(t, 200, "POST", "/conversations/"+conversation+"/resolve/", nil) // it is already

	want := fmt.Sprintf(`{"event": "conversation.resolved", "agent_id": %s, "data": {"conversation_id": %s}}`,
		made.Number("agent_id"), conversation)
	select {
	case got := <-calls:
		if got.body != want || !got.signed(made.Text("secret")) ||
			got.header.Get("X-Service-Agent") != made.Number("agent_id") {
			t.Errorf("%s\n%v\nwant %s", got.body, got.header, want)
		}
	case <-time.After(30 * time.Second):
		t.Fatal("nothing came")
	}
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		list := c.Want(t, 200, "GET", path+"deliveries/", nil)
		if list.Number("count") == "1" && list.Results()[0]["status"] == "delivered" {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s", list.Body)
		}
	}
	if len(calls) > 0 {
		t.Errorf("it came again: %+v", <-calls)
	}
}

func TestActionCallsItsWebhook(t *testing.T) {
	s := Open(t)
	if s.callback == "" {
		t.Skip("the service does not reach this machine")
	}
	c := s.Client(t, "pro")
	agent := c.Agent(t, nil)
	port, calls := receive(t)
	made := c.Want(t, 201, "POST", agent+"actions/", map[string]any{
		"name": "Tell", "action_type": "fire_webhook", "trigger_on": "keyword", "cooldown_seconds": 3600,
		"max_per_day": 5,
		"conditions":  []any{map[string]any{"field": "message", "operator": "contains", "value": "price"}},
		"config":      map[string]any{"url": "http://127.0.0.1:" + port + "/take", "secret": "s3cret"},
	})
	chat := func(text, session string) apitest.Answer {
		t.Helper()
		body := map[string]any{"message": text,
			"contact": map[string]any{"name": "Ada", "phone": "+14155550123"}}
		if session != "" {
			body["session_id"] = session
		}
		return c.Want(t, 200, "POST", agent+"chat/", body)
	}
	first := chat("Hello", "")
	second := chat("What is the PRICE?", first.Text("session_id"))
	chat("The price, please", first.Text("session_id")) // the action rests
	want := fmt.Sprintf(`{"event": "action.fire_webhook", "action_name": "Tell", "agent_id": %s, "contact_id": %s, "contact_name": "Ada", `+
		`"conversation_id": %s, "data": {"trigger": "keyword", "channel": "api", "message_id": %s, "message": "What is the PRICE?"`,
		made.Number("agent_id"), first.Number("contact_id"), first.Number("conversation_id"),
		second.Number("inbound_message_id"))
	select {
	case got := <-calls:
		mac := hmac.New(sha256.New, []byte("s3cret"))
		mac.Write([]byte(got.body))
		if !strings.HasPrefix(got.body, want) ||
			got.header.Get("X-Service-Signature") != hex.EncodeToString(mac.Sum(nil)) {
			t.Errorf("%s\n%v\nwant %s…", got.body, got.header, want)
		}
	case <-time.After(30 * time.Second):
		t.Fatal("nothing came")
	}
	time.Sleep(500 * time.Millisecond)
	if len(calls) > 0 {
		t.Errorf("another came: %+v", <-calls)
	}
}
