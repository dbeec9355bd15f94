package local

import (
	"log/slog"
	"net/http/httptest"
	"testing"
	"time"

	"frontdesk/infra/webhooktest"
	"frontdesk/shared/api/apitest"
	queuedb "frontdesk/shared/queue/sqlite"
)

// TestWebhooks runs the suite for webhooks against the local service.
func TestWebhooks(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for attempts")
	}
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
	account, err := service.Workspaces.EnsureLocal(t.Context(), Key, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	stack := webhooktest.Stack{Client: &apitest.Client{Base: server.URL + "/api/v1/", Key: Key,
		Account: account.ID}}
	stack.Deliveries = service.store.Queues.Queue(queuedb.Config{Name: "DeliveriesQueue"})
	webhooktest.Run(t, stack)
}
