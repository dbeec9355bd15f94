package main

import (
	"bytes"
	"log/slog"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"frontdesk/infra/emulator"
	"frontdesk/infra/local"
	"frontdesk/infra/product"
	"frontdesk/infra/template"
	"frontdesk/infra/webhooktest"
	"frontdesk/shared/api/apitest"
	"frontdesk/shared/egress"
	"frontdesk/shared/id"
	"frontdesk/shared/secret"
)

// TestWebhooks runs the suite for webhooks against the built workers over DynamoDB Local with its Streams and
// ElasticMQ, with no more than the template's policies allow. What serves the requests runs in this process
// over the same table.
func TestWebhooks(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for attempts")
	}
	emulator.ElasticMQ().Endpoint(t) // fails or skips the test where none can run
	t.Chdir("../..")
	stack, err := template.Read("template.yaml")
	if err != nil {
		t.Fatal(err)
	}
	s, err := startStore(t.Context(), stack)
	if err != nil {
		t.Fatal(err)
	}
	defer s.stop()
	var out output
	gates, err := openGates(stack, s, &out)
	if err != nil {
		t.Fatal(err)
	}
	defer gates.close()
	workers, err := startWorkers(t.Context(), stack, s, gates, native(t.TempDir()), &out)
	if err != nil {
		t.Fatal(err)
	}
	defer workers.stop()

	endpoints := product.Endpoints(product.Parts{
		Table: s.table(), Now: time.Now, IDs: id.NewSource(time.Now), Log: slog.New(slog.DiscardHandler),
		Secrets: &secret.Keys{Read: secret.Static(s.secretsKey)},
		Web:     egress.New(egress.Config{AllowHosts: workersHost}),
	})
	front, err := product.Front(stack, endpoints)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(front)
	defer server.Close()
	account, err := s.workspaces().EnsureLocal(t.Context(), local.Key, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	suite := webhooktest.Stack{Client: &apitest.Client{Base: server.URL + "/api/v1/", Key: local.Key,
		Account: account.ID}}
	suite.Deliveries = s.queue("DeliveriesQueue")
	webhooktest.Run(t, suite)
	if log := out.String(); strings.Contains(log, "access denied") || t.Failed() {
		t.Errorf("the workers print:\n%s", log)
	}
}

// An output is what several programs print.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}
