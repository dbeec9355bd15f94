package courier

import (
	"context"
	"log/slog"
	"strings"
	"time"

	"frontdesk/shared/agent"
	"frontdesk/shared/channel"
	"frontdesk/shared/contact"
	"frontdesk/shared/conversation"
	"frontdesk/shared/event"
	"frontdesk/shared/fault"
	"frontdesk/shared/table"
	"frontdesk/shared/tally"
	"frontdesk/shared/whatsapp"
)

// An Order is a message that a business wants sent to a contact of an agent over WhatsApp: a template or a text.
type Order struct {
	AgentID  int64
	To       string // E.164
	Text     string // at most whatsapp.MaxText characters
	Template *conversation.TemplateRef
	// Retry is how long the message is tried again while the platform cannot take it; 0 gives it up at once. So one whose
	// only attempt is cut off becomes failed, and its StatusDetail says that it may have been sent.
	Retry time.Duration
}

// RetryTime is how long a message is tried again that the platform cannot take for the moment, mostly.
const RetryTime = time.Hour

// A Sent message is one that was stored, with what became of the first attempt to send it: its status is sent, queued or
// failed, and the refusal says why it is not sent.
type Sent struct {
	Message conversation.Message
	Refusal *whatsapp.Error
}

// Send stores a message, in the contact's open WhatsApp conversation or in a new one, and tries to send it. The error is
// the API's own where the message may not be sent, and nothing is stored then: agent.ErrNotFound where the workspace has
// no such agent, contact_opted_out, unprocessable where the agent is not connected to WhatsApp, contact.ErrNotFound where
// nobody has the number, unprocessable for a text when the customer-service window is closed. Once the message is stored
// there is no error: what could not be noted of its sending is left to the outbound queue.
func (c *Courier) Send(ctx context.Context, account int64, o Order) (Sent, error) {
	var from sender
	var m conversation.Message
	err := table.Retry(ctx, func() error {
		s, err := c.load(ctx, account, o)
		if err != nil {
			return err
		}
		number, err := c.number(ctx, s.channel)
		if err != nil {
			return err
		}
		m, err = c.store(ctx, account, o, &s)
		from = sender{number, s.subscriptions, s.contact, s.conversation}
		return err
	})
	if err != nil {
		return Sent{}, err
	}
	return c.attempt(ctx, account, from, m, o.Retry == 0), nil
}

// attempt makes the first attempt to send a message that was just stored. What cannot be noted of it is logged.
func (c *Courier) attempt(ctx context.Context, account int64, from sender, m conversation.Message, final bool) Sent {
	settled, refusal, err := c.carry(ctx, account, from, m, 1, final)
	if err != nil {
		c.Log.LogAttrs(ctx, slog.LevelError, "the outcome of a send could not be noted",
			slog.Int64("account", account), slog.Int64("message", m.ID), slog.String("error", err.Error()))
	}
	return Sent{settled, refusal}
}

// A situation is what a message is sent in.
type situation struct {
	now           time.Time
	subscriptions event.Subscriptions
	channel       channel.Channel

	contact        contact.Contact
	contactVersion int64

	identity        conversation.Identity
	identityVersion int64 // 0 where it is new

	conversation        conversation.Conversation
	conversationVersion int64 // 0 where there is none that goes on
}

// load reads what a message is sent in, in two trips, and says why it may not be sent.
func (c *Courier) load(ctx context.Context, account int64, o Order) (situation, error) {
	s := situation{now: c.now()}
	agentKey, phoneKey := agent.Key(account, o.AgentID), contact.KeyByPhone(account, o.AgentID, o.To)
	channelKey := channel.Key(account, o.AgentID, string(channel.WhatsApp))
	identityKey := conversation.IdentityKey(account, o.AgentID, string(conversation.WhatsApp), o.To)
	items, err := c.Table.BatchGet(ctx, agentKey, phoneKey, channelKey, identityKey)
	if err != nil {
		return s, err
	}
	summary, ok := items[agentKey]
	if !ok {
		return s, agent.ErrNotFound
	}
	s.subscriptions = event.SubscriptionsOf(summary.Numbers)
	if item, ok := items[channelKey]; ok {
		if s.channel, err = channel.Read(item); err != nil {
			return s, err
		}
	}
	if item, ok := items[identityKey]; ok {
		if s.identity, err = conversation.ReadIdentity(item); err != nil {
			return s, err
		}
		s.identityVersion = item.Version
	}
	known := false
	if item, ok := items[phoneKey]; ok {
		if known, err = s.loadContact(ctx, c.Table, account, item); err != nil {
			return s, err
		}
	}
	switch {
	case known && !s.contact.OptedIn:
		return s, optedOut()
	case !s.channel.Live():
		return s, notConnected()
	case !known:
		return s, contact.ErrNotFound
	case o.Template == nil && !s.identity.MayWriteFreely(s.now):
		return s, windowClosed()
	}
	return s, nil
}

// Why a message may not be sent.
func optedOut() error {
	return fault.New(fault.ContactOptedOut, "The contact has opted out of messages.")
}

func notConnected() error {
	return fault.New(fault.Unprocessable, "The agent is not connected to WhatsApp.")
}

func windowClosed() error {
	return fault.New(fault.Unprocessable, "The contact wrote nothing on WhatsApp in the last 24 hours. Send a template.")
}

// loadContact reads the contact that a pointer leads to, and the conversation that goes on with it. It reports whether
// there is such a contact.
func (s *situation) loadContact(ctx context.Context, t table.Table, account int64, pointer table.Item) (bool, error) {
	to, err := contact.ReadPointer(pointer)
	if err != nil || to.ContactID == 0 {
		return false, err
	}
	contactKey := contact.Key(account, to.ContactID)
	conversationKey := conversation.Key(account, s.identity.ConversationID)
	keys := []table.Key{contactKey}
	if s.identity.ConversationID != 0 {
		keys = append(keys, conversationKey)
	}
	items, err := t.BatchGet(ctx, keys...)
	if err != nil {
		return false, err
	}
	item, known := items[contactKey]
	if !known {
		return false, nil
	}
	if s.contact, err = contact.Read(item); err != nil {
		return false, err
	}
	s.contactVersion = item.Version
	if item, ok := items[conversationKey]; ok {
		open, err := conversation.Read(item)
		if err != nil {
			return false, err
		}
		if !open.Ended() && open.ContactID == to.ContactID {
			s.conversation, s.conversationVersion = open, item.Version
		}
	}
	return true, nil
}

// store writes the message as one whose first attempt begins, with all that belongs to it. A *table.Failed says that
// something changed since it was loaded.
func (c *Courier) store(ctx context.Context, account int64, o Order, s *situation) (conversation.Message, error) {
	var before *conversation.Conversation
	if s.conversationVersion == 0 {
		s.conversation = conversation.New(c.IDs.Next(), o.AgentID, conversation.WhatsApp, s.contact.Partner())
		s.conversation.Identity = o.To
	} else {
		before = &conversation.Conversation{}
		*before = s.conversation
	}
	m := conversation.Message{
		ID: c.IDs.Next(), ConversationID: s.conversation.ID, AgentID: o.AgentID, Direction: conversation.Outbound,
		Type: conversation.Text, Content: o.Text, Status: conversation.Queued, CreatedAt: s.now,
		Sending: &conversation.Sending{
			Channel: conversation.WhatsApp, To: o.To, Template: o.Template, Attempts: 1, UnderWay: true, Until: s.now.Add(o.Retry),
		},
	}
	if o.Template != nil {
		m.Type = conversation.Template
		m.Content = strings.Join(append([]string{o.Template.Name}, o.Template.Params...), "\n")
	}
	writes, err := s.conversation.Append(account, m)
	if err != nil {
		return m, err
	}
	item, err := s.conversation.Item(account, s.conversationVersion)
	if err != nil {
		return m, err
	}
	writes = append(writes, table.PutAsRead(item))
	// The contact may opt out in this moment, or be deleted.
	if before != nil {
		writes = append(writes, table.CheckVersion(contact.Key(account, s.contact.ID), s.contactVersion))
	} else {
		s.contact.Join(s.conversation.ID)
		item, err := s.contact.Item(account, s.contactVersion)
		if err != nil {
			return m, err
		}
		writes = append(writes, table.PutIfVersion(item))
	}
	identity := s.identity
	identity.ContactID, identity.ConversationID = s.contact.ID, s.conversation.ID
	if identity != s.identity {
		item, err := identity.Item(conversation.IdentityKey(account, o.AgentID, string(conversation.WhatsApp), o.To), s.identityVersion)
		if err != nil {
			return m, err
		}
		writes = append(writes, table.PutAsRead(item))
	}
	events := append(conversation.Events(before, s.conversation, s.now), event.Event{
		Kind: event.MessageQueued, At: s.now, AgentID: o.AgentID,
		ConversationID: s.conversation.ID, MessageID: m.ID, Attempt: m.Sending.Attempts,
	})
	for i := range events {
		events[i].Contact = s.contact.ForConditions()
	}
	published, err := event.Publish(c.IDs, account, s.subscriptions, events...)
	if err != nil {
		return m, err
	}
	writes = append(writes, published...)
	writes = append(writes, tally.Add(account, o.AgentID, m.ID, conversation.Recount(before, &s.conversation))...)

	return m, c.Table.Transact(ctx, writes...)
}
