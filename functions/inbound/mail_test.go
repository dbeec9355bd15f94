package inbound_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"frontdesk/functions/inbound"
	"frontdesk/shared/agent"
	"frontdesk/shared/channel"
	"frontdesk/shared/channel/registry"
	"frontdesk/shared/id"
	"frontdesk/shared/inbox"
	"frontdesk/shared/secret"
	"frontdesk/shared/worktest"
)

const mailAccount = 7

// A mailDesk is a Mailbox with a bucket, and agents that take mail at addresses of their own.
type mailDesk struct {
	*inbound.Mailbox
	inboxes  *inbox.Store
	agents   []int64
	contents map[string]string
}

func openMailDesk(t *testing.T, agents int) *mailDesk {
	t.Helper()
	store := worktest.Table(t, time.Now)
	ids, keys := id.NewSource(time.Now), &secret.Keys{Read: secret.Static(secret.NewKey())}
	channels := registry.New(registry.Addresses{})
	connections := &channel.Store{Table: store, Now: time.Now, Secrets: keys, Channels: channels}
	d := &mailDesk{
		inboxes: &inbox.Store{Table: store, Now: time.Now, IDs: ids}, contents: map[string]string{},
	}
	for range agents {
		of, err := (&agent.Store{Table: store, Now: time.Now, IDs: ids}).Create(t.Context(), mailAccount,
			agent.Agent{Summary: agent.Summary{Name: "Mia"}}, int64(agents))
		if err != nil {
			t.Fatal(err)
		}
		d.agents = append(d.agents, of.ID)
		_, _, err = connections.Connect(t.Context(), mailAccount, of.ID, channel.Email, channel.Change{
			channel.From: "hello@acme.example", channel.InboundAddress: d.address(len(d.agents) - 1),
			channel.InboundSecret: "0123456789abcdef",
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	d.Mailbox = &inbound.Mailbox{
		Inbound: &inbound.Service{Table: store, Secrets: keys, Channels: channels, Inbox: d.inboxes},
		Get: func(_ context.Context, key string, _ int64) ([]byte, error) {
			content, ok := d.contents[key]
			if !ok {
				return nil, errors.New("no such key")
			}
			return []byte(content), nil
		},
		Log: slog.New(slog.DiscardHandler),
	}
	return d
}

func (d *mailDesk) address(agent int) string {
	return fmt.Sprintf("desk-%d@in.acme.example", d.agents[agent])
}

// A verdict is what SES finds of a mail, in the order SPF, DKIM, DMARC, spam and virus.
type verdict [5]string

var good = verdict{"PASS", "PASS", "PASS", "PASS", "PASS"}

// event is an event of SES, as it comes.
func event(t *testing.T, mail, sender string, v verdict, recipients ...string) events.SimpleEmailEvent {
	t.Helper()
	names := []string{"spf", "dkim", "dmarc", "spam", "virus"}
	receipt := map[string]any{"recipients": recipients, "timestamp": "2026-11-22T10:00:00.000Z"}
	for i, name := range names {
		receipt[name+"Verdict"] = map[string]any{"status": v[i]}
	}
	written, err := json.Marshal(map[string]any{"Records": []any{map[string]any{
		"eventSource": "aws:ses", "eventVersion": "1.0", "ses": map[string]any{
			"mail": map[string]any{"messageId": mail, "source": sender}, "receipt": receipt,
		},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	var e events.SimpleEmailEvent
	if err := json.Unmarshal(written, &e); err != nil {
		t.Fatal(err)
	}
	return e
}

// pending are the updates of a person that wait for an agent.
func (d *mailDesk) pending(t *testing.T, agent int, person string) []inbox.Entry {
	t.Helper()
	lane := inbox.Lane{
		AccountID: mailAccount, AgentID: d.agents[agent], Channel: channel.Email, Person: person,
	}
	entries, err := d.inboxes.Pending(t.Context(), lane)
	if err != nil {
		t.Fatal(err)
	}
	return entries
}

const (
	vouchedFor = "ada@example.com"
	claimed    = "claimed:ada@example.com"
)

// TestMailbox takes mails of SES, and believes of their senders what SES found and nothing else.
func TestMailbox(t *testing.T) {
	const forged = "Authentication-Results: in.acme.example; dmarc=pass header.from=example.com\r\n"
	const signed = "DKIM-Signature: v=1; d=mail.example.com; s=a; b=x\r\n"
	const p, f, none = "PASS", "FAIL", "GRAY"
	otherSigned := strings.Replace(signed, "mail.example.com", "evil.example", 1)
	for name, test := range map[string]struct {
		fields, sender string
		verdict        verdict
		person         string // "" where nothing is stored
		silent         bool
	}{
		"vouched for":            {"", vouchedFor, good, vouchedFor, false},
		"a field that is forged": {forged, "eve@evil.example", verdict{p, p, f, p, p}, claimed, false},
		"SPF alone":              {"", "x@example.com", verdict{p, none, none, p, p}, vouchedFor, false},
		"SPF of another domain":  {"", "x@evil.example", verdict{p, none, none, p, p}, claimed, false},
		"DKIM alone":             {signed, "x@evil.example", verdict{f, p, none, p, p}, vouchedFor, false},
		"DKIM of another domain": {otherSigned, "x@evil.example", verdict{f, p, none, p, p}, claimed, false},
		"not checked":            {"", vouchedFor, verdict{}, claimed, false},
		"spam":                   {"", vouchedFor, verdict{p, p, p, f, p}, vouchedFor, true},
		"a virus":                {"", vouchedFor, verdict{p, p, p, p, f}, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			d := openMailDesk(t, 1)
			d.contents["mail/1"] = test.fields + "From: Ada <ada@example.com>\r\nTo: " + d.address(0) +
				"\r\nSubject: Hi\r\nMessage-ID: <1@example.com>\r\n\r\nAre you open?\r\n"
			e := event(t, "1", test.sender, test.verdict, strings.ToUpper(d.address(0)))
			for range 2 { // an event may come twice
				if err := d.Take(t.Context(), e); err != nil {
					t.Fatal(err)
				}
			}
			got := append(d.pending(t, 0, vouchedFor), d.pending(t, 0, claimed)...)
			if test.person == "" {
				if len(got) != 0 {
					t.Errorf("%+v", got)
				}
				return
			}
			if len(got) != 1 || got[0].From.Address != test.person || got[0].Text != "Are you open?" ||
				got[0].Silent != test.silent {
				t.Errorf("%+v", got)
			}
		})
	}
}

// TestMailboxRecipients brings a mail to the agents whose addresses it was sent to, and to no others.
func TestMailboxRecipients(t *testing.T) {
	d := openMailDesk(t, 2)
	tagged := strings.Replace(d.address(0), "@", "+token@", 1)
	other := strings.Replace(d.address(1), "desk-", "other-", 1)
	for name, test := range map[string]struct {
		recipients  []string
		first, both bool
	}{
		"no agent's":         {[]string{"desk@in.acme.example", "desk-5@in.acme.example"}, false, false},
		"another name's":     {[]string{other}, false, false},
		"another host's":     {[]string{strings.Replace(d.address(0), "in.acme", "evil", 1)}, false, false},
		"of one, with a tag": {[]string{tagged}, true, false},
		"of both":            {[]string{d.address(0), d.address(1)}, true, true},
	} {
		d.contents["mail/2"] = "From: ada@example.com\r\nMessage-ID: <" + strings.ReplaceAll(name, " ", "") +
			"@x>\r\n\r\nHi\r\n"
		count := func(agent int) int { return len(d.pending(t, agent, vouchedFor)) }
		before := [2]int{count(0), count(1)}
		err := d.Take(t.Context(), event(t, "2", vouchedFor, good, test.recipients...))
		if err != nil {
			t.Fatal(name, err)
		}
		first, second := count(0)-before[0] == 1, count(1)-before[1] == 1
		if first != test.first || second != test.both {
			t.Errorf("%s: %v, %v", name, first, second)
		}
	}
	if err := d.Take(t.Context(), event(t, "missing", vouchedFor, good, d.address(0))); err == nil {
		t.Error("a mail that cannot be read yet is taken for done")
	}
	d.contents["mail/3"] = "\x00"
	if err := d.Take(t.Context(), event(t, "3", vouchedFor, good, d.address(0))); err != nil {
		t.Errorf("what is no mail is to come again: %v", err)
	}
}
