package courier

import (
	"context"

	"frontdesk/shared/agent"
	"frontdesk/shared/channel"
	"frontdesk/shared/contact"
	"frontdesk/shared/conversation"
	"frontdesk/shared/event"
	"frontdesk/shared/fault"
	"frontdesk/shared/table"
)

// Reply stores what a person of the business says in a conversation, and over WhatsApp tries to send it, as Send does; it
// is tried again for RetryTime. On the other channels the message is sent as soon as it is stored, and so it is to
// somebody whom WhatsApp does not know here, since whoever calls the API carries the messages. The error is the API's
// own where there can be no reply, and nothing is stored then: conversation.ErrNotFound where the workspace has no such
// conversation; over WhatsApp contact_opted_out, and unprocessable where the agent is not connected, the contact is gone,
// or the customer-service window is closed.
func (c *Courier) Reply(ctx context.Context, account, conversationID int64, text string) (Sent, error) {
	var from sender
	m, err := c.messages().Reply(ctx, account, conversationID, text, func(in conversation.Conversation, m *conversation.Message) ([]table.Write, error) {
		if !in.Leaves() {
			return nil, nil
		}
		var to contact.Contact
		var version int64
		var err error
		if from, to, version, err = c.replier(ctx, account, in); err != nil {
			return nil, err
		}
		m.Status = conversation.Queued
		m.Sending = &conversation.Sending{
			Channel: in.Channel, To: in.Identity, Attempts: 1, UnderWay: true, Until: m.CreatedAt.Add(RetryTime),
		}
		queued, err := event.Publish(c.IDs, account, nil, event.Event{
			Kind: event.MessageQueued, At: m.CreatedAt, AgentID: in.AgentID,
			ConversationID: in.ID, MessageID: m.ID, Attempt: m.Sending.Attempts,
		})
		return append(queued, table.CheckVersion(contact.Key(account, to.ID), version)), err
	})
	if err != nil || m.Sending == nil {
		return Sent{Message: m}, err
	}
	return c.attempt(ctx, account, from, m, false), nil
}

// replier is whom a person's reply in a conversation over WhatsApp is sent for, with the contact that it is for and the
// version of that. The error says why there can be none.
func (c *Courier) replier(ctx context.Context, account int64, in conversation.Conversation) (sender, contact.Contact, int64, error) {
	agentKey, contactKey := agent.Key(account, in.AgentID), contact.Key(account, in.ContactID)
	channelKey := channel.Key(account, in.AgentID, string(in.Channel))
	identityKey := conversation.IdentityKey(account, in.AgentID, string(in.Channel), in.Identity)
	items, err := c.Table.BatchGet(ctx, agentKey, contactKey, channelKey, identityKey)
	if err != nil {
		return sender{}, contact.Contact{}, 0, err
	}
	var to contact.Contact
	var ch channel.Channel
	var identity conversation.Identity
	known, exists := items[contactKey]
	if exists {
		to, err = contact.Read(known)
	}
	if item, ok := items[channelKey]; ok && err == nil {
		ch, err = channel.Read(item)
	}
	if item, ok := items[identityKey]; ok && err == nil {
		identity, err = conversation.ReadIdentity(item)
	}
	switch {
	case err != nil:
	case exists && !to.OptedIn:
		err = optedOut()
	case !ch.Live():
		err = notConnected()
	case !exists:
		err = fault.New(fault.Unprocessable, "The contact of the conversation was deleted.")
	case !identity.MayWriteFreely(c.now()):
		err = windowClosed()
	}
	if err != nil {
		return sender{}, contact.Contact{}, 0, err
	}
	number, err := c.number(ctx, ch)
	return sender{number, event.SubscriptionsOf(items[agentKey].Numbers), to, in}, to, known.Version, err
}
