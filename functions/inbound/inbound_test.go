package inbound_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"frontdesk/functions/inbound"
	"frontdesk/infra/platforms"
	"frontdesk/shared/agent"
	"frontdesk/shared/api"
	"frontdesk/shared/channel"
	"frontdesk/shared/channel/registry"
	"frontdesk/shared/id"
	"frontdesk/shared/inbox"
	"frontdesk/shared/secret"
	"frontdesk/shared/table"
	"frontdesk/shared/table/sqlite"
)

// A failing table refuses so many transactions.
type failing struct {
	table.Table
	failures atomic.Int64
}

func (f *failing) Transact(ctx context.Context, writes ...table.Write) error {
	if f.failures.Add(-1) >= 0 {
		return errors.New("out of order")
	}
	return f.Table.Transact(ctx, writes...)
}

// TestStoreFails has the store fail for a message: the post is refused, and taken when it comes again.
func TestStoreFails(t *testing.T) {
	store, err := sqlite.Open(filepath.Join(t.TempDir(), "table.db"), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	items := &failing{Table: store}
	const account = 7
	ids, keys := id.NewSource(time.Now), &secret.Keys{Read: secret.Static(secret.NewKey())}
	of, err := (&agent.Store{Table: store, Now: time.Now, IDs: ids}).Create(t.Context(), account,
		agent.Agent{Summary: agent.Summary{Name: "Mia"}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	channels := registry.New(registry.Addresses{})
	connections := &channel.Store{Table: store, Now: time.Now, Secrets: keys, Channels: channels}
	_, _, err = connections.Connect(t.Context(), account, of.ID, channel.WhatsApp, channel.Change{
		channel.PhoneNumberID: "5", channel.AccessToken: "EAAG0bXk", channel.AppSecret: "hunter2",
	})
	if err != nil {
		t.Fatal(err)
	}
	router := &api.Router{Log: slog.New(slog.DiscardHandler)}
	inboxes := &inbox.Store{Table: items, Now: time.Now, IDs: ids}
	(&inbound.Service{
		Table: items, Secrets: keys, Channels: channels, Inbox: inboxes,
	}).Routes(router)
	server := httptest.NewServer(router)
	t.Cleanup(server.Close)
	address := fmt.Sprintf("%s/api/v1/inbound/%d/whatsapp/", server.URL, of.ID)
	body := platforms.WhatsAppText("5", "16505551234", "wamid.1", "Hi", 1749416383)
	for i, want := range []int{http.StatusServiceUnavailable, http.StatusOK, http.StatusOK} {
		if i == 0 {
			items.failures.Store(1)
		}
		if got, err := platforms.PostGraph(address, "hunter2", body); err != nil || got != want {
			t.Errorf("post %d: %d, %v; want %d", i, got, err, want)
		}
	}
	lane := inbox.Lane{
		AccountID: account, AgentID: of.ID, Channel: channel.WhatsApp, Person: "US.16505551234",
	}
	pending, err := inboxes.Pending(t.Context(), lane)
	if err != nil || len(pending) != 1 || pending[0].Text != "Hi" {
		t.Errorf("%v, %v", pending, err)
	}
}
