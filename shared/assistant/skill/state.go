package skill

import (
	"cmp"
	"context"
	"time"

	"frontdesk/shared/agent"
	"frontdesk/shared/ai"
	"frontdesk/shared/ai/builtin"
	"frontdesk/shared/ai/faq"
	"frontdesk/shared/contact"
	"frontdesk/shared/conversation"
	"frontdesk/shared/id"
	"frontdesk/shared/identity"
	"frontdesk/shared/knowledge"
	"frontdesk/shared/playbook"
	"frontdesk/shared/table"
	"frontdesk/shared/understand"
)

// An Identity is what a message says about its author. The phone is in E.164; any field may be empty.
type Identity = identity.Claims

// A State is what a turn knows: the message, the conversation with its frame, the contact, the agent, and
// what was found for them. Skills only read it; they return their changes.
type State struct {
	Table   table.Table
	IDs     *id.Source
	Clock   func() time.Time
	Engine  *builtin.Engine // analyses messages
	Answers ai.Model        // the built-in engine, which answers from the knowledge
	Now     time.Time       // time of the turn, in UTC

	Account int64
	Agent   agent.Agent
	// ByModel reports whether a language model interprets the message and words the reply.
	ByModel bool

	Text, Context string // the message, and additional text of the caller
	Whole         string // the message that Text is a part of; "" if it is the whole
	NeedsWords    bool   // Text stands for something that cannot be read
	Proved        bool   // the author's identity is verified

	Conversation conversation.Conversation
	History      []conversation.Message // before the message, oldest first
	Contact      contact.Contact
	Reading      builtin.Reading // of the message
	Details      Details         // from the message, as far as the agent's settings allow
	Extracted    Details         // everything from the message, for funnels
	Found        knowledge.Result
	Reserved     table.Item // of appointment.ReservedKey; read before the agent's calendar
	FAQ          *faq.Model // of the agent's last training; nil if there is none
	Book         *Book

	// Reminder is the open question of a skill that left the message to others; see After.
	Reminder string

	foreign    foreign
	understood *understand.Reading
	known      *ai.Reply
}

// A Book is an agent's playbook as skills use it.
type Book struct {
	playbook.Book
	Offered []Offered // the active products
}

// An Offered is a product with the words of its name.
type Offered struct {
	playbook.Product
	stems []string // of its name, without duplicates
	words []string // the words of the stems, in lower case
	card  *card
}

// Offer returns a product with the words of its name in a language.
func Offer(language string, p playbook.Product) Offered {
	stems, words := stemsOf(language, p.Name)
	return Offered{p, stems, words, &card{language: language}}
}

// After returns the state for a skill that acts in the same turn after an outcome.
func (s *State) After(o *Outcome) *State {
	after := *s
	after.Reminder = cmp.Or(o.Reminder, s.Reminder)
	o.Change.Fill(&after.Conversation.Frame)
	if o.Change.Details != nil {
		after.Details = *o.Change.Details
	}
	return &after
}

// Understood returns the classification of the message; see package understand.
func (s *State) Understood() understand.Reading {
	if s.understood == nil {
		read := understand.Read(s.Tongue(), s.Text)
		s.understood = &read
	}
	return *s.understood
}

// Known returns the built-in engine's reply to the message from the agent's knowledge. The error wraps
// ai.ErrUnavailable.
func (s *State) Known(ctx context.Context) (ai.Reply, error) {
	if s.known == nil {
		reply, err := s.Answers.Reply(ctx, s.Request())
		if err != nil {
			return ai.Reply{}, err
		}
		s.known = &reply
	}
	return *s.known, nil
}

// leastKnown is the share of a message's features that the classifier must know for its skills to count.
// leastOfSure is enough for a skill with the probability sureOfSkill.
const (
	leastKnown  = 0.5
	leastOfSure = 0.35
	sureOfSkill = 0.85
)

// Learnt returns the classifier's probability that the message calls for a skill, or 0 if it is below
// least.
func (s *State) Learnt(of understand.Skill, least float64) float64 {
	u := s.Understood()
	p := u.Skills[of]
	known := u.Known >= leastKnown || u.Known >= leastOfSure && p >= sureOfSkill
	if len(s.Reading.Tokens) == 0 || !known || p < least {
		return 0
	}
	return p
}

// leastAsking is the minimum probability that a message without the form of a question asks for something.
const leastAsking = 0.3

// Asks reports whether the message asks for information or an action, and is not a mere statement.
func (s *State) Asks() bool {
	acts := s.Understood().Acts
	return s.Reading.Asks || acts[understand.Asks]+acts[understand.Wishes] >= leastAsking
}

// leastLeave is the minimum probability of a goodbye, and mostWords the maximum number of its words.
const (
	leastLeave = 0.5
	mostWords  = 10
)

// TakesLeave reports whether the message says goodbye in words that the classifier alone knows, and asks
// nothing: "OK, we're on our way, thanks".
func (s *State) TakesLeave() bool {
	if s.Reading.Asks || s.Reading.SmallTalk != "" || len(s.Reading.Tokens) > mostWords ||
		s.Says(s.Phrasing().Order) || // "I'll buy it" is close to "bye"
		s.Learnt(understand.SmallTalk, leastLeave) == 0 {
		return false
	}
	acts := s.Understood().Acts
	return acts[understand.Leaves] >= leastLeave && acts[understand.Asks] < leastLeave
}

// Forget drops the cached results for the message, for an interpreter that starts over.
func (s *State) Forget() { s.understood, s.known = nil, nil }
