package assistant

import (
	"context"
	"slices"
	"time"

	"frontdesk/shared/ai"
	"frontdesk/shared/contact"
	"frontdesk/shared/conversation"
	"frontdesk/shared/message"
	"frontdesk/shared/table"
)

// commit stores the message, the reply if there is one, and their changes in one transaction. It returns a
// *table.ConditionError if something has changed since it was loaded.
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
	u.Add(s.quota.Writes(answer.MessageID)...)
	for _, part := range []func(Message) ([]table.Write, error){s.contactWrites, s.pointerWrites()} {
		writes, err := part(m)
		if err != nil {
			return Answer{}, err
		}
		u.Add(writes...)
	}
	u.Contact = s.Contact // with its new addresses
	u.Count(s.author.Counts(s.Contact)...)
	u.Publish(contact.Events(s.author.Stored(), s.Contact, s.Now)...)
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

// stored returns the messages to store: the parts, or else the text as a single one.
func (m Message) stored() []message.Part {
	if len(m.Parts) == 0 {
		return []message.Part{{Kind: conversation.Text, Content: m.Text}}
	}
	return m.Parts
}

// say copies the reply and what it offers into the answer.
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

// pointerWrites returns the function that stores the pointers to the conversation: the sender's addresses
// or the session.
func (s *state) pointerWrites() func(Message) ([]table.Write, error) {
	if s.message.Sender != nil {
		return s.addressWrites
	}
	return s.sessionWrites
}

// unit returns the unit of work of the turn, with the conversation before and after it.
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

// otherWrites updates the copy of the contact in its other conversations, if the message changed it.
func (s *state) otherWrites(ctx context.Context) ([]table.Write, error) {
	if !s.author.PartnerChanged(s.Contact) {
		return nil, nil
	}
	others := slices.DeleteFunc(
		slices.Clone(s.Contact.Conversations),
		func(id int64) bool { return id == s.Conversation.ID },
	)
	return conversation.UpdatePartner(ctx, s.Table, s.Account, others, s.Contact.Partner())
}

// contactWrites stores the contact and its pointers, if they changed.
func (s *state) contactWrites(Message) ([]table.Write, error) {
	if s.Conversation.ID != 0 {
		s.Contact.Join(s.Conversation.ID)
	}
	return s.author.Writes(&s.Contact)
}

// sessionWrites stores the pointer of the session, if it changed.
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

// silentSession is how long a session without any message is kept.
const silentSession = 30 * 24 * time.Hour
