package channel_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"frontdesk/shared/agent"
	"frontdesk/shared/channel"
	"frontdesk/shared/channel/registry"
	"frontdesk/shared/id"
	"frontdesk/shared/secret"
	"frontdesk/shared/table"
	"frontdesk/shared/table/sqlite"
)

// account is the workspace of the tests.
const account = 7

// open returns a store over a table of its own with two agents.
func open(t *testing.T) (s *channel.Store, one, other int64) {
	t.Helper()
	items, err := sqlite.Open(filepath.Join(t.TempDir(), "table.db"), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { items.Close() })
	agents := &agent.Store{Table: items, Now: time.Now, IDs: id.NewSource(time.Now)}
	for _, to := range []*int64{&one, &other} {
		a, err := agents.Create(t.Context(), account, agent.Agent{Summary: agent.Summary{Name: "Mia"}}, 2)
		if err != nil {
			t.Fatal(err)
		}
		*to = a.ID
	}
	return &channel.Store{Table: items, Now: time.Now,
		Secrets:  &secret.Keys{Read: secret.Static(secret.NewKey())},
		Channels: registry.New(registry.Addresses{})}, one, other
}

// TestLoad reads a channel as whoever sends messages does.
func TestLoad(t *testing.T) {
	s, one, other := open(t)
	if _, _, err := s.Connect(t.Context(), account, one, channel.WhatsApp,
		channel.Change{channel.PhoneNumberID: "5", channel.AccessToken: "EAAG0bXk"}); err != nil {
		t.Fatal(err)
	}
	c, err := channel.Load(t.Context(), s.Table, account, one, channel.WhatsApp)
	if err != nil {
		t.Fatal(err)
	}
	token, err := c.Secret(t.Context(), s.Secrets, channel.AccessToken)
	if err != nil || string(token) != "EAAG0bXk" || c.Text(channel.PhoneNumberID) != "5" ||
		c.Type != channel.WhatsApp || !c.Live() {
		t.Errorf("%q, %v, %+v", string(token), err, c)
	}
	if none, err := c.Secret(t.Context(), s.Secrets, channel.VerifyToken); err != nil || none != "" {
		t.Errorf("a secret that is not set: %q, %v", string(none), err)
	}
	if c.Text(channel.AccessToken) != "" {
		t.Errorf("the secret as a text: %q", c.Text(channel.AccessToken))
	}
	for name, where := range map[string]struct {
		account, agent int64
		channel        channel.Type
	}{
		"another channel": {account, one, channel.SMS}, "another agent": {account, other, channel.WhatsApp},
		"another workspace": {account + 1, one, channel.WhatsApp},
	} {
		if _, err := channel.Load(t.Context(), s.Table, where.account, where.agent,
			where.channel); !errors.Is(err, channel.ErrNotConnected) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestSecretsStayInPlace copies what is stored of a channel to another agent, as one could who may write to
// the table.
func TestSecretsStayInPlace(t *testing.T) {
	s, one, other := open(t)
	if _, _, err := s.Connect(t.Context(), account, one, channel.Messenger,
		channel.Change{channel.PageID: "5", channel.AccessToken: "EAAG0bXk"}); err != nil {
		t.Fatal(err)
	}
	item, err := s.Table.Get(t.Context(), channel.Key(account, one, string(channel.Messenger)))
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []table.Key{
		channel.Key(account, other, string(channel.Messenger)),
		channel.Key(account, one, string(channel.Instagram)),
		channel.Key(account+1, one, string(channel.Messenger)),
	} {
		item.Key = key
		if err := s.Table.Transact(t.Context(), table.Put(item)); err != nil {
			t.Fatal(err)
		}
		stored, err := s.Table.Get(t.Context(), key)
		if err != nil {
			t.Fatal(err)
		}
		c, err := channel.Read(stored)
		if err != nil {
			t.Fatal(err)
		}
		if token, err := c.Secret(t.Context(), s.Secrets, channel.AccessToken); !errors.Is(err,
			secret.ErrBroken) || token != "" {
			t.Errorf("%v: the secret opens as %q, %v", key, string(token), err)
		}
	}
}

// TestConnectKeepsCiphertext holds that a change does not seal anew what it leaves alone: it needs no key
// then.
func TestConnectKeepsCiphertext(t *testing.T) {
	s, one, _ := open(t)
	if _, _, err := s.Connect(t.Context(), account, one, channel.WhatsApp,
		channel.Change{channel.PhoneNumberID: "5", channel.AccessToken: "EAAG0bXk"}); err != nil {
		t.Fatal(err)
	}
	keys := s.Secrets
	s.Secrets = &secret.Keys{Read: secret.Static("")}
	if _, made, err := s.Connect(t.Context(), account, one, channel.WhatsApp,
		channel.Change{channel.PhoneNumberID: "6", channel.AccessToken: secret.Set}); err != nil || made {
		t.Fatalf("made %v, %v", made, err)
	}
	c, err := channel.Load(t.Context(), s.Table, account, one, channel.WhatsApp)
	if err != nil {
		t.Fatal(err)
	}
	if token, err := c.Secret(t.Context(), keys, channel.AccessToken); err != nil ||
		string(token) != "EAAG0bXk" || c.Text(channel.PhoneNumberID) != "6" {
		t.Errorf("%q, %v, %s", string(token), err, c.Text(channel.PhoneNumberID))
	}
}

// A meddled table has something happen between the reading and the first writing of whoever uses it.
type meddled struct {
	table.Table
	first func()
}

func (m *meddled) Transact(ctx context.Context, writes ...table.Write) error {
	if first := m.first; first != nil {
		m.first = nil
		first()
	}
	return m.Table.Transact(ctx, writes...)
}

func TestConnectBesideOthers(t *testing.T) {
	for _, connected := range []bool{false, true} {
		s, one, _ := open(t)
		others := *s
		if connected {
			if _, _, err := s.Connect(t.Context(), account, one, channel.Email,
				channel.Change{channel.From: "a@acme.example"}); err != nil {
				t.Fatal(err)
			}
		}
		s.Table = &meddled{s.Table, func() {
			if _, _, err := others.Connect(t.Context(), account, one, channel.Email,
				channel.Change{channel.From: "b@acme.example"}); err != nil {
				t.Error(err)
			}
		}}
		c, made, err := s.Connect(t.Context(), account, one, channel.Email,
			channel.Change{channel.From: "c@acme.example", channel.InboundAddress: "in@acme.example"})
		if err != nil || made || c.Text(channel.From) != "c@acme.example" || !c.Connected() {
			t.Errorf("connected before: %v: made %v, %+v, %v", connected, made, c, err)
		}
		s.Table = &meddled{s.Table, func() {
			if _, _, err := others.Connect(t.Context(), account, one, channel.Email,
				channel.Change{channel.From: "d@acme.example"}); err != nil {
				t.Error(err)
			}
		}}
		c, _, err = s.Connect(t.Context(), account, one, channel.Email,
			channel.Change{channel.InboundAddress: "here@acme.example"})
		if err != nil || c.Text(channel.From) != "d@acme.example" ||
			c.Text(channel.InboundAddress) != "here@acme.example" {
			t.Errorf("connected before: %v: one of two changes is lost: %+v, %v", connected, c, err)
		}
	}
}

func TestConnectWhileTheAgentGoes(t *testing.T) {
	s, one, _ := open(t)
	agents := &agent.Store{Table: s.Table, Now: time.Now, IDs: id.NewSource(time.Now)}
	items := s.Table
	s.Table = &meddled{items, func() {
		if err := agents.Delete(t.Context(), account, one); err != nil {
			t.Error(err)
		}
	}}
	if _, _, err := s.Connect(t.Context(), account, one, channel.Email,
		channel.Change{channel.From: "a@acme.example"}); !errors.Is(err, agent.ErrNotFound) {
		t.Errorf("connected to an agent that has gone: %v", err)
	}
	if _, err := channel.Load(t.Context(), items, account, one, channel.Email); !errors.Is(err,
		channel.ErrNotConnected) {
		t.Errorf("something is stored for an agent that has gone: %v", err)
	}
}
