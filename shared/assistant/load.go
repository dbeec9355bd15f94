package assistant

import (
	"context"
	"slices"
	"time"

	"frontdesk/shared/agent"
	"frontdesk/shared/appointment"
	"frontdesk/shared/assistant/skill"
	"frontdesk/shared/auth"
	"frontdesk/shared/contact"
	"frontdesk/shared/conversation"
	"frontdesk/shared/identity"
	"frontdesk/shared/knowledge"
	"frontdesk/shared/playbook"
	"frontdesk/shared/table"
	"frontdesk/shared/text"
)

// A state is a turn: what its skills read, and what it takes to store what they return.
type state struct {
	*skill.State
	assistant *Assistant
	message   Message
	claimed   identity.Claims // what the writer states of themselves and nobody has proved
	account   auth.Account
	plan      auth.Plan
	used      int64 // AI replies of the period
	visits    auth.Visits
	inPlan    bool // the plan has room for the agent

	hasFunnels bool // the agent has any
	chose      bool // the message is one of the answers that were offered

	conversationVersion int64 // 0 when it is new
	conversationBefore  conversation.Conversation

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

	offered     []conversation.Choice      // those that the reply offers
	cards       []conversation.Card        // the products that the reply offers
	handsOver   conversation.HandoffReason // why the turn brings in a person, "" where it does not
	unanswered  table.Item                 // the message as a question that was not answered
	reservation *reservation               // of the turn, whichever of its tries this is
}

// load reads everything in two steps: what the message names, then what those things lead to. The search of
// the knowledge runs beside the second and takes two trips itself. The conversation that the session's id
// names is read with the first step; where the session leads elsewhere, its conversation comes with the
// second, or in a step of its own where the message goes on with the one before it.
func (a *Assistant) load(ctx context.Context, m Message, reserved *reservation) (*state, error) {
	s := a.newState(m)
	s.reservation = reserved
	m = s.message
	named, thread, err := s.loadNamed(ctx, m)
	if err != nil {
		return nil, err
	}
	known := s.knownContact(m)
	missing := len(thread.Items) == 0 && s.session.ConversationID != 0
	if missing && s.GoesOn() { // the search needs to know with what
		if thread, err = a.latest(ctx, m.AccountID, s.session.ConversationID); err != nil {
			return nil, err
		}
		missing = false
	}
	if err := s.readThread(thread); err != nil {
		return nil, err
	}
	version := named[agent.Key(m.AccountID, m.AgentID)].Version
	details := s.agentKeys(version)
	linked, err := s.loadLinked(ctx, append(s.linkedKeys(m, known), details...), named, missing)
	if err != nil {
		return nil, err
	}
	if err := s.readAgent(version, details, linked); err != nil {
		return nil, err
	}
	if err := s.readLimits(ctx, m, linked); err != nil {
		return nil, err
	}
	s.ByModel = !byBuiltIn(&s.Agent)
	s.unanswered = linked[s.unansweredKey()]
	s.Reserved = linked[appointment.ReservedKey(m.AccountID, m.AgentID)]
	if err := s.readPointers(linked, s.detailKeys()); err != nil {
		return nil, err
	}
	if _, ok := linked[contact.Key(m.AccountID, known)]; known != 0 && !ok {
		if err := s.dropPointers(ctx, m, known); err != nil {
			return nil, err
		}
	}
	if err := s.chooseContact(m, known, linked); err != nil {
		return nil, err
	}
	s.beginAnew()
	if err := s.readChoice(ctx, named[agent.Key(m.AccountID, m.AgentID)].Numbers); err != nil {
		return nil, err
	}
	s.conversationBefore, s.contactBefore = s.Conversation, s.Contact
	s.updateContact()
	return s, nil
}

// newState is the state of a turn before anything is read.
func (a *Assistant) newState(m Message) *state {
	s := &state{
		State: &skill.State{
			Table: a.Table, IDs: a.IDs, Clock: a.Now, Engine: &a.engine, Answers: a.builtIn(),
			Now:     a.Now().UTC().Truncate(time.Millisecond),
			Account: m.AccountID, Text: m.Text, Context: m.Context, NeedsWords: m.NeedsWords,
			Proved: m.Proved,
		},
		assistant: a, sessionID: m.SessionID, pointers: map[table.Key]contact.Pointer{},
	}
	if !m.Proved {
		s.claimed, m.Contact = m.Contact, Identity{}
	}
	s.message = m
	return s
}

// loadNamed reads what the message names, and the conversation that the session's id names, where it is this
// one.
func (s *state) loadNamed(
	ctx context.Context,
	m Message,
) (named map[table.Key]table.Item, thread table.Page, err error) {
	guess := conversation.Named(m.SessionID)
	err = table.Parallel(ctx, func(ctx context.Context) (err error) {
		named, err = s.Table.BatchGet(ctx, m.keys()...)
		return err
	}, func(ctx context.Context) (err error) {
		thread, err = s.assistant.latest(ctx, m.AccountID, guess)
		return err
	})
	if err != nil {
		return nil, table.Page{}, err
	}
	if err := s.readNamed(m, named); err != nil {
		return nil, table.Page{}, err
	}
	s.hasFunnels = named[agent.Key(m.AccountID, m.AgentID)].Numbers[string(playbook.Funnels)] > 0
	s.read(m.Text)
	if s.session.ConversationID != guess {
		thread = table.Page{} // of a conversation that is not this session's
	}
	return named, thread, nil
}

// maxRead is how many characters of a message are read, in their compatible form.
const maxRead = 4000

// read reads what the contact says.
func (s *state) read(message string) {
	s.Text = text.TruncateExpanded(message, maxRead)
	s.Reading = s.Engine.Read(s.Language(), s.Text)
	s.Details = s.ReadDetails(false)
	s.Told = s.Details
	if s.hasFunnels {
		s.Told = s.ReadDetails(true)
	}
}

// loadLinked reads what the named things lead to, and what the agent knows about the message.
func (s *state) loadLinked(
	ctx context.Context, keys []table.Key, named map[table.Key]table.Item, missingThread bool,
) (linked map[table.Key]table.Item, err error) {
	account := s.Account
	question, numbers := s.Question(), named[agent.Key(account, s.Agent.ID)].Numbers
	replies := s.replies() // before the conversation is read beside
	err = table.Parallel(ctx, func(ctx context.Context) error {
		if !missingThread {
			return nil
		}
		thread, err := s.assistant.latest(ctx, account, s.session.ConversationID)
		if err != nil {
			return err
		}
		return s.readThread(thread)
	}, func(ctx context.Context) (err error) {
		linked, err = s.Table.BatchGet(ctx, keys...)
		return err
	}, func(ctx context.Context) error {
		return s.search(ctx, question, numbers)
	}, func(ctx context.Context) (err error) {
		s.FAQ, err = s.assistant.trained(ctx, &s.Agent)
		return err
	}, func(ctx context.Context) error {
		return s.countAhead(ctx, replies)
	}, func(ctx context.Context) error {
		return s.readBook(ctx, numbers)
	})
	return linked, err
}

// search looks up what the knowledge has on a question. Numbers are those of the agent's summary.
func (s *state) search(ctx context.Context, question string, numbers map[string]int64) (err error) {
	s.Found, err = knowledge.Search(ctx, s.Table, knowledge.Query{
		Account: s.Account, Agent: s.Agent.ID, Text: question, Limit: passages,
		Corpus: knowledge.CorpusOf(numbers),
	})
	return err
}

// latest reads a conversation and its last messages; nothing for 0.
func (a *Assistant) latest(ctx context.Context, account, conversationID int64) (table.Page, error) {
	if conversationID == 0 {
		return table.Page{}, nil
	}
	return conversation.Messages{Table: a.Table}.Query(ctx, conversation.Latest(account, conversationID, historyLength, true))
}

// keys are what the message names: workspace, agent, session, and the ways to the writer's contact.
func (m Message) keys() []table.Key {
	keys := slices.Concat([]table.Key{agent.Key(m.AccountID, m.AgentID)}, m.pointerKeys(), m.senderKeys())
	if m.Account.ID == 0 {
		keys = append(keys, auth.AccountKey(m.AccountID))
	}
	if m.Sender == nil && m.SessionID != "" {
		keys = append(keys, conversation.SessionKey(m.AccountID, m.AgentID, m.SessionID))
	}
	return keys
}

// readNamed takes in the items of the message's keys.
func (s *state) readNamed(m Message, items map[table.Key]table.Item) (err error) {
	if s.Agent, err = agent.Read(items, m.AccountID, m.AgentID); err != nil {
		return err
	}
	if m.Admit != nil {
		if err := m.Admit(s.Agent.Summary); err != nil {
			return err
		}
	}
	if s.account = m.Account; m.Account.ID == 0 {
		if s.account, err = auth.ReadAccount(items[auth.AccountKey(m.AccountID)]); err != nil {
			return err
		}
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
	if s.Agent.BookingEnabled {
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

// detailKeys are where the phone and the e-mail address that the message tells lead to a contact from, unless
// it names others.
func (s *state) detailKeys() []table.Key {
	told := s.message
	told.Contact = Identity{}
	if !s.Proved {
		return nil
	}
	if s.message.Contact.Phone == "" {
		told.Contact.Phone = s.Told.Phone
	}
	if s.message.Contact.Email == "" {
		told.Contact.Email = s.Told.Email
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

// dropPointers has what leads to a contact that is not there lead to nobody. The contact may have been
// deleted since its pointers were read: where one has changed, the error is a *table.ConditionError, and the
// turn begins anew.
func (s *state) dropPointers(ctx context.Context, m Message, missing int64) error {
	items, err := s.Table.BatchGet(ctx, m.pointerKeys()...)
	if err != nil {
		return err
	}
	for key, pointer := range s.pointers {
		if pointer.ContactID != missing {
			continue
		}
		if items[key].Version != pointer.Version {
			return &table.ConditionError{}
		}
		pointer.ContactID = 0
		s.pointers[key] = pointer
	}
	return nil
}

// knownContact is the contact that the message names: by the external id where that leads to one, by the
// phone where there is one, or else by the e-mail address.
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

// readThread takes in the conversation and its latest messages. A conversation that is gone leaves the state
// as that of a new one.
func (s *state) readThread(thread table.Page) error {
	if len(thread.Items) == 0 || thread.Items[0].SK != conversation.Key(0, 0).SK {
		return nil
	}
	var err error
	if s.Conversation, err = conversation.Read(thread.Items[0]); err != nil {
		return err
	}
	s.conversationVersion = thread.Items[0].Version
	for _, item := range slices.Backward(thread.Items[1:]) {
		message, err := conversation.ReadMessage(item)
		if err != nil {
			return err
		}
		s.History = append(s.History, message)
	}
	return nil
}

// chooseContact decides whose message it is: the contact that it names; or else the session's, unless the
// message names someone the session's contact cannot be; or else somebody new.
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
	fits := (m.Contact.ExternalID == "" || before.ExternalID == "") &&
		(m.Contact.Phone == "" || before.Phone == "") &&
		(m.Contact.Email == "" || before.Email == "" || m.Contact.Phone != "")
	switch {
	case namedVersion != 0:
		s.Contact, s.contactVersion = named, namedVersion
		if beforeVersion != 0 && before.ID != named.ID && before.Anonymous() {
			s.leftBehind, s.leftBehindVersion = before, beforeVersion
			for name, value := range before.Facts {
				s.remember(name, value)
			}
			s.Contact.OptedIn = s.Contact.OptedIn && before.OptedIn
		}
	case beforeVersion != 0 && fits:
		s.Contact, s.contactVersion = before, beforeVersion
	default:
		s.Contact = contact.New(s.IDs.Next(), m.AgentID, s.Now)
	}
	return nil
}

// updateContact brings the contact to what it is after the message. What is known of it stays. Whose phone it
// gets may have wanted no messages.
func (s *state) updateContact() {
	m := s.message
	if s.Contact.Phone == "" &&
		s.pointers[contact.KeyByPhone(m.AccountID, m.AgentID, m.Contact.Phone)].OptedOut {
		s.Contact.OptedIn = false
	}
	for field, value := range map[*string]string{
		&s.Contact.Name: m.Contact.Name, &s.Contact.Email: m.Contact.Email,
		&s.Contact.ExternalID: m.Contact.ExternalID,
	} {
		if *field == "" {
			*field = value
		}
	}
	holder := s.pointers[contact.KeyByPhone(m.AccountID, m.AgentID, m.Contact.Phone)].ContactID
	if s.Contact.Phone == "" &&
		(holder == 0 || holder == s.Contact.ID) { // two contacts have no phone in common
		s.Contact.Phone = m.Contact.Phone
	}
	if s.Contact.Source == (contact.Referral{}) {
		s.Contact.Source = m.Source
	}
	s.Contact.Claim(s.claimed)
	s.Contact.LastSeenAt = s.Now
	s.Contact.LeadScore = s.Contact.Score()
	s.Conversation.Partner = s.Contact.Partner()
}

// updateConversation brings the conversation to what it is after the message: begun where it is new, and
// open. A conversation that turns out to be taken by another is begun anew with the turn, and so is a session
// that names it.
func (s *state) updateConversation() {
	m := s.message
	if s.conversationVersion == 0 {
		conversationID := s.IDs.Next()
		if s.sessionID == "" && m.Sender == nil {
			s.sessionID = conversation.NewSessionID(conversationID)
		}
		s.Conversation = conversation.New(conversationID, m.AgentID, m.Channel, s.Contact.Partner())
		s.Conversation.SessionID = s.sessionID
	}
	if m.Sender != nil {
		s.Conversation.Address, s.Conversation.Mail = m.Sender.Address, m.Sender.Mail
		if m.Sender.Window > 0 {
			s.Conversation.WindowEndsAt = m.Sender.WroteAt.Add(m.Sender.Window)
		}
	}
	s.Conversation.Reopen(s.Now)
}
