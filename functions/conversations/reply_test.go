package conversations_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/infra/platforms"
	"frontdesk/shared/channel"
	"frontdesk/shared/channel/registry"
	"frontdesk/shared/contact"
	"frontdesk/shared/conversation"
	"frontdesk/shared/counter"
	"frontdesk/shared/event"
	"frontdesk/shared/message"
	"frontdesk/shared/table"
)

const ada = "+14155550123"

// A talk is a conversation on a channel with a contact who has just written.
type talk struct {
	*client
	path    string
	id      int64
	contact contact.Contact
}

// talkOn begins one, with an agent that is connected to WhatsApp.
func (c *client) talkOn(t *testing.T, on conversation.Channel) *talk {
	t.Helper()
	store := channel.Store{Table: c.table, Now: c.now, Secrets: c.keys,
		Channels: registry.New(registry.Addresses{})}
	if _, _, err := store.Connect(t.Context(), c.account.ID, c.agent, channel.WhatsApp, channel.Change{
		channel.PhoneNumberID: "106540352242922", channel.AccessToken: "EAAG0bXk",
	}); err != nil {
		t.Fatal(err)
	}
	made := contact.New(0, c.agent, c.now())
	made.Name, made.Phone = "Ada", ada
	made, _, err := c.contacts().Upsert(t.Context(), c.account.ID, made)
	if err != nil {
		t.Fatal(err)
	}
	begun := conversation.New(c.ids.Next(), c.agent, on, made.Partner())
	if on == conversation.WhatsApp {
		begun.Address = ada
	}
	item, err := begun.Item(c.account.ID, 0)
	if err != nil {
		t.Fatal(err)
	}
	writes := append(counter.Add(c.account.ID, c.agent, begun.ID, conversation.Recount(nil, &begun)),
		table.PutIfAbsent(item))
	if err := c.table.Transact(t.Context(), writes...); err != nil {
		t.Fatal(err)
	}
	k := &talk{c, fmt.Sprintf("conversations/%d/", begun.ID), begun.ID, made}
	k.wrote(t, c.now())
	return k
}

func (c *client) contacts() *contact.Store {
	return &contact.Store{Table: c.table, Now: c.now, IDs: c.ids}
}

// wrote has the contact have last written on WhatsApp at a time.
func (k *talk) wrote(t *testing.T, at time.Time) {
	t.Helper()
	identity := conversation.Address{ContactID: k.contact.ID, ConversationID: k.id, LastInboundAt: at}
	item, err := identity.Item(conversation.AddressKey(k.account.ID, k.agent, "whatsapp", ada), 0)
	if err == nil {
		err = k.table.Transact(t.Context(), table.Put(item))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// said are the messages of the conversation, with their statuses.
func (k *talk) said(t *testing.T) []string {
	t.Helper()
	var lines []string
	for _, m := range k.Want(t, 200, "GET", k.path+"messages/", nil).Results() {
		lines = append(lines, fmt.Sprintf("%s %s: %s", m["direction"], m["status"], m["content"]))
	}
	return lines
}

// TestReplyOverWhatsApp sends what a person replies, and says how that came out.
func TestReplyOverWhatsApp(t *testing.T) {
	k := serve(t).client(t).talkOn(t, conversation.WhatsApp)
	accepted := k.Want(t, 201, "POST", k.path+"reply/", object{"message": " It is ready. "})
	if accepted.Text("status") != "sent" || accepted.Text("content") != "It is ready." ||
		accepted.Fields["sent_by_ai"] != false {
		t.Errorf("%s", accepted.Body)
	}
	k.graph.Answer(platforms.Overloaded, platforms.WindowClosed)
	if a := k.Want(t, 201, "POST", k.path+"reply/",
		object{"message": "Later"}); a.Text("status") != "queued" {
		t.Errorf("%s", a.Body)
	}
	k.WantError(t, 502, "server_error", "", "POST", k.path+"reply/", object{"message": "Never"})
	want := []string{"outbound sent: It is ready.", "outbound queued: Later", "outbound failed: Never"}
	if diff := cmp.Diff(want, k.said(t)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var sent []string
	for _, call := range k.graph.Calls() {
		sent = append(sent, fmt.Sprint(call.Body["to"], " ", call.Body["text"]))
	}
	if diff := cmp.Diff([]string{ada + " map[body:It is ready.]", ada + " map[body:Later]",
		ada + " map[body:Never]"}, sent); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
	// Each has an event, by which the queue of jobs goes on with it.
	changes, err := k.feed.Changes(t.Context(), "", 1000)
	if err != nil {
		t.Fatal(err)
	}
	queued := map[string]bool{}
	for _, change := range changes {
		if change.New == nil || change.New.SK != "event" {
			continue
		}
		e, err := event.Read(*change.New)
		if err != nil {
			t.Fatal(err)
		}
		if e.Kind == event.MessageQueued && e.Attempt == 1 && e.ConversationID == k.id {
			queued[fmt.Sprint(e.MessageID)] = true
		}
	}
	if len(queued) != 3 || !queued[accepted.Number("id")] {
		t.Errorf("the outbox has %v", queued)
	}
}

// TestReplyIsRefused has conversations over WhatsApp in which nothing may be sent, in the order of the
// checks, and the same on the other channels, where it does not matter.
func TestReplyIsRefused(t *testing.T) {
	for _, on := range conversation.Channel.Values("") {
		t.Run(on, func(t *testing.T) {
			k := serve(t).client(t).talkOn(t, conversation.Channel(on))
			reply := func(status int, code string) {
				t.Helper()
				if on != string(conversation.WhatsApp) {
					if a := k.Want(t, 201, "POST", k.path+"reply/",
						object{"message": "Hi"}); a.Text("status") != "sent" {
						t.Errorf("%s", a.Body)
					}
					return
				}
				k.WantError(t, status, code, "", "POST", k.path+"reply/", object{"message": "Hi"})
			}
			k.wrote(t, k.now().Add(-24*time.Hour))
			reply(422, "unprocessable")
			if _, err := k.contacts().Change(t.Context(), k.account.ID, k.contact.ID,
				func(c *contact.Contact) error {
					c.OptedIn = false
					return nil
				}); err != nil {
				t.Fatal(err)
			}
			reply(403, "contact_opted_out")
			if err := (&channel.Store{
				Table: k.table, Channels: registry.New(registry.Addresses{}),
			}).Disconnect(t.Context(), k.account.ID, k.agent,
				channel.WhatsApp); err != nil {
				t.Fatal(err)
			}
			reply(403, "contact_opted_out")
			if err := k.contacts().Delete(t.Context(), k.account.ID, k.contact.ID); err != nil {
				t.Fatal(err)
			}
			reply(422, "unprocessable")
			if on == string(conversation.WhatsApp) && k.said(t) != nil {
				t.Errorf("%q", k.said(t))
			}
			if calls := k.graph.Calls(); len(calls) != 0 {
				t.Errorf("%v", calls)
			}
		})
	}
}

// TestReplyToNobodyKnown has a conversation over WhatsApp with somebody whom WhatsApp does not know: whoever
// brought the messages to the API carries the reply, too.
func TestReplyToNobodyKnown(t *testing.T) {
	k := serve(t).client(t).talkOn(t, conversation.WhatsApp)
	units := message.Store{Table: k.table, Now: k.now, IDs: k.ids}
	if _, err := units.Change(t.Context(), k.account.ID, k.id, func(u *message.Unit) error {
		u.Conversation.Address = ""
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if a := k.Want(t, 201, "POST", k.path+"reply/", object{"message": "Hi"}); a.Text("status") != "sent" {
		t.Errorf("%s", a.Body)
	}
	if calls := k.graph.Calls(); len(calls) != 0 {
		t.Errorf("%v", calls)
	}
}
