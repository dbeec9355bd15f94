package local

import (
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
	budget "frontdesk/shared/delivery"
)

// TestHangingReceivers has 50 webhooks of an agent hang, with ten deliveries each, and expects the deliveries
// of another agent of the same workspace, and of another workspace, while most of those still wait in their
// line. In the end every delivery has had its first attempt.
func TestHangingReceivers(t *testing.T) {
	const hooks, events, atOnce = 50, 10, 75
	service, err := Start(t.Context(), Config{
		Template: "../../template.yaml", DataDir: t.TempDir(), Now: time.Now, AllowHosts: "127.0.0.1",
		Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer service.Close()
	server := httptest.NewServer(service)
	defer server.Close()
	_, issued, err := service.Workspaces.Create(t.Context(), "Other", "pro")
	if err != nil {
		t.Fatal(err)
	}
	r := &hanging{release: make(chan struct{}), good: make(chan struct{}, 1), ids: map[string]bool{}}
	receiver := httptest.NewServer(r)
	defer receiver.Close()
	defer r.letGo()

	own := &apitest.Client{Base: server.URL + "/api/v1/", Key: Key}
	other := &apitest.Client{Base: server.URL + "/api/v1/", Key: issued.Text}
	agentOf := func(c *apitest.Client, path string, hooks int) (resolve func()) {
		agent := "/agents/" + c.Want(t, 201, "POST", "/agents/",
			map[string]any{"name": "Ada"}).Number("id") + "/"
		for i := range hooks {
			c.Want(t, 201, "POST", agent+"webhooks/", map[string]any{
				"url": fmt.Sprint(receiver.URL, path, i), "events": []string{"conversation.resolved"},
			})
		}
		return func() {
			chat := c.Want(t, 200, "POST", agent+"chat/", map[string]any{"message": "Hello"})
			c.Want(t, 200, "POST", "/conversations/"+chat.Number("conversation_id")+"/resolve/", nil)
		}
	}
	flood := agentOf(own, "/hang/", hooks)
	calm := []func(){agentOf(own, "/good/", 1), agentOf(other, "/good/", 1)}
	for range events {
		flood()
	}
	await(t, "as many attempts as the plan allows", func() bool { return r.count() >= atOnce })
	for i, resolve := range calm {
		for range 3 {
			resolve()
			select {
			case <-r.good:
			case <-time.After(9 * time.Second): // less than a hanging attempt takes
				t.Fatalf("the delivery of agent %d waits for those that hang", i)
			}
		}
	}
	if n := r.count(); n > atOnce+budget.Reserve {
		t.Errorf("%d attempts of one workspace were under way at a time, want at most %d", n,
			atOnce+budget.Reserve)
	}
	r.letGo()
	await(t, "every delivery's first attempt", func() bool { return r.count() == hooks*events })
}

// await waits until something is so.
func await(t *testing.T, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); !is(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s did not come", what)
		}
	}
}

// A hanging receiver answers /good/ at once and others not before it lets go.
type hanging struct {
	release chan struct{}
	letOnce sync.Once
	good    chan struct{}

	mu  sync.Mutex
	ids map[string]bool // the deliveries that came to the paths that hang
}

func (h *hanging) letGo() { h.letOnce.Do(func() { close(h.release) }) }

func (h *hanging) count() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.ids)
}

func (h *hanging) ServeHTTP(_ http.ResponseWriter, req *http.Request) {
	io.Copy(io.Discard, req.Body)
	if strings.HasPrefix(req.URL.Path, "/good/") {
		h.good <- struct{}{}
		return
	}
	h.mu.Lock()
	h.ids[req.URL.Path+req.Header.Get("Webhook-Id")] = true
	h.mu.Unlock()
	select {
	case <-h.release:
	case <-req.Context().Done():
	}
}
