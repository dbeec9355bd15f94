package assistant

import (
	"time"

	"frontdesk/shared/conversation"
	"frontdesk/shared/table"
)

// A Sender is the author of a message on a channel whose platform identifies its users. It replaces the
// chat session: its addresses lead to the contact and to the current conversation.
type Sender struct {
	Address string   // the address for replies
	Aliases []string // the author's further addresses on the channel
	// Idle is how long after its last message a conversation can be continued; 0 is unlimited.
	Idle time.Duration
	// Window is how long after a message the business may write freely; 0 is unlimited.
	Window time.Duration
	// Threads makes ConversationID decide which conversation continues, instead of the addresses; 0 starts
	// a new one.
	Threads        bool
	ConversationID int64
	// Mail is the e-mail thread that a reply continues; zero on other channels.
	Mail conversation.Mail
	// WroteAt is the time of the last message.
	WroteAt time.Time
}

// senderKeys returns the keys of the sender's addresses; nil without a sender.
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

// readSender reads what the sender's addresses point to. The first known address decides.
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

// A storedAddress is an address as it was read.
type storedAddress struct {
	key     table.Key
	version int64
	address conversation.Address
}

// startNewConversation makes the turn begin a new conversation on a channel if the contact's last one has
// ended, or has been idle for longer than Sender.Idle.
func (s *state) startNewConversation() {
	m := s.message
	if m.Sender == nil || s.conversationVersion == 0 {
		return
	}
	idle := m.Sender.Idle > 0 && s.Now.Sub(s.Conversation.LastMessageAt) >= m.Sender.Idle
	if s.Conversation.Ended() || idle {
		s.Conversation, s.conversationVersion, s.History = conversation.Conversation{}, 0, nil
	}
}

// addressWrites points the sender's addresses to the contact and the conversation of the turn.
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
