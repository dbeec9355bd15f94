package assistant

import (
	"context"
	"slices"
	"time"

	"frontdesk/shared/agent"
	"frontdesk/shared/ai/faq"
	"frontdesk/shared/auth"
	"frontdesk/shared/contact"
	"frontdesk/shared/conversation"
	"frontdesk/shared/id"
	"frontdesk/shared/knowledge"
	"frontdesk/shared/table"
)

// A state is all that a turn knows, as it was read and then as it is to be stored.
type state struct {
	now   time.Time
	agent agent.Agent
	used  int64 // AI replies of the period

	conversation        conversation.Conversation
	conversationVersion int64 // 0 when it is new
	conversationBefore  conversation.Conversation
	history             []conversation.Message

	contact        contact.Contact
	contactVersion int64 // 0 when it is new
	contactBefore  contact.Contact
	// leftBehind is the anonymous contact that the conversation had before its writer was recognised.
	leftBehind        contact.Contact
	leftBehindVersion int64

	session    conversation.Session
	hasSession bool // it is stored, as in session

	pointers map[table.Key]int64 // contacts that the phone and the e-mail address lead to
	found    knowledge.Result
	faq      *faq.Model // as of the agent's last training; nil where there is none
}

// load reads everything in two steps: what the message names, then what those things lead to. The search of the
// knowledge runs beside the second and takes two trips itself.
func (a *Assistant) load(ctx context.Context, m Message) (*state, error) {
	s := &state{now: a.Now().UTC().Truncate(time.Millisecond), pointers: map[table.Key]int64{}}
	sessionKey := table.SessionKey(m.Account.ID, m.AgentID, m.SessionID)
	agentKeys := agent.Keys(m.Account.ID, m.AgentID)
	pointerKeys := m.pointerKeys()
	keys := slices.Concat([]table.Key{sessionKey}, agentKeys, pointerKeys)
	if m.Plan.Replies > 0 {
		keys = append(keys, m.Account.UsageKey(s.now))
	}
	items, err := a.Table.BatchGet(ctx, keys...)
	if err != nil {
		return nil, err
	}
	if s.agent, err = agent.Read(items, m.Account.ID, m.AgentID); err != nil {
		return nil, err
	}
	s.used = auth.Used(items[m.Account.UsageKey(s.now)])
	for _, key := range pointerKeys {
		if item, ok := items[key]; ok {
			if s.pointers[key], err = contact.ReadPointer(item); err != nil {
				return nil, err
			}
		}
	}
	if item, ok := items[sessionKey]; ok {
		s.hasSession = true
		if s.session, err = conversation.ReadSession(item); err != nil {
			return nil, err
		}
	}
	known := s.knownContact(m)

	var contacts map[table.Key]table.Item
	var thread table.Page
	err = table.Together(ctx, func(ctx context.Context) (err error) {
		if s.hasSession {
			thread, err = a.Table.Query(ctx, conversation.Latest(m.Account.ID, s.session.ConversationID, historyLength, true))
		}
		return err
	}, func(ctx context.Context) (err error) {
		var keys []table.Key
		if known != 0 {
			keys = append(keys, table.ContactKey(m.Account.ID, known))
		}
		if s.hasSession && s.session.ContactID != known {
			keys = append(keys, table.ContactKey(m.Account.ID, s.session.ContactID))
		}
		if keys != nil {
			contacts, err = a.Table.BatchGet(ctx, keys...)
		}
		return err
	}, func(ctx context.Context) (err error) {
		s.found, err = knowledge.Search(ctx, a.Table, knowledge.Query{
			Account: m.Account.ID, Agent: m.AgentID, Text: m.Text, Limit: passages,
			Corpus: knowledge.CorpusOf(items[table.AgentKey(m.Account.ID, m.AgentID)].Numbers),
		})
		return err
	}, func(ctx context.Context) (err error) {
		s.faq, err = a.trained.model(ctx, a.Table, &s.agent)
		return err
	})
	if err != nil {
		return nil, err
	}
	if err := s.readThread(thread); err != nil {
		return nil, err
	}
	if err := s.chooseContact(a, m, known, contacts); err != nil {
		return nil, err
	}
	s.conversationBefore, s.contactBefore = s.conversation, s.contact
	s.settleContact(m)
	return s, nil
}

// pointerKeys are where the writer's phone and e-mail address lead to a contact from.
func (m Message) pointerKeys() []table.Key {
	var keys []table.Key
	if m.Contact.Phone != "" {
		keys = append(keys, table.ContactByPhone(m.Account.ID, m.AgentID, m.Contact.Phone))
	}
	if m.Contact.Email != "" {
		keys = append(keys, table.ContactByEmail(m.Account.ID, m.AgentID, m.Contact.Email))
	}
	return keys
}

// knownContact is the contact that the message names: by the phone where there is one, or else by the e-mail address.
func (s *state) knownContact(m Message) int64 {
	switch {
	case m.Contact.Phone != "":
		return s.pointers[table.ContactByPhone(m.Account.ID, m.AgentID, m.Contact.Phone)]
	case m.Contact.Email != "":
		return s.pointers[table.ContactByEmail(m.Account.ID, m.AgentID, m.Contact.Email)]
	}
	return 0
}

// readThread takes in the conversation and its latest messages. A conversation that is gone leaves the state as that of
// a new one.
func (s *state) readThread(thread table.Page) error {
	if len(thread.Items) == 0 || thread.Items[0].SK != table.ConversationKey(0, 0).SK {
		return nil
	}
	var err error
	if s.conversation, err = conversation.Read(thread.Items[0]); err != nil {
		return err
	}
	s.conversationVersion = thread.Items[0].Version
	for _, item := range slices.Backward(thread.Items[1:]) {
		message, err := conversation.ReadMessage(item)
		if err != nil {
			return err
		}
		s.history = append(s.history, message)
	}
	return nil
}

// chooseContact decides whose message it is: the contact that it names; or else the session's, unless the message names
// someone the session's contact cannot be; or else somebody new.
func (s *state) chooseContact(a *Assistant, m Message, known int64, contacts map[table.Key]table.Item) error {
	read := func(id int64) (contact.Contact, int64, error) {
		item, ok := contacts[table.ContactKey(m.Account.ID, id)]
		if !ok || id == 0 {
			return contact.Contact{}, 0, nil
		}
		c, err := contact.Read(item)
		return c, item.Version, err
	}
	named, namedVersion, err := read(known)
	if err != nil {
		return err
	}
	before, beforeVersion, err := read(s.session.ContactID)
	if err != nil {
		return err
	}
	fits := (m.Contact.Phone == "" || before.Phone == "") &&
		(m.Contact.Email == "" || before.Email == "" || m.Contact.Phone != "")
	switch {
	case namedVersion != 0:
		s.contact, s.contactVersion = named, namedVersion
		if beforeVersion != 0 && before.ID != named.ID && before.Anonymous() {
			s.leftBehind, s.leftBehindVersion = before, beforeVersion
		}
	case beforeVersion != 0 && fits:
		s.contact, s.contactVersion = before, beforeVersion
	default:
		s.contact = contact.New(a.IDs.Next(), m.AgentID, s.now)
	}
	return nil
}

// settleContact brings the contact to what it is after the message. What is known of it stays.
func (s *state) settleContact(m Message) {
	for field, value := range map[*string]string{
		&s.contact.Name: m.Contact.Name, &s.contact.Phone: m.Contact.Phone, &s.contact.Email: m.Contact.Email,
	} {
		if *field == "" {
			*field = value
		}
	}
	s.contact.LastSeenAt = s.now
	s.contact.LeadScore = s.contact.Score()
	s.conversation.ContactID = s.contact.ID
	s.conversation.ContactName = s.contact.Name
	s.conversation.LeadScore = s.contact.LeadScore
}

// settleConversation brings the conversation to what it is after the message: begun where it is new, and open.
func (s *state) settleConversation(a *Assistant, m Message) {
	if s.conversationVersion == 0 {
		conversationID := a.IDs.Next()
		s.conversation = conversation.Conversation{
			ID:           conversationID,
			AgentID:      m.AgentID,
			ContactID:    s.contact.ID,
			ContactName:  s.contact.Name,
			LeadScore:    s.contact.LeadScore,
			Status:       conversation.Open,
			Channel:      m.Channel,
			AIEnabled:    true,
			TakeoverMode: conversation.ByAI,
			Priority:     conversation.Normal,
			CreatedAt:    id.Time(conversationID), // by which lists find it
			SessionID:    m.SessionID,
		}
	}
	if s.conversation.Status == conversation.Resolved || s.conversation.Status == conversation.Closed {
		s.conversation.Status = conversation.Open
	}
}
