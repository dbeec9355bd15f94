// Package remark is what an agent says of its own accord, and not as the reply to a message: the message of an action,
// and the steps of a funnel that waited.
package remark

import (
	"context"
	"slices"
	"time"

	"frontdesk/shared/contact"
	"frontdesk/shared/conversation"
	"frontdesk/shared/event"
	"frontdesk/shared/id"
	"frontdesk/shared/table"
)

// MaxText is how many characters a remark may have: as many as a text over WhatsApp.
const MaxText = 4096

// retry is how long a remark is tried again that the platform of its channel cannot take for the moment.
const retry = time.Hour

// A Store reads and writes conversations in which agents make remarks.
type Store struct {
	Table table.Table
	Now   func() time.Time
	IDs   *id.Source
}

// An Occasion is a conversation with its contact, in which the agent may do or say something. Whoever changes the
// conversation has Writes store it.
type Occasion struct {
	Conversation conversation.Conversation
	Contact      contact.Contact // the zero Contact where it was deleted

	store    Store
	account  int64
	before   conversation.Conversation
	version  int64
	contact  int64 // its version
	to       string
	identity conversation.Identity
	writes   []table.Write
	events   []event.Event
}

// Load reads a conversation and its contact, in two trips. table.ErrNotFound where the conversation is gone.
func (s Store) Load(ctx context.Context, account, conversationID int64) (*Occasion, error) {
	item, err := s.Table.Get(ctx, conversation.Key(account, conversationID))
	if err != nil {
		return nil, err
	}
	o := &Occasion{store: s, account: account, version: item.Version}
	if o.Conversation, err = conversation.Read(item); err != nil {
		return nil, err
	}
	o.before = o.Conversation
	o.to = o.Conversation.Identity
	keys := []table.Key{contact.Key(account, o.Conversation.ContactID)}
	identity := conversation.IdentityKey(account, o.Conversation.AgentID, string(conversation.WhatsApp), o.to)
	if o.Conversation.Leaves() {
		keys = append(keys, identity)
	} else {
		o.identity.LastInboundAt = o.Conversation.ReceivedAt
	}
	items, err := s.Table.BatchGet(ctx, keys...)
	if err != nil {
		return nil, err
	}
	if item, ok := items[keys[0]]; ok {
		o.contact = item.Version
		if o.Contact, err = contact.Read(item); err != nil {
			return nil, err
		}
	}
	if item, ok := items[identity]; ok {
		o.identity, err = conversation.ReadIdentity(item)
	}
	return o, err
}

// MaySay reports whether the agent may make a remark: the contact is there and has not opted out, and on WhatsApp wrote
// in the last 24 hours.
func (o *Occasion) MaySay() bool {
	if o.contact == 0 || !o.Contact.OptedIn {
		return false
	}
	return o.Conversation.Channel != conversation.WhatsApp || o.identity.MayWriteFreely(o.now())
}

// A Remark is something to say.
type Remark struct {
	Text string // at most MaxText characters
	// Action and Intent are what webhooks are told of it, as of a reply.
	Action, Intent string
	// ByAction tells that an action says it, of which other actions do not hear.
	ByAction bool
}

// Say adds a remark to the conversation. Where it leaves for WhatsApp it is kept as queued, with the event that has it
// sent. It is for an Occasion where MaySay, and not stored where the contact changes meanwhile.
func (o *Occasion) Say(r Remark) error {
	now := o.now()
	m := conversation.Message{
		ID: o.store.IDs.Next(), ConversationID: o.Conversation.ID, AgentID: o.Conversation.AgentID, Direction: conversation.Outbound,
		Type: conversation.Text, Content: r.Text, SentByAI: true, Status: conversation.Sent, CreatedAt: now,
	}
	o.writes = append(o.writes, table.CheckVersion(contact.Key(o.account, o.Contact.ID), o.contact))
	if o.Conversation.Leaves() {
		m.Status = conversation.Queued
		m.Sending = &conversation.Sending{
			Channel: conversation.WhatsApp, To: o.to, Until: now.Add(retry), ByAction: r.ByAction, Action: r.Action, Intent: r.Intent,
		}
		o.events = append(o.events, event.Event{
			Kind: event.MessageQueued, At: now, AgentID: m.AgentID, ConversationID: m.ConversationID, MessageID: m.ID,
		})
	} else { // the event of one that leaves is published once it was accepted
		sent := o.Conversation.MessageEvent(m)
		sent.ContactPhone, sent.Action, sent.Intent, sent.ByAction = o.Contact.Phone, r.Action, r.Intent, r.ByAction
		o.events = append(o.events, sent)
	}
	stored, err := o.Conversation.Append(o.account, m)
	o.writes = append(o.writes, stored...)
	return err
}

// Writes store the conversation as it is now, with all that belongs to it and was said; there are none where nothing
// changed. What happened is told to the agent's actions as far as they wait for it. The writes fail where somebody
// changed the conversation since it was read.
func (o *Occasion) Writes(to event.Subscriptions) ([]table.Write, error) {
	if o.Conversation == o.before {
		return nil, nil
	}
	events := slices.Clone(o.events)
	for i := range events {
		if o.contact != 0 {
			events[i].Contact = o.Contact.ForConditions()
		}
	}
	store := &conversation.Store{Table: o.store.Table, Now: o.store.Now, IDs: o.store.IDs}
	revision, err := store.Revise(o.account, to, o.version, o.before, o.Conversation, events...)
	return append(o.writes, revision...), err
}

func (o *Occasion) now() time.Time { return o.store.Now().UTC().Truncate(time.Millisecond) }
