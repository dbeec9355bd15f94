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
	"frontdesk/shared/knowledge"
	"frontdesk/shared/playbook"
	"frontdesk/shared/quota"
	"frontdesk/shared/table"
	"frontdesk/shared/text"
)

// A state is a turn: the state that its skills read, and everything else that it takes to store their
// changes.
type state struct {
	*skill.State
	assistant *Assistant
	message   Message
	author    contact.Author // the author of the message
	quota     quota.Meter    // counts what the turn uses of the limits
	inPlan    bool           // the plan's number of agents includes this one

	hasFunnels bool // the agent has funnels
	chose      bool // the message is one of the offered choices

	conversationVersion int64 // 0 if it is new
	conversationBefore  conversation.Conversation

	sessionID  string // "" for a new session without a conversation yet
	session    conversation.Session
	hasSession bool            // session was read from the table
	addresses  []storedAddress // the known ones of the sender's addresses

	offered    []conversation.Choice      // the choices of the reply
	cards      []conversation.Card        // the products in the reply
	handsOver  conversation.HandoffReason // why a person takes over; "" if none does
	unanswered table.Item                 // the stored unanswered question, if the message is one
}

// load reads everything in two rounds of parallel reads: first what the message names, then what these
// items point to. The knowledge is searched in parallel to the second round, and takes two reads itself.
// The conversation is read in the first round, by the id that the session's id contains. If the session
// points to another conversation, that one is read in the second round, or before it if the search needs
// it.
func (a *Assistant) load(ctx context.Context, m Message, reserved *quota.Reservation) (*state, error) {
	s := a.newState(m, reserved)
	named, thread, err := s.loadNamed(ctx, m)
	if err != nil {
		return nil, err
	}
	missing := len(thread.Items) == 0 && s.session.ConversationID != 0
	if missing && s.GoesOn() { // the search needs the earlier messages
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
	linked, err := s.loadLinked(ctx, append(s.linkedKeys(m), details...), named, missing)
	if err != nil {
		return nil, err
	}
	if err := s.readAgent(version, details, linked); err != nil {
		return nil, err
	}
	if err := s.readLimits(ctx, linked); err != nil {
		return nil, err
	}
	s.ByModel = !byBuiltIn(&s.Agent)
	s.unanswered = linked[s.unansweredKey()]
	s.Reserved = linked[appointment.ReservedKey(m.AccountID, m.AgentID)]
	if err := s.author.Read(linked); err != nil {
		return nil, err
	}
	s.Contact, err = s.author.Choose(ctx, s.Table, s.IDs, s.Now, s.session.ContactID, linked)
	if err != nil {
		return nil, err
	}
	s.startNewConversation()
	if err := s.readChoice(ctx, named[agent.Key(m.AccountID, m.AgentID)].Numbers); err != nil {
		return nil, err
	}
	s.conversationBefore = s.Conversation
	s.updateContact()
	return s, nil
}

// newState returns the state of a turn before anything was read.
func (a *Assistant) newState(m Message, reserved *quota.Reservation) *state {
	s := &state{
		State: &skill.State{
			Table: a.Table, IDs: a.IDs, Clock: a.Now, Engine: &a.engine, Answers: a.builtIn(),
			Now:     a.Now().UTC().Truncate(time.Millisecond),
			Account: m.AccountID, Text: m.Text, Context: m.Context, NeedsWords: m.NeedsWords,
			Proved: m.Proved,
		},
		assistant: a, message: m, sessionID: m.SessionID,
		author: contact.Author{Account: m.AccountID, Agent: m.AgentID, Source: m.Source},
	}
	s.quota = quota.Meter{
		Table: a.Table, Now: s.Now, Reservation: reserved, Agent: &s.Agent.Summary, Network: m.Network,
	}
	if m.Proved {
		s.author.Named = m.Contact
	} else {
		s.author.Claimed = m.Contact
	}
	return s
}

// loadNamed reads the items that the message names, and the conversation whose id the session's id
// contains. The thread is empty if the session does not point to that conversation.
func (s *state) loadNamed(
	ctx context.Context,
	m Message,
) (named map[table.Key]table.Item, thread table.Page, err error) {
	guess := conversation.Hint(m.SessionID)
	err = table.Parallel(ctx, func(ctx context.Context) (err error) {
		named, err = s.Table.BatchGet(ctx, append(m.keys(), s.author.Keys()...)...)
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
		thread = table.Page{} // of another conversation
	}
	return named, thread, nil
}

// maxRead is the number of characters of a message that are read, counted after compatibility
// decomposition.
const maxRead = 4000

// read analyses the text of the contact.
func (s *state) read(message string) {
	s.Text = text.TruncateExpanded(message, maxRead)
	s.Reading = s.Engine.Read(s.Language(), s.Text)
	s.Details = s.ReadDetails(false)
	s.Extracted = s.Details
	if s.hasFunnels {
		s.Extracted = s.ReadDetails(true)
	}
}

// loadLinked reads what the named items point to, and the knowledge that matches the message.
func (s *state) loadLinked(
	ctx context.Context, keys []table.Key, named map[table.Key]table.Item, missingThread bool,
) (linked map[table.Key]table.Item, err error) {
	account := s.Account
	question, numbers := s.Question(), named[agent.Key(account, s.Agent.ID)].Numbers
	// The first function below changes the conversation, so evaluate what depends on it before.
	replies, tongue := s.replies(), s.Foreign(s.Text)
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
		return s.search(ctx, question, tongue, numbers)
	}, func(ctx context.Context) (err error) {
		s.FAQ, err = s.assistant.trained(ctx, &s.Agent)
		return err
	}, func(ctx context.Context) error {
		return s.quota.CountAhead(ctx, replies)
	}, func(ctx context.Context) error {
		return s.readBook(ctx, numbers)
	})
	return linked, err
}

// search searches the knowledge for a question. Tongue is the question's language, "" for the agent's.
// Numbers are those of the agent's summary.
func (s *state) search(ctx context.Context, question, tongue string, numbers map[string]int64) (err error) {
	s.Found, err = knowledge.Search(ctx, s.Table, knowledge.Query{
		Account: s.Account, Agent: s.Agent.ID, Text: question, Limit: passages, Tongue: tongue,
		Corpus: knowledge.CorpusOf(numbers),
	})
	return err
}

// latest reads a conversation and its latest messages. The page is empty for the id 0.
func (a *Assistant) latest(ctx context.Context, account, conversationID int64) (table.Page, error) {
	if conversationID == 0 {
		return table.Page{}, nil
	}
	q := conversation.Latest(account, conversationID, historyLength, true)
	return conversation.Messages{Table: a.Table}.Query(ctx, q)
}

// keys returns the keys that the message names: workspace, agent, and the session or the sender's
// addresses.
func (m Message) keys() []table.Key {
	keys := append([]table.Key{agent.Key(m.AccountID, m.AgentID)}, m.senderKeys()...)
	if m.Account.ID == 0 {
		keys = append(keys, auth.AccountKey(m.AccountID))
	}
	if m.Sender == nil && m.SessionID != "" {
		keys = append(keys, conversation.SessionKey(m.AccountID, m.AgentID, m.SessionID))
	}
	return keys
}

// readNamed reads the items of the message's keys into the state.
func (s *state) readNamed(m Message, items map[table.Key]table.Item) (err error) {
	if s.Agent, err = agent.Read(items, m.AccountID, m.AgentID); err != nil {
		return err
	}
	if m.Admit != nil {
		if err := m.Admit(s.Agent.Summary); err != nil {
			return err
		}
	}
	if s.quota.Account = m.Account; m.Account.ID == 0 {
		s.quota.Account, err = auth.ReadAccount(items[auth.AccountKey(m.AccountID)])
		if err != nil {
			return err
		}
	}
	if s.quota.Plan, err = auth.PlanNamed(s.quota.Account.Plan); err != nil {
		return err
	}
	s.restrictModel()
	if err := s.author.Read(items); err != nil {
		return err
	}
	if m.Sender != nil {
		return s.readSender(items)
	}
	item, ok := items[conversation.SessionKey(m.AccountID, m.AgentID, m.SessionID)]
	if s.quota.NewSession = !ok; !ok {
		return nil
	}
	s.hasSession = true
	s.session, err = conversation.ReadSession(item)
	return err
}

// linkedKeys returns the keys that the named items point to: contacts, limits, and what the agent's
// settings require.
func (s *state) linkedKeys(m Message) []table.Key {
	keys := append(s.author.LinkedKeys(s.session.ContactID), s.limitKeys()...)
	if s.Agent.BookingEnabled {
		keys = append(keys, appointment.ReservedKey(m.AccountID, m.AgentID))
	}
	if key := s.unansweredKey(); key != (table.Key{}) {
		keys = append(keys, key)
	}
	if s.Proved {
		keys = append(keys, s.author.MentionedKeys(s.Extracted.Phone, s.Extracted.Email)...)
	}
	return keys
}

// readThread reads the conversation and its latest messages into the state. If the conversation was
// deleted, the turn starts a new one.
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

// updateContact updates the contact with what the message says. It does not overwrite what is known.
func (s *state) updateContact() {
	s.author.Update(&s.Contact, s.Now)
	s.Conversation.Partner = s.Contact.Partner()
}

// updateConversation updates the conversation for the message: it creates a new one if there is none, and
// reopens a resolved one. If the id of the new one turns out to be taken, the turn runs again with another.
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
