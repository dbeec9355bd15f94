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

// A Request is a message that a business wants sent to a contact of an agent: a template or a text.
type Request struct {
	AgentID int64
	Channel conversation.Channel // one whose contacts are known by their phones
	To      string               // E.164
	Text    string               // at most MaxText characters
	// Template is sent in place of a text; nil for none.
	Template *conversation.TemplateRef
	// Retry is how long the message is tried again while the platform cannot take it; 0 gives it up at once.
	// So one whose only attempt is cut off becomes failed, and its StatusDetail says that it may have been
	// sent.
	Retry time.Duration
}

// Send stores a message, in the contact's open conversation on the channel or in a new one, and tries to send
// it. The error is the API's own where the message may not be sent, and nothing is stored then:
// agent.ErrNotFound where the workspace has no such agent, contact_opted_out, unprocessable where the agent
// is not connected to the channel, contact.ErrNotFound where nobody has the number, unprocessable for a text
// when the channel's window is closed. Once the message is stored there is no error: what could not be noted
// of its sending is left to the queue of jobs.
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

// load reads what a message is sent in, in two trips, and says why it may not be sent.
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

// loadByPhone reads the contact that a pointer leads to, and the conversation that goes on with it, in one
// trip. It reports whether there is such a contact.
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
