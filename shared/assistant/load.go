package assistant

import (
	"context"
	"slices"
	"time"

	"frontdesk/shared/agent"
	"frontdesk/shared/ai/builtin"
	"frontdesk/shared/ai/faq"
	"frontdesk/shared/appointment"
	"frontdesk/shared/auth"
	"frontdesk/shared/contact"
	"frontdesk/shared/conversation"
	"frontdesk/shared/identity"
	"frontdesk/shared/knowledge"
	"frontdesk/shared/playbook"
	"frontdesk/shared/table"
)

// A state is all that a turn knows, as it was read and then as it is to be stored.
type state struct {
	*Assistant
	message Message
	claimed identity.Claims // what the writer states of themselves and nobody has proved
	now     time.Time
	account auth.Account
	plan    auth.Plan
	used    int64 // AI replies of the period
	visits  auth.Visits
	inPlan  bool // the plan has room for the agent
	agent   agent.Agent
	// reservation is shared by all tries of the turn.
	reservation *reservation

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

	sessionID  string // "" while a new one has no conversation to name
	session    conversation.Session
	hasSession bool            // it is stored, as in session
	addresses  []storedAddress // of the sender's addresses that are known

	pointers map[table.Key]contact.Pointer // where phones and e-mail addresses lead
	reading  builtin.Reading               // of the message
	details  details                       // that the message tells, as far as the agent is to keep that
	told     details                       // that the message tells, for the funnels that ask for it
	found    knowledge.Result
	reserved table.Item // of appointment.ReservedKey, read before what takes the agent's time
	book     *book

	pending    string     // the question of a funnel that awaits its answer still
	reminder   string     // what a booking under way still asks, to go back to
	unanswered table.Item // the message as a question that was not answered before
	declined   bool       // and is not now
	faq        *faq.Model // as of the agent's last training; nil where there is none
}

// load reads everything in two steps: what the message names, then what those things lead to. The search of the
// knowledge runs beside the second and takes two trips itself. The conversation that the session's id names is read with
// the first step; where the session leads elsewhere, its conversation comes with the second, or in a step of its own where
// the message goes on with the one before it.
func (a *Assistant) load(ctx context.Context, m Message, reserved *reservation) (*state, error) {
	s := &state{
		Assistant: a, reservation: reserved, now: a.Now().UTC().Truncate(time.Millisecond), sessionID: m.SessionID,
		pointers: map[table.Key]contact.Pointer{},
	}
	if !m.Proved {
		s.claimed, m.Contact = m.Contact, Identity{}
	}
	s.message = m
	var named, linked map[table.Key]table.Item
	var thread table.Page
	guess := conversation.Named(m.SessionID)
	err := table.Parallel(ctx, func(ctx context.Context) (err error) {
		named, err = a.Table.BatchGet(ctx, m.keys()...)
		return err
	}, func(ctx context.Context) (err error) {
		thread, err = a.latest(ctx, m.AccountID, guess)
		return err
	})
	if err != nil {
		return nil, err
	}
	if err := s.readNamed(m, named); err != nil {
		return nil, err
	}
	s.reading = a.engine.Read(s.language(), m.Text)
	s.details = s.readDetails(false)
	s.told = s.details
	if named[agent.Key(m.AccountID, m.AgentID)].Numbers[string(playbook.Funnels)] > 0 {
		s.told = s.readDetails(true)
	}
	if s.session.ConversationID != guess {
		thread = table.Page{} // of a conversation that is not this session's
	}
	known := s.knownContact(m)
	missing := len(thread.Items) == 0 && s.session.ConversationID != 0
	if missing && s.goesOn() { // the search needs to know with what
		if thread, err = a.latest(ctx, m.AccountID, s.session.ConversationID); err != nil {
			return nil, err
		}
		missing = false
	}
	if err := s.readThread(thread); err != nil {
		return nil, err
	}
	question, numbers := s.question(), named[agent.Key(m.AccountID, m.AgentID)].Numbers
	err = table.Parallel(ctx, func(ctx context.Context) error {
		if !missing {
			return nil
		}
		thread, err := a.latest(ctx, m.AccountID, s.session.ConversationID)
		if err != nil {
			return err
		}
		return s.readThread(thread)
	}, func(ctx context.Context) (err error) {
		linked, err = a.Table.BatchGet(ctx, s.linkedKeys(m, known)...)
		return err
	}, func(ctx context.Context) (err error) {
		s.found, err = knowledge.Search(ctx, a.Table, knowledge.Query{
			Account: m.AccountID, Agent: m.AgentID, Text: question, Limit: passages,
			Corpus: knowledge.CorpusOf(numbers),
		})
		return err
	}, func(ctx context.Context) (err error) {
		s.faq, err = a.trained(ctx, &s.agent)
		return err
	}, func(ctx context.Context) error {
		return s.readBook(ctx, numbers)
	})
	if err != nil {
		return nil, err
	}
	if err := s.readLimits(ctx, m, linked); err != nil {
		return nil, err
	}
	s.unanswered = linked[s.unansweredKey()]
	s.reserved = linked[appointment.ReservedKey(m.AccountID, m.AgentID)]
	if err := s.readPointers(linked, s.detailKeys()); err != nil {
		return nil, err
	}
	if err := s.chooseContact(m, known, linked); err != nil {
		return nil, err
	}
	s.beginAnew()
	s.conversationBefore, s.contactBefore = s.conversation, s.contact
	s.updateContact()
	return s, nil
}

// latest reads a conversation and its last messages; nothing for 0.
func (a *Assistant) latest(ctx context.Context, account, conversationID int64) (table.Page, error) {
	if conversationID == 0 {
		return table.Page{}, nil
	}
	return a.Table.Query(ctx, conversation.Latest(account, conversationID, historyLength, true))
}

// keys are what the message names: workspace, agent, session, and the ways to the writer's contact.
func (m Message) keys() []table.Key {
	keys := slices.Concat([]table.Key{auth.AccountKey(m.AccountID)}, agent.Keys(m.AccountID, m.AgentID), m.pointerKeys(), m.senderKeys())
	if m.Sender == nil && m.SessionID != "" {
		keys = append(keys, conversation.SessionKey(m.AccountID, m.AgentID, m.SessionID))
	}
	return keys
}

// readNamed takes in the items of the message's keys.
func (s *state) readNamed(m Message, items map[table.Key]table.Item) (err error) {
	if s.agent, err = agent.Read(items, m.AccountID, m.AgentID); err != nil {
		return err
	}
	if m.Admit != nil {
		if err := m.Admit(s.agent.Summary); err != nil {
			return err
		}
	}
	if s.account, err = auth.ReadAccount(items[auth.AccountKey(m.AccountID)]); err != nil {
		return err
	}
	if s.plan, err = auth.PlanNamed(s.account.Plan); err != nil {
		return err
	}
	s.restrictModel()
	if err := s.readPointers(items, m.pointerKeys()); err != nil {
		return err
	}
	if m.Sender != nil {
		return s.readSender(items)
	}
	item, ok := items[conversation.SessionKey(m.AccountID, m.AgentID, m.SessionID)]
	if !ok {
		return nil
	}
	s.hasSession = true
	s.session, err = conversation.ReadSession(item)
	return err
}

// linkedKeys are what the named things lead to: the contacts, and the count of the workspace's replies.
func (s *state) linkedKeys(m Message, known int64) []table.Key {
	var keys []table.Key
	if known != 0 {
		keys = append(keys, contact.Key(m.AccountID, known))
	}
	if s.hasSession && s.session.ContactID != known {
		keys = append(keys, contact.Key(m.AccountID, s.session.ContactID))
	}
	keys = append(keys, s.limitKeys(m)...)
	if s.agent.BookingEnabled {
		keys = append(keys, appointment.ReservedKey(m.AccountID, m.AgentID))
	}
	if key := s.unansweredKey(); key != (table.Key{}) {
		keys = append(keys, key)
	}
	return append(keys, s.detailKeys()...)
}

// pointerKeys are where the writer's phone and e-mail address lead to a contact from.
func (m Message) pointerKeys() []table.Key {
	var keys []table.Key
	if m.Contact.ExternalID != "" {
		keys = append(keys, contact.KeyByExternalID(m.AccountID, m.AgentID, m.Contact.ExternalID))
	}
	if m.Contact.Phone != "" {
		keys = append(keys, contact.KeyByPhone(m.AccountID, m.AgentID, m.Contact.Phone))
	}
	if m.Contact.Email != "" {
		keys = append(keys, contact.KeyByEmail(m.AccountID, m.AgentID, m.Contact.Email))
	}
	return keys
}

// detailKeys are where the phone and the e-mail address that the message tells lead to a contact from, unless it names
// others.
func (s *state) detailKeys() []table.Key {
	told := s.message
	told.Contact = Identity{}
	if !s.message.Proved {
		return nil
	}
	if s.message.Contact.Phone == "" {
		told.Contact.Phone = s.told.Phone
	}
	if s.message.Contact.Email == "" {
		told.Contact.Email = s.told.Email
	}
	return told.pointerKeys()
}

// readPointers takes in where the keys of phones and e-mail addresses lead to.
func (s *state) readPointers(items map[table.Key]table.Item, keys []table.Key) (err error) {
	for _, key := range keys {
		if item, ok := items[key]; ok {
			if s.pointers[key], err = contact.ReadPointer(item); err != nil {
				return err
			}
		}
	}
	return nil
}

// knownContact is the contact that the message names: by the external id where that leads to one, by the phone where
// there is one, or else by the e-mail address.
func (s *state) knownContact(m Message) int64 {
	external := s.pointers[contact.KeyByExternalID(m.AccountID, m.AgentID, m.Contact.ExternalID)].ContactID
	switch {
	case m.Contact.ExternalID != "" && external != 0:
		return external
	case m.Contact.Phone != "":
		return s.pointers[contact.KeyByPhone(m.AccountID, m.AgentID, m.Contact.Phone)].ContactID
	case m.Contact.Email != "":
		return s.pointers[contact.KeyByEmail(m.AccountID, m.AgentID, m.Contact.Email)].ContactID
	}
	return 0
}

// readThread takes in the conversation and its latest messages. A conversation that is gone leaves the state as that of
// a new one.
func (s *state) readThread(thread table.Page) error {
	if len(thread.Items) == 0 || thread.Items[0].SK != conversation.Key(0, 0).SK {
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
func (s *state) chooseContact(m Message, known int64, contacts map[table.Key]table.Item) error {
	read := func(id int64) (contact.Contact, int64, error) {
		item, ok := contacts[contact.Key(m.AccountID, id)]
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
	fits := (m.Contact.ExternalID == "" || before.ExternalID == "") && (m.Contact.Phone == "" || before.Phone == "") &&
		(m.Contact.Email == "" || before.Email == "" || m.Contact.Phone != "")
	switch {
	case namedVersion != 0:
		s.contact, s.contactVersion = named, namedVersion
		if beforeVersion != 0 && before.ID != named.ID && before.Anonymous() {
			s.leftBehind, s.leftBehindVersion = before, beforeVersion
			for name, value := range before.Facts {
				s.remember(name, value)
			}
			s.contact.OptedIn = s.contact.OptedIn && before.OptedIn
		}
	case beforeVersion != 0 && fits:
		s.contact, s.contactVersion = before, beforeVersion
	default:
		s.contact = contact.New(s.IDs.Next(), m.AgentID, s.now)
	}
	return nil
}

// updateContact brings the contact to what it is after the message. What is known of it stays. Whose phone it gets may
// have wanted no messages.
func (s *state) updateContact() {
	m := s.message
	if s.contact.Phone == "" && s.pointers[contact.KeyByPhone(m.AccountID, m.AgentID, m.Contact.Phone)].OptedOut {
		s.contact.OptedIn = false
	}
	for field, value := range map[*string]string{
		&s.contact.Name: m.Contact.Name, &s.contact.Email: m.Contact.Email, &s.contact.ExternalID: m.Contact.ExternalID,
	} {
		if *field == "" {
			*field = value
		}
	}
	holder := s.pointers[contact.KeyByPhone(m.AccountID, m.AgentID, m.Contact.Phone)].ContactID
	if s.contact.Phone == "" && (holder == 0 || holder == s.contact.ID) { // two contacts have no phone in common
		s.contact.Phone = m.Contact.Phone
	}
	s.contact.Claim(s.claimed)
	s.contact.LastSeenAt = s.now
	s.contact.LeadScore = s.contact.Score()
	s.conversation.Partner = s.contact.Partner()
}

// updateConversation brings the conversation to what it is after the message: begun where it is new, and open. A conversation that
// turns out to be taken by another is begun anew with the turn, and so is a session that names it.
func (s *state) updateConversation() {
	m := s.message
	if s.conversationVersion == 0 {
		conversationID := s.IDs.Next()
		if s.sessionID == "" && m.Sender == nil {
			s.sessionID = conversation.NewSessionID(conversationID)
		}
		s.conversation = conversation.New(conversationID, m.AgentID, m.Channel, s.contact.Partner())
		s.conversation.SessionID = s.sessionID
	}
	if m.Sender != nil {
		s.conversation.Address = m.Sender.Address
		if m.Sender.Window > 0 {
			s.conversation.WindowEndsAt = m.Sender.WroteAt.Add(m.Sender.Window)
		}
	}
	s.conversation.Reopen(s.now)
}
