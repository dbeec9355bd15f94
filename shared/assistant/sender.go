package assistant

import (
	"time"

	"frontdesk/shared/conversation"
	"frontdesk/shared/table"
)

// A Sender is who wrote over a channel whose platform knows them. It stands in the place of a chat session:
// what the platform knows them by leads to the contact and to the conversation that goes on.
type Sender struct {
	Address string   // what replies are sent to
	Aliases []string // further addresses of theirs on the channel
	// Idle is how long after its last message a conversation goes on; 0 for ever.
	Idle time.Duration
	// Window is how long after a message a person of the business may write freely; 0 for ever.
	Window time.Duration
	// Threads says that ConversationID alone names the conversation that goes on, 0 for none, wherever the
	// addresses lead.
	Threads        bool
	ConversationID int64
	// Mail is what replies by e-mail continue; the zero Mail elsewhere.
	Mail conversation.Mail
	// WroteAt is when the last of the messages was written.
	WroteAt time.Time
}

// senderKeys are where the writer's addresses lead to a contact and a conversation from.
func (m Message) senderKeys() []table.Key {
	if m.Sender == nil {
		return nil
	}
	var keys []table.Key
	for _, address := range append([]string{m.Sender.Address}, m.Sender.Aliases...) {
		keys = append(keys, conversation.AddressKey(m.AccountID, m.AgentID, string(m.Channel), address))
	}
	return keys
}

// readSender takes in where the writer's addresses lead. The first that leads somewhere decides.
func (s *state) readSender(items map[table.Key]table.Item) error {
	for _, key := range s.message.senderKeys() {
		item, ok := items[key]
		if !ok {
			continue
		}
		known, err := conversation.ReadAddress(item)
		if err != nil {
			return err
		}
		s.addresses = append(s.addresses, storedAddress{key, item.Version, known})
		if !s.hasSession {
			s.session = conversation.Session{ConversationID: known.ConversationID, ContactID: known.ContactID}
			s.hasSession = true
		}
	}
	if s.message.Sender.Threads {
		s.session.ConversationID = s.message.Sender.ConversationID
	}
	return nil
}

// A storedAddress is one as it was read.
type storedAddress struct {
	key     table.Key
	version int64
	address conversation.Address
}

// beginAnew leaves a conversation to itself that has ended, or that nothing was said in for long: what a
// channel brings begins another one then.
func (s *state) beginAnew() {
	m := s.message
	if m.Sender == nil || s.conversationVersion == 0 {
		return
	}
	idle := m.Sender.Idle > 0 && s.Now.Sub(s.Conversation.LastMessageAt) >= m.Sender.Idle
	if s.Conversation.Ended() || idle {
		s.Conversation, s.conversationVersion, s.History = conversation.Conversation{}, 0, nil
	}
}

// addressWrites stores where the writer's addresses lead after the turn.
func (s *state) addressWrites(m Message) ([]table.Write, error) {
	var writes []table.Write
	for _, key := range m.senderKeys() {
		var before storedAddress
		for _, known := range s.addresses {
			if known.key == key {
				before = known
			}
		}
		after := before.address
		after.ContactID, after.ConversationID = s.Contact.ID, s.Conversation.ID
		if m.Sender.WroteAt.After(after.LastInboundAt) {
			after.LastInboundAt = m.Sender.WroteAt
		}
		item, err := after.Item(key, before.version)
		if err != nil {
			return nil, err
		}
		writes = append(writes, table.PutAsRead(item))
	}
	return writes, nil
}
