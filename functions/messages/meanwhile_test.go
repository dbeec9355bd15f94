package messages_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"

	"frontdesk/shared/channel/registry"
	"frontdesk/shared/contact"
	"frontdesk/shared/conversation"
	"frontdesk/shared/fault"
	"frontdesk/shared/message"
	"frontdesk/shared/table"
)

// A meanwhile is a table in which something happens right before the first transaction.
type meanwhile struct {
	table.Table
	happens func()
}

func (m *meanwhile) Transact(ctx context.Context, writes ...table.Write) error {
	if happens := m.happens; happens != nil {
		m.happens = nil
		happens()
	}
	return m.Table.Transact(ctx, writes...)
}

// TestOptedOutMeanwhile has a contact opt out, and one be deleted, between the check of a send and its first
// write: in a new conversation and in one that goes on. Nothing is stored then, and WhatsApp is not called.
func TestOptedOutMeanwhile(t *testing.T) {
	c := serve(t).client(t)
	send := func(happens func()) error {
		_, err := (&message.Sender{
			Store: message.Store{Table: &meanwhile{c.Table, happens}, Now: c.now, IDs: c.IDs,
				Channels: registry.New(registry.Addresses{Graph: c.graph.URL})},
			Secrets: c.keys, Log: slog.New(slog.DiscardHandler),
		}).Send(t.Context(), c.Account,
			message.Request{Channel: conversation.WhatsApp, AgentID: c.agent, To: ada, Text: "Hi"})
		return err
	}
	opt := func(in bool) {
		if _, err := c.contacts().Change(t.Context(), c.Account, c.contact.ID,
			func(c *contact.Contact) error {
				c.OptedIn = in
				return nil
			}); err != nil {
			t.Error(err)
		}
	}
	for _, begun := range []int{0, 1} {
		var refusal *fault.Error
		if err := send(func() { opt(false) }); !errors.As(err, &refusal) ||
			refusal.Code != fault.ContactOptedOut {
			t.Errorf("with %d conversations: %v", begun, err)
		}
		if talks := c.conversations(t); len(talks) != begun || len(c.graph.Calls()) != begun {
			t.Errorf("%+v, %d calls", talks, len(c.graph.Calls()))
		}
		opt(true)
		if begun == 0 {
			if err := send(nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := send(func() {
		if err := c.contacts().Delete(t.Context(), c.Account, c.contact.ID); err != nil {
			t.Error(err)
		}
	}); !errors.Is(err, contact.ErrNotFound) || len(c.graph.Calls()) != 0 {
		t.Errorf("of a contact that was deleted: %v", err)
	}
}

// TestConversationKnowsTheContact changes a contact after a send.
func TestConversationKnowsTheContact(t *testing.T) {
	c := serve(t).client(t)
	c.Want(t, 201, "POST", c.path(), map[string]any{"to": ada, "text": "Hi"})
	after, err := c.contacts().Change(t.Context(), c.Account, c.contact.ID, func(c *contact.Contact) error {
		c.Name, c.Stage = "Eve", contact.Customer
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if talks := c.conversations(t); len(talks) != 1 || talks[0].Partner != after.Partner() ||
		after.Name != "Eve" {
		t.Errorf("%+v", talks)
	}
}
