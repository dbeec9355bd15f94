package inbound_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
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
	"frontdesk/shared/worktest"
)

// A failing table refuses so many transactions, and counts them.
type failing struct {
	table.Table
	failures, calls atomic.Int64
}

func (f *failing) Transact(ctx context.Context, writes ...table.Write) error {
	f.calls.Add(1)
	if f.failures.Add(-1) >= 0 {
		return errors.New("out of order")
	}
	return f.Table.Transact(ctx, writes...)
}

// A desk is the endpoint, for an agent that is connected to WhatsApp.
type desk struct {
	address string // that Meta posts to
	table   *failing
	inboxes *inbox.Store
	agent   int64
}

const account = 7

func open(t *testing.T) *desk {
	t.Helper()
	store := worktest.Table(t, time.Now)
	d := &desk{table: &failing{Table: store}}
	ids, keys := id.NewSource(time.Now), &secret.Keys{Read: secret.Static(secret.NewKey())}
	of, err := (&agent.Store{Table: store, Now: time.Now, IDs: ids}).Create(t.Context(), account,
		agent.Agent{Summary: agent.Summary{Name: "Mia"}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	d.agent = of.ID
	channels := registry.New(registry.Addresses{})
	connections := &channel.Store{Table: store, Now: time.Now, Secrets: keys, Channels: channels}
	_, _, err = connections.Connect(t.Context(), account, of.ID, channel.WhatsApp, channel.Change{
		channel.PhoneNumberID: "5", channel.AccessToken: "EAAG0bXk", channel.AppSecret: "hunter2",
	})
	if err != nil {
		t.Fatal(err)
	}
	router := &api.Router{Log: slog.New(slog.DiscardHandler)}
	d.inboxes = &inbox.Store{Table: d.table, Now: time.Now, IDs: ids}
	(&inbound.Service{
		Table: d.table, Secrets: keys, Channels: channels, Inbox: d.inboxes,
	}).Routes(router)
	server := httptest.NewServer(router)
	t.Cleanup(server.Close)
	d.address = fmt.Sprintf("%s/api/v1/inbound/%d/whatsapp/", server.URL, of.ID)
	return d
}

// pending are the messages of a user that are stored.
func (d *desk) pending(t *testing.T, user string) []inbox.Entry {
	t.Helper()
	entries, err := d.inboxes.Pending(t.Context(), inbox.Lane{
		AccountID: account, AgentID: d.agent, Channel: channel.WhatsApp, Person: "US." + user,
	})
	if err != nil {
		t.Fatal(err)
	}
	return entries
}

// post posts as Meta does and wants a status.
func (d *desk) post(t *testing.T, want int, body []byte) {
	t.Helper()
	if got, err := platforms.PostGraph(d.address, "hunter2", body); err != nil || got != want {
		t.Errorf("the post is answered %d, %v; want %d", got, err, want)
	}
}

// TestStoreFails has the store fail for a message: the post is refused, and taken when it comes again.
func TestStoreFails(t *testing.T) {
	d := open(t)
	body := platforms.WhatsAppText("5", "16505551234", "wamid.1", "Hi", 1749416383)
	d.table.failures.Store(1)
	d.post(t, http.StatusServiceUnavailable, body)
	d.post(t, http.StatusOK, body)
	d.post(t, http.StatusOK, body)
	if pending := d.pending(t, "16505551234"); len(pending) != 1 || pending[0].Text != "Hi" {
		t.Errorf("%v", pending)
	}
}

// batch is one post of so many messages with a text: of every second one the writer is the same.
func batch(n int, text string) []byte {
	var posts [][]byte
	for i := range n {
		user := "16505551234"
		if i%2 == 1 {
			user = fmt.Sprint(16505560000 + i)
		}
		id := fmt.Sprint("wamid.", i)
		posts = append(posts, platforms.WhatsAppText("5", user, id, text, int64(1749416383+i)))
	}
	return platforms.Together(posts...)
}

// TestLargePosts posts what Meta posts at most: 500 messages are stored within five seconds, each in one
// transaction, and 1,000 messages that have 3 MB together are taken. A post of which a part cannot be stored
// is refused, and all of it is there when it was repeated.
func TestLargePosts(t *testing.T) {
	d := open(t)
	stored := func(n int) {
		t.Helper()
		if got := len(d.pending(t, "16505551234")); got != (n+1)/2 {
			t.Errorf("%d messages of one person are stored, want %d", got, (n+1)/2)
		}
		for i := 1; i < n; i += 2 {
			got := d.pending(t, fmt.Sprint(16505560000+i))
			if len(got) != 1 || got[0].ID != fmt.Sprint("wamid.", i) {
				t.Fatalf("message %d is stored as %v", i, got)
			}
		}
	}
	body := batch(500, "When are you open?")
	begun := time.Now()
	d.post(t, http.StatusOK, body)
	took := time.Since(begun)
	if took > 5*time.Second {
		t.Errorf("500 messages took %v", took)
	}
	if got := d.table.calls.Load(); got != 500 {
		t.Errorf("%d transactions, want one for each message", got)
	}
	stored(500)
	t.Logf("500 messages took %v", took)

	d = open(t)
	body = batch(1000, strings.Repeat("x", (3<<20-len(batch(1000, "")))/1000))
	d.table.failures.Store(3)
	d.post(t, http.StatusServiceUnavailable, body)
	d.post(t, http.StatusOK, body)
	stored(1000)
	body = append(body, bytes.Repeat([]byte(" "), 3<<20-len(body))...)
	d.post(t, http.StatusOK, body)
	d.post(t, http.StatusRequestEntityTooLarge, append(body, ' '))
}
