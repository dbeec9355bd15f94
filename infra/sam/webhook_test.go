package main

import (
	"bytes"
	"sync"
	"testing"

	"frontdesk/infra/webhooktest"
)

// TestWebhooks runs the suite for webhooks against the built workers.
func TestWebhooks(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for attempts")
	}
	b := startBuilt(t)
	webhooktest.Run(t, webhooktest.Stack{Client: b.client, Deliveries: b.store.queue("DeliveriesQueue")})
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
