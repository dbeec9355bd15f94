package assistant

import (
	"context"
	"slices"
	"time"

	"frontdesk/shared/ai"
	"frontdesk/shared/contact"
	"frontdesk/shared/conversation"
	"frontdesk/shared/counter"
	"frontdesk/shared/message"
	"frontdesk/shared/table"
)

// commit stores the message, the reply when there is one, and what they change, all or nothing. A
// *table.ConditionError says that something changed since it was loaded.
func (s *state) commit(ctx context.Context, d *decision, reply *ai.Reply) (Answer, error) {
	m, u := s.message, s.unit()
	answer := Answer{
		SessionID: s.sessionID, ConversationID: s.Conversation.ID, ContactID: s.Contact.ID,
		Action: d.silence, Choices: []conversation.Choice{}, Cards: []conversation.Card{},
	}
	parts := m.stored()
	if reply == nil {
		answer.InboundMessageID = u.Receive("", nil, parts...).ID
	} else {
		answer.InboundMessageID = u.Receive(reply.Intent, &reply.Confidence, parts...).ID
		s.say(&answer, reply)
		outbound := u.Say(message.Draft{
			Text: reply.Text, Choices: s.offered, Cards: s.cards, Sources: answer.Sources,
			SentByAI: true, Action: reply.Action, Intent: reply.Intent, Confidence: &reply.Confidence,
			Usage: reply.Usage, Reply: true, Retry: message.RetryTime,
		})
		u.Count(conversation.CountUsage(outbound))
		answer.MessageID = &outbound.ID
	}
	u.Add(s.countTurn(answer.MessageID)...)
	for _, part := range []func(Message) ([]table.Write, error){s.contactWrites, s.whereItLeads()} {
		writes, err := part(m)
		if err != nil {
			return Answer{}, err
		}
		u.Add(writes...)
	}
	u.Contact = s.Contact // with what led to it
	u.Count(s.contactCounts()...)
	u.Publish(contact.Events(s.storedContact(), s.Contact, s.Now)...)
	for _, outcome := range d.outcomes {
		if outcome.Store == nil {
			continue
		}
		writes, counts, err := outcome.Store(s.State)
		if err != nil {
			return Answer{}, err
		}
		u.Add(writes...)
		u.Count(counts)
	}
	others, err := s.otherWrites(ctx)
	if err != nil {
		return Answer{}, err
	}
	u.Add(others...)
	asked, counts, err := s.unansweredWrites(d, answer.InboundMessageID, reply)
	if err != nil {
		return Answer{}, err
	}
	u.Add(asked...)
	u.Count(counts)
	writes, err := u.Writes(ctx)
	if err != nil {
		return Answer{}, err
	}
	return answer, s.Table.Transact(ctx, append(writes, m.With...)...)
}

// stored are the messages as they are stored.
func (m Message) stored() []message.Part {
	if len(m.Parts) == 0 {
		return []message.Part{{Kind: conversation.Text, Content: m.Text}}
	}
	return m.Parts
}

// say takes a reply, with the answers that it offers, into the answer.
func (s *state) say(a *Answer, reply *ai.Reply) {
	a.Reply, a.Action, a.Intent = &reply.Text, reply.Action, reply.Intent
	a.Choices = append(a.Choices, s.offered...)
	a.Delay = time.Duration(s.Agent.ResponseDelaySeconds) * time.Second
	a.Cards = append(a.Cards, s.cards...)
	a.Confidence = reply.Confidence
	for _, source := range reply.Sources {
		a.Sources = append(a.Sources, conversation.Source{
			DocumentID: source.Document, Title: source.Title, URL: source.URL,
		})
	}
}

// whereItLeads stores what leads to the conversation: the sender's addresses, or the session.
func (s *state) whereItLeads() func(Message) ([]table.Write, error) {
	if s.message.Sender != nil {
		return s.addressWrites
	}
	return s.sessionWrites
}

// unit is the unit of work of the turn: the conversation as it was read and as it has become.
func (s *state) unit() *message.Unit {
	u := message.Store{Table: s.Table, Now: s.Clock, IDs: s.IDs}.NewAt(s.Account, s.Now)
	if s.conversationVersion != 0 {
		u.SetConversation(s.conversationBefore, s.conversationVersion)
	}
	u.Conversation, u.Contact = s.Conversation, s.Contact
	u.Subscriptions, u.Allowed = s.Agent.Subscriptions, s.allowed()
	return u
}

func (s *state) conversationWrites(m Message) ([]table.Write, error) {
	item, err := s.Conversation.Item(m.AccountID, s.conversationVersion)
	return []table.Write{table.PutAsRead(item)}, err
}

// otherWrites have the contact's other conversations know of it what the message has changed.
func (s *state) otherWrites(ctx context.Context) ([]table.Write, error) {
	if s.Contact.Partner() == s.contactBefore.Partner() {
		return nil, nil
	}
	others := slices.DeleteFunc(
		slices.Clone(s.Contact.Conversations),
		func(id int64) bool { return id == s.Conversation.ID },
	)
	return conversation.Renew(ctx, s.Table, s.Account, others, s.Contact.Partner())
}

// contactWrites stores the contact where it changed, the ways that lead to it where they are new, and removes
// the one left behind.
func (s *state) contactWrites(m Message) ([]table.Write, error) {
	var writes []table.Write
	phone := contact.KeyByPhone(m.AccountID, m.AgentID, m.Contact.Phone)
	email := contact.KeyByEmail(m.AccountID, m.AgentID, m.Contact.Email)
	external := contact.KeyByExternalID(m.AccountID, m.AgentID, m.Contact.ExternalID)
	var ways []table.Key
	if s.Contact.ExternalID == m.Contact.ExternalID && m.Contact.ExternalID != "" {
		ways = append(ways, external)
	}
	if s.Contact.Phone == m.Contact.Phone && m.Contact.Phone != "" {
		ways = append(ways, phone)
	}
	if s.Contact.Email == m.Contact.Email && m.Contact.Email != "" {
		ways = append(ways, email)
	}
	for _, key := range ways {
		before := s.pointers[key]
		if before.ContactID == s.Contact.ID ||
			before.ContactID != 0 && key == email && (m.Contact.Phone != "" || m.Contact.ExternalID != "") {
			continue // it leads here, or to another contact who gave the same e-mail address first
		}
		pointer, err := contact.Pointer{ContactID: s.Contact.ID, Version: before.Version}.Item(key)
		if err != nil {
			return nil, err
		}
		if key == email {
			s.Contact.EmailLeads = true
		}
		writes = append(writes, table.PutAsRead(pointer))
	}
	if s.Conversation.ID != 0 {
		s.Contact.Join(s.Conversation.ID)
	}
	if s.storesContact() {
		item, err := s.Contact.Item(m.AccountID, s.contactVersion)
		if err != nil {
			return nil, err
		}
		writes = append(writes, table.PutAsRead(item))
	}
	if s.leftBehindVersion != 0 {
		writes = append(
			writes,
			table.DeleteIfVersion(contact.Key(m.AccountID, s.leftBehind.ID), s.leftBehindVersion),
		)
	}
	return writes, nil
}

// storesContact reports whether the contact is to be written: where it is new, took in another, or changed.
func (s *state) storesContact() bool {
	return s.contactVersion == 0 || s.leftBehindVersion != 0 || s.Contact.Changed(s.contactBefore)
}

// sessionWrites stores where the session leads, where that is new.
func (s *state) sessionWrites(m Message) ([]table.Write, error) {
	session := conversation.Session{ConversationID: s.Conversation.ID, ContactID: s.Contact.ID}
	if s.hasSession && session == s.session {
		return nil, nil
	}
	item, err := session.Item(conversation.SessionKey(m.AccountID, m.AgentID, s.sessionID))
	if session.ConversationID == 0 {
		item.Expires = s.Now.Add(silentSession).Truncate(time.Second)
	}
	if s.hasSession {
		return []table.Write{table.Put(item)}, err
	}
	return []table.Write{table.PutIfAbsent(item)}, err
}

// silentSession is how long a session is kept whose visitor has said who they are and nothing else.
const silentSession = 30 * 24 * time.Hour

// storedContact is the contact as it was read, nil where the message makes it.
func (s *state) storedContact() *contact.Contact {
	if s.contactVersion == 0 {
		return nil
	}
	return &s.contactBefore
}

// contactCounts are what changes in the counts of the agent's contacts.
func (s *state) contactCounts() []counter.Change {
	counts := []counter.Change{contact.Recount(s.storedContact(), &s.Contact)}
	if s.leftBehindVersion != 0 {
		counts = append(counts, contact.Recount(&s.leftBehind, nil))
	}
	return counts
}
