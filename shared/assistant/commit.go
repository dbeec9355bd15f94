package assistant

import (
	"context"
	"slices"
	"time"

	"frontdesk/shared/ai"
	"frontdesk/shared/contact"
	"frontdesk/shared/conversation"
	"frontdesk/shared/event"
	"frontdesk/shared/table"
	"frontdesk/shared/tally"
)

// commit stores the message, the reply when there is one, and what they change, all or nothing. A *table.Failed says
// that something changed since it was loaded.
func (s *state) commit(ctx context.Context, d *decision, reply *ai.Reply) (Answer, error) {
	m := s.message
	answer := Answer{SessionID: s.sessionID, ConversationID: s.conversation.ID, ContactID: s.contact.ID, Action: d.silence}
	messages := s.received()
	inbound := messages[len(messages)-1]
	answer.InboundMessageID = inbound.ID
	var said *conversation.Message
	var writes []table.Write
	var usage, counts tally.Change
	if reply != nil {
		outbound := s.newMessage(conversation.Outbound, reply.Text)
		outbound.Usage = reply.Usage
		queued, err := s.hand(&outbound)
		if err != nil {
			return Answer{}, err
		}
		writes = append(writes, queued...)
		usage = conversation.CountUsage(outbound)
		messages = append(messages, outbound)
		answer.MessageID = &outbound.ID
		answer.say(reply, time.Duration(s.agent.ResponseDelaySeconds)*time.Second)
		said = &outbound
		writes = append(writes, s.account.CountReply(s.plan, s.now, outbound.ID))
	}
	stored, err := s.conversation.Append(m.AccountID, messages...)
	if err != nil {
		return Answer{}, err
	}
	writes = append(writes, stored...)
	for _, part := range []func(Message) ([]table.Write, error){s.conversationWrites, s.contactWrites, s.whereItLeads()} {
		more, err := part(m)
		if err != nil {
			return Answer{}, err
		}
		writes = append(writes, more...)
	}
	if d.store != nil {
		var more []table.Write
		if more, counts, err = d.store(); err != nil {
			return Answer{}, err
		}
		writes = append(writes, more...)
	}
	others, err := s.otherWrites(ctx)
	if err != nil {
		return Answer{}, err
	}
	writes = append(writes, others...)
	asked, askedCounts, err := s.unansweredWrites(inbound, reply)
	if err != nil {
		return Answer{}, err
	}
	writes = append(append(writes, asked...), s.counterWrites(m, inbound.ID, usage, counts, askedCounts)...)
	published, err := event.Publish(s.IDs, m.AccountID, s.agent.Subscriptions, s.events(inbound, said, reply)...)
	if err != nil {
		return Answer{}, err
	}
	writes = append(writes, published...)
	return answer, s.Table.Transact(ctx, append(writes, m.With...)...)
}

// say takes a reply into the answer.
func (a *Answer) say(reply *ai.Reply, delay time.Duration) {
	a.Reply, a.Action, a.Intent, a.Delay = &reply.Text, reply.Action, reply.Intent, delay
	a.Confidence, a.Sources = reply.Confidence, reply.Sources
}

// received are the messages that came, the latest last.
func (s *state) received() []conversation.Message {
	m := s.message
	if len(m.Parts) == 0 {
		return []conversation.Message{s.newMessage(conversation.Inbound, m.Text)}
	}
	var messages []conversation.Message
	for _, part := range m.Parts {
		message := s.newMessage(conversation.Inbound, part.Content)
		message.Type = part.Kind
		messages = append(messages, message)
	}
	return messages
}

// whereItLeads stores what leads to the conversation: the sender's addresses, or the session.
func (s *state) whereItLeads() func(Message) ([]table.Write, error) {
	if s.message.Sender != nil {
		return s.identityWrites
	}
	return s.sessionWrites
}

func (s *state) newMessage(direction conversation.Direction, text string) conversation.Message {
	m := conversation.Message{
		ID: s.IDs.Next(), ConversationID: s.conversation.ID, Direction: direction, Type: conversation.Text,
		Content: text, Status: conversation.Received, CreatedAt: s.now,
	}
	if direction == conversation.Outbound {
		m.SentByAI, m.Status = true, conversation.Sent
		m.CreatedAt = s.Now().UTC().Truncate(time.Millisecond) // the model took its time
	}
	return m
}

func (s *state) conversationWrites(m Message) ([]table.Write, error) {
	item, err := s.conversation.Item(m.AccountID, s.conversationVersion)
	return []table.Write{table.PutAsRead(item)}, err
}

// otherWrites have the contact's other conversations know of it what the message has changed.
func (s *state) otherWrites(ctx context.Context) ([]table.Write, error) {
	if s.contact.Partner() == s.contactBefore.Partner() {
		return nil, nil
	}
	others := slices.DeleteFunc(slices.Clone(s.contact.Conversations), func(id int64) bool { return id == s.conversation.ID })
	return conversation.Renew(ctx, s.Table, s.message.AccountID, others, s.contact.Partner())
}

// contactWrites stores the contact, the ways that lead to it where they are new, and removes the one left behind.
func (s *state) contactWrites(m Message) ([]table.Write, error) {
	var writes []table.Write
	phone := contact.KeyByPhone(m.AccountID, m.AgentID, m.Contact.Phone)
	email := contact.KeyByEmail(m.AccountID, m.AgentID, m.Contact.Email)
	external := contact.KeyByExternalID(m.AccountID, m.AgentID, m.Contact.ExternalID)
	var ways []table.Key
	if s.contact.ExternalID == m.Contact.ExternalID && m.Contact.ExternalID != "" {
		ways = append(ways, external)
	}
	if s.contact.Phone == m.Contact.Phone && m.Contact.Phone != "" {
		ways = append(ways, phone)
	}
	if s.contact.Email == m.Contact.Email && m.Contact.Email != "" {
		ways = append(ways, email)
	}
	for _, key := range ways {
		before := s.pointers[key]
		if before.ContactID == s.contact.ID || before.ContactID != 0 && key == email && (m.Contact.Phone != "" || m.Contact.ExternalID != "") {
			continue // it leads here, or to another contact who gave the same e-mail address first
		}
		pointer, err := contact.Pointer{ContactID: s.contact.ID, Version: before.Version}.Item(key)
		if err != nil {
			return nil, err
		}
		if key == email {
			s.contact.EmailLeads = true
		}
		writes = append(writes, table.PutAsRead(pointer))
	}
	if s.conversation.ID != 0 {
		s.contact.Join(s.conversation.ID)
	}
	item, err := s.contact.Item(m.AccountID, s.contactVersion)
	if err != nil {
		return nil, err
	}
	writes = append(writes, table.PutAsRead(item))
	if s.leftBehindVersion != 0 {
		writes = append(writes, table.DeleteIfVersion(contact.Key(m.AccountID, s.leftBehind.ID), s.leftBehindVersion))
	}
	return writes, nil
}

// sessionWrites stores where the session leads, where that is new.
func (s *state) sessionWrites(m Message) ([]table.Write, error) {
	session := conversation.Session{ConversationID: s.conversation.ID, ContactID: s.contact.ID}
	if s.hasSession && session == s.session {
		return nil, nil
	}
	item, err := session.Item(conversation.SessionKey(m.AccountID, m.AgentID, s.sessionID))
	if session.ConversationID == 0 {
		item.Expires = s.now.Add(silentSession).Truncate(time.Second)
	}
	if s.hasSession {
		return []table.Write{table.Put(item)}, err
	}
	return []table.Write{table.PutIfAbsent(item)}, err
}

// silentSession is how long a session is kept whose visitor has said who they are and nothing else.
const silentSession = 30 * 24 * time.Hour

// counterWrites keeps the counts of the agent's conversations and contacts, and those that change beside them.
func (s *state) counterWrites(m Message, spread int64, counts ...tally.Change) []table.Write {
	switch {
	case s.conversationVersion != 0:
		counts = append(counts, conversation.Recount(&s.conversationBefore, &s.conversation))
	case s.conversation.ID != 0:
		counts = append(counts, conversation.Recount(nil, &s.conversation))
	}
	if s.contactVersion != 0 {
		counts = append(counts, contact.Recount(&s.contactBefore, &s.contact))
	} else {
		counts = append(counts, contact.Recount(nil, &s.contact))
	}
	if s.leftBehindVersion != 0 {
		counts = append(counts, contact.Recount(&s.leftBehind, nil))
	}
	return tally.Add(m.AccountID, m.AgentID, spread, counts...)
}
