package local_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"frontdesk/infra/local"
	"frontdesk/shared/api/apitest"
)

// TestTwoServices runs two services over one store: the workers of one work for both, and when it ends those
// of the other.
func TestTwoServices(t *testing.T) {
	got := make(chan string, 100)
	receiver := httptest.NewServer(
		http.HandlerFunc(
			func(_ http.ResponseWriter, req *http.Request) { got <- req.Header.Get("Webhook-Id") }))
	defer receiver.Close()
	data := t.TempDir()
	var services [2]*local.Service
	for i := range services {
		service, err := local.Start(t.Context(), local.Config{
			Template: "../../template.yaml", DataDir: data, Now: time.Now, AllowHosts: "127.0.0.1",
			Log: slog.New(slog.DiscardHandler),
		})
		if err != nil {
			t.Fatal(err)
		}
		services[i] = service
	}
	defer services[1].Close()
	server := httptest.NewServer(services[1])
	defer server.Close()
	c := &apitest.Client{Base: server.URL + "/api/v1/", Key: local.Key}
	agent := "/agents/" + c.Want(t, 201, "POST", "/agents/", map[string]any{"name": "Ada"}).Number("id") + "/"
	c.Want(t, 200, "POST", agent+"activate/", nil)
	c.Want(t, 201, "POST", agent+"webhooks/",
		map[string]any{"url": receiver.URL, "events": []string{"conversation.resolved"}})
	resolve := func(when string) {
		t.Helper()
		conversation := c.Want(t, 200, "POST", agent+"chat/",
			map[string]any{"message": "Hello"}).Number("conversation_id")
		c.Want(t, 200, "POST", "/conversations/"+conversation+"/resolve/", nil)
		select {
		case <-got:
		case <-time.After(10 * time.Second):
			t.Fatalf("%s: nothing was delivered", when)
		}
	}
	resolve("both run")
	services[0].Close()
	resolve("the first has ended")
	select {
	case id := <-got:
		t.Errorf("%s was delivered twice", id)
	case <-time.After(time.Second):
	}
}
