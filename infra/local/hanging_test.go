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
	"frontdesk/shared/webhook"
)

// TestHangingReceivers has 50 webhooks of an agent hang, with ten deliveries each. From then on until the
// first attempts have timed out and others follow, the deliveries of another workspace are at most a second
// late, and those of another agent of the same workspace overtake most of those that hang. In the end every
// delivery has had its first attempt.
func TestHangingReceivers(t *testing.T) {
	const (
		hooks, events, atOnce = 50, 10, 75
		// the latter is less than a hanging attempt takes
		lateOther, lateOwn = time.Second, 9 * time.Second
	)
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
	calm := []struct {
		name    string
		resolve func()
		late    time.Duration // at most
	}{
		{"another agent", agentOf(own, "/good/", 1), lateOwn},
		{"another workspace", agentOf(other, "/good/", 1), lateOther},
	}
	for range events {
		flood()
	}
	worst := make([]time.Duration, len(calm))
	for begun := time.Now(); time.Since(begun) < webhook.Timeout+2*time.Second; time.Sleep(
		50 * time.Millisecond) {
		for i, c := range calm {
			c.resolve()
			resolved := time.Now()
			select {
			case <-r.good:
				worst[i] = max(worst[i], time.Since(resolved))
			case <-time.After(c.late):
				t.Fatalf("the delivery of %s waits for those that hang", c.name)
			}
		}
	}
	t.Logf("the latest delivery of another agent took %v, of another workspace %v", worst[0], worst[1])
	if n := r.most(); n < atOnce || n > atOnce+budget.Reserve {
		t.Errorf("%d attempts of one workspace were under way at a time, want %d to %d", n, atOnce,
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

	mu           sync.Mutex
	ids          map[string]bool // the deliveries that came to the paths that hang
	now, highest int             // requests to those paths that are being served, and the most there were
}

func (h *hanging) letGo() { h.letOnce.Do(func() { close(h.release) }) }

func (h *hanging) count() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.ids)
}

// most returns how many requests hung at a time at most.
func (h *hanging) most() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.highest
}

func (h *hanging) hang(id string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ids[id] = true
	h.now++
	h.highest = max(h.highest, h.now)
}

func (h *hanging) ServeHTTP(_ http.ResponseWriter, req *http.Request) {
	io.Copy(io.Discard, req.Body)
	if strings.HasPrefix(req.URL.Path, "/good/") {
		h.good <- struct{}{}
		return
	}
	h.hang(req.URL.Path + req.Header.Get("Webhook-Id"))
	defer func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.now--
	}()
	select {
	case <-h.release:
	case <-req.Context().Done():
	}
}
