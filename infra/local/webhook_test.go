package local

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"frontdesk/shared/api/apitest"
)

// A delivery is a request that a receiver got.
type delivery struct {
	at     time.Time
	header http.Header
	body   string
}

// A receiver is a server that webhooks are at, and what it got at each path.
type receiver struct {
	*httptest.Server
	mu  sync.Mutex
	got map[string][]delivery
}

// newReceiver starts a receiver. Under /fail it answers 500, under /slow only when the test has ended, and under
// /away it redirects.
func newReceiver(t *testing.T) *receiver {
	t.Helper()
	r := &receiver{got: map[string][]delivery{}}
	end := make(chan struct{})
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		at := time.Now()
		body, err := io.ReadAll(req.Body)
		if err != nil {
			return
		}
		r.mu.Lock()
		r.got[req.URL.Path] = append(r.got[req.URL.Path], delivery{at, req.Header, string(body)})
		r.mu.Unlock()
		switch req.URL.Path {
		case "/fail":
			w.WriteHeader(http.StatusInternalServerError)
		case "/slow":
			select {
			case <-end:
			case <-req.Context().Done():
			}
		case "/away":
			http.Redirect(w, req, "/elsewhere", http.StatusFound)
		}
	}))
	t.Cleanup(r.Server.Close)
	t.Cleanup(func() { close(end) })
	return r
}

// await waits until a path has got so many deliveries, and returns them.
func (r *receiver) await(t *testing.T, path string, n int, patience time.Duration) []delivery {
	t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		r.mu.Lock()
		got := append([]delivery(nil), r.got[path]...)
		r.mu.Unlock()
		if len(got) >= n {
			return got
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s got %d deliveries in %v, want %d", path, len(got), patience, n)
		}
	}
}

// TestWebhooks takes events all the way: from the request that makes them true, through the outbox, dispatch, the queues
// and deliver, to receivers that answer, fail, do not answer or redirect, and into the list of deliveries.
func TestWebhooks(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for attempts")
	}
	service, err := Start(t.Context(), Config{
		Template: "../../template.yaml", DataDir: t.TempDir(), Now: time.Now, AllowHosts: "127.0.0.1", Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer service.Close()
	server := httptest.NewServer(service)
	defer server.Close()
	r := newReceiver(t)
	c := &apitest.Client{Base: server.URL + "/api/v1/", Key: Key}
	agent := c.Want(t, 201, "POST", "/agents/", map[string]any{"name": "Ada"}).Number("id")
	c.Want(t, 200, "POST", "/agents/"+agent+"/activate/", nil)
	hooks := map[string]string{} // paths in the API by those at the receiver
	secrets := map[string]string{}
	for _, at := range []string{"/ok", "/fail", "/slow", "/away", "/off", "/unsubscribed", "/deleted"} {
		body := map[string]any{"url": r.URL + at, "events": []string{"conversation.resolved"}}
		switch at {
		case "/off":
			body["active"] = false
		case "/unsubscribed":
			body["events"] = []string{"message.sent", "appointment.created", "appointment.updated", "message.received", "conversation.opened", "contact.created"}
		}
		made := c.Want(t, 201, "POST", "/agents/"+agent+"/webhooks/", body)
		hooks[at], secrets[at] = "/agents/"+agent+"/webhooks/"+made.Number("id")+"/", made.Text("secret")
	}
	c.Want(t, 204, "DELETE", hooks["/deleted"], nil)

	conversation := c.Want(t, 200, "POST", "/agents/"+agent+"/chat/", map[string]any{"message": "Hello"}).Number("conversation_id")
	c.Want(t, 200, "POST", "/conversations/"+conversation+"/resolve/", nil)
	resolved := time.Now()

	want := fmt.Sprintf(`{"event": "conversation.resolved", "agent_id": %s, "data": {"conversation_id": %s}}`, agent, conversation)
	for _, at := range []string{"/ok", "/away"} {
		got := r.await(t, at, 1, 5*time.Second)[0]
		mac := hmac.New(sha256.New, []byte(secrets[at]))
		mac.Write([]byte(want))
		signature := "sha256=" + hex.EncodeToString(mac.Sum(nil))
		if got.body != want || got.header.Get("X-Service-Signature") != signature || got.header.Get("X-Service-Event") != "conversation.resolved" ||
			got.header.Get("X-Service-Agent") != agent || got.header.Get("X-Service-Delivery") != "" || got.header.Get("Content-Type") != "application/json" {
			t.Errorf("%s got %s\nwith %v", at, got.body, got.header)
		}
		// The receiver that does not answer holds up nobody.
		if late := got.at.Sub(resolved); late > 5*time.Second {
			t.Errorf("%s had to wait for %v", at, late)
		}
	}
	failed := r.await(t, "/fail", 3, 15*time.Second)
	slow := r.await(t, "/slow", 3, 50*time.Second)
	for _, test := range []struct {
		name   string
		got    []delivery
		answer time.Duration // how long the attempts take
	}{{"/fail", failed, 0}, {"/slow", slow, 10 * time.Second}} {
		for i, wait := range []time.Duration{2 * time.Second, 4 * time.Second} {
			between := test.got[i+1].at.Sub(test.got[i].at)
			if least := test.answer + wait; between < least || between > least+1500*time.Millisecond {
				t.Errorf("%s: %v between attempts %d and %d, want %v", test.name, between, i+1, i+2, least)
			}
			if test.got[i+1].header.Get("Webhook-Id") != test.got[0].header.Get("Webhook-Id") {
				t.Errorf("%s: the ids of the attempts differ", test.name)
			}
		}
	}
	time.Sleep(12 * time.Second) // a further attempt of either would have come

	for at, expect := range map[string]struct {
		requests int
		status   string
		attempts int
		holds    string
	}{
		"/ok":           {1, "delivered", 1, `"http_status":200,"error":null`},
		"/away":         {1, "delivered", 1, `"http_status":302,"error":null`},
		"/fail":         {3, "failed", 3, `"http_status":500,"error":null`},
		"/slow":         {3, "failed", 3, `"http_status":null,"error":"The address did not answer in time."`},
		"/off":          {},
		"/unsubscribed": {},
	} {
		list := c.Want(t, 200, "GET", hooks[at]+"deliveries/", nil)
		rows := list.Results()
		if n := len(r.await(t, at, 0, 0)); n != expect.requests || len(rows) != min(1, expect.requests) {
			t.Errorf("%s got %d requests in %d deliveries", at, n, len(rows))
			continue
		}
		if len(rows) == 0 {
			continue
		}
		attempts, _ := rows[0]["attempts"].([]any)
		if rows[0]["status"] != expect.status || len(attempts) != expect.attempts || !strings.Contains(list.Body, expect.holds) {
			t.Errorf("%s: %s", at, list.Body)
		}
	}
	for _, at := range []string{"/elsewhere", "/deleted"} {
		if n := len(r.await(t, at, 0, 0)); n != 0 {
			t.Errorf("%s got %d requests", at, n)
		}
	}

	// Once more what failed, from the list.
	rows := c.Want(t, 200, "GET", hooks["/fail"]+"deliveries/", nil).Results()
	again := c.Want(t, 200, "POST", fmt.Sprintf("%sdeliveries/%v/redeliver/", hooks["/fail"], rows[0]["id"]), nil)
	if again.Text("status") != "pending" {
		t.Errorf("%s", again.Body)
	}
	last := r.await(t, "/fail", 4, 5*time.Second)[3]
	if last.body != want || last.header.Get("Webhook-Id") != failed[0].header.Get("Webhook-Id") {
		t.Errorf("sent again: %s", last.body)
	}
}
