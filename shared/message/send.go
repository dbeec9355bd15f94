package message

import (
	"context"
	"time"

	"frontdesk/shared/agent"
	"frontdesk/shared/channel"
	"frontdesk/shared/contact"
	"frontdesk/shared/conversation"
	"frontdesk/shared/table"
)

// A Request asks to send a template or a text to a contact of an agent.
type Request struct {
	AgentID int64
	Channel conversation.Channel // one whose contacts are known by their phones
	To      string               // E.164
	Text    string               // at most MaxText characters
	// Template is sent instead of a text; nil for none.
	Template *conversation.TemplateRef
	// Retry is how long sending is retried if the platform cannot accept the message for the moment; 0 for
	// not at all. With 0, a message whose only attempt is interrupted becomes failed, and its StatusDetail
	// says that it may have been sent.
	Retry time.Duration
}

// Send stores a message in the contact's open conversation on the channel, or in a new one, and tries to send
// it.
//
// If the message may not be sent, nothing is stored and the error is one of the API: agent.ErrNotFound,
// contact_opted_out, unprocessable if the agent is not connected to the channel, contact.ErrNotFound if no
// contact has the number, and unprocessable for a text when the channel's window is closed. There is no error
// once the message is stored: an outcome that could not be recorded is left to the queue of jobs.
func (s *Sender) Send(ctx context.Context, account int64, r Request) (Sent, error) {
	var by attempt
	var m conversation.Message
	err := table.Retry(ctx, func() error {
		u, ch, err := s.load(ctx, account, r)
		if err != nil {
			return err
		}
		if by, err = s.attempt(ctx, u, ch); err != nil {
			return err
		}
		m = u.Say(Draft{Text: r.Text, Template: r.Template, Attempt: true, Retry: r.Retry})
		by.conversation = u.Conversation
		return u.Commit(ctx)
	})
	if err != nil {
		return Sent{}, err
	}
	return s.first(ctx, account, by, m, r.Retry == 0), nil
}

// load reads in two round trips what sending needs, and returns the errors of Send.
func (s *Sender) load(ctx context.Context, account int64, r Request) (*Unit, channel.Channel, error) {
	u, none := s.New(account), channel.Channel{}
	agentKey, phoneKey := agent.Key(account, r.AgentID), contact.KeyByPhone(account, r.AgentID, r.To)
	channelKey := channel.Key(account, r.AgentID, string(r.Channel))
	addressKey := conversation.AddressKey(account, r.AgentID, string(r.Channel), r.To)
	items, err := s.Table.BatchGet(ctx, agentKey, phoneKey, channelKey, addressKey)
	if err != nil {
		return nil, none, err
	}
	summary, ok := items[agentKey]
	if !ok {
		return nil, none, agent.ErrNotFound
	}
	if err := u.readAgent(summary); err != nil {
		return nil, none, err
	}
	ch, err := readChannel(items, channelKey)
	if err != nil {
		return nil, none, err
	}
	if item, ok := items[addressKey]; ok {
		if err := u.ReadAddress(item); err != nil {
			return nil, none, err
		}
	}
	known, err := u.loadByPhone(ctx, items[phoneKey])
	if err != nil {
		return nil, none, err
	}
	if u.before == nil {
		u.Conversation.Channel = r.Channel
	}
	unusable := s.usable(ch, r.Channel)
	switch {
	case known && !u.Contact.OptedIn:
		return nil, none, optedOut()
	case unusable != nil:
		return nil, none, unusable
	case !known:
		return nil, none, contact.ErrNotFound
	case r.Template == nil && !u.InWindow(false):
		return nil, none, s.windowClosed(u, false)
	}
	if u.before == nil {
		u.Begin(r.AgentID, r.Channel, r.To)
	}
	u.Address.ContactID, u.Address.ConversationID = u.Contact.ID, u.Conversation.ID
	return u, ch, nil
}

// loadByPhone reads in one round trip the contact that a pointer names, and the conversation of the unit's
// address if it is open. It reports whether the contact exists.
func (u *Unit) loadByPhone(ctx context.Context, pointer table.Item) (bool, error) {
	if pointer.Version == 0 {
		return false, nil
	}
	to, err := contact.ReadPointer(pointer)
	if err != nil || to.ContactID == 0 {
		return false, err
	}
	contactKey := contact.Key(u.account, to.ContactID)
	conversationKey := conversation.Key(u.account, u.Address.ConversationID)
	keys := []table.Key{contactKey}
	if u.Address.ConversationID != 0 {
		keys = append(keys, conversationKey)
	}
	items, err := u.store.Table.BatchGet(ctx, keys...)
	if err != nil {
		return false, err
	}
	item, known := items[contactKey]
	if !known {
		return false, nil
	}
	if err := u.ReadContact(item); err != nil {
		return false, err
	}
	item, ok := items[conversationKey]
	if !ok {
		return true, nil
	}
	open, err := conversation.Read(item)
	if err == nil && !open.Ended() && open.ContactID == to.ContactID {
		u.SetConversation(open, item.Version)
	}
	return true, err
}
