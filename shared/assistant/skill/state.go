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

// An Identity is what a message says of its writer. The phone is E.164; any may be empty.
type Identity = identity.Claims

// A State is what a turn knows: the message, the conversation with its frame, its contact, the agent, and
// what was found for them. Skills read it and change nothing in it: what is to change they return.
type State struct {
	Table   table.Table
	IDs     *id.Source
	Clock   func() time.Time
	Engine  *builtin.Engine // reads messages
	Answers ai.Model        // finds what the knowledge has on them: the built-in engine
	Now     time.Time       // of the turn, in UTC

	Account int64
	Agent   agent.Agent
	// ByModel tells that a language model interprets the message and words the reply.
	ByModel bool

	Text, Context string // the message, and what the caller adds to it
	Whole         string // the message that Text is a part of; "" where it is all of it
	NeedsWords    bool   // Text stands for something that cannot be read
	Proved        bool   // the caller answers for who the writer is

	Conversation conversation.Conversation
	History      []conversation.Message // before the message, oldest first
	Contact      contact.Contact
	Reading      builtin.Reading // of the message
	Details      Details         // that the message tells, as far as the agent is to keep that
	Told         Details         // that the message tells, for the funnels that ask for it
	Found        knowledge.Result
	Reserved     table.Item // of appointment.ReservedKey, read before what takes the agent's time
	FAQ          *faq.Model // as of the agent's last training; nil where there is none
	Book         *Book

	// Reminder is what a skill that has left the message to others still asks; see After.
	Reminder string

	foreign    foreign
	before     foreign
	understood *understand.Reading
	known      *ai.Reply
}

// A Book is an agent's playbook as skills use it.
type Book struct {
	playbook.Book
	Offered []Offered // the active products
}

// An Offered product is one with the words that name it.
type Offered struct {
	playbook.Product
	stems []string // of its name, each once
	words []string // that the stems are of, in lower case
	card  *card
}

// Offer is a product with the words that name it in a language.
func Offer(language string, p playbook.Product) Offered {
	stems, words := stemsOf(language, p.Name)
	return Offered{p, stems, words, &card{language: language}}
}

// After is the state for a skill that acts in the same turn after an outcome.
func (s *State) After(o *Outcome) *State {
	after := *s
	after.Reminder = cmp.Or(o.Reminder, s.Reminder)
	o.Change.Fill(&after.Conversation.Frame)
	if o.Change.Details != nil {
		after.Details = *o.Change.Details
	}
	return &after
}

// Understood is what the message is about and what its writer does, by what was learnt of how people write.
func (s *State) Understood() understand.Reading {
	if s.understood == nil {
		read := understand.Read(s.Language(), s.Text)
		s.understood = &read
	}
	return *s.understood
}

// Known is what the built-in engine replies to the message from the agent's knowledge. The error wraps
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

// leastKnown is the share of a message that must be like something learnt for its skills to count, and
// leastOfSure that of one which calls for a skill as probably as sureOfSkill.
const (
	leastKnown  = 0.5
	leastOfSure = 0.35
	sureOfSkill = 0.85
)

// Learnt is how probably the message calls for a skill by what was learnt of how people write; 0 where that
// is less than least.
func (s *State) Learnt(of understand.Skill, least float64) float64 {
	u := s.Understood()
	p := u.Skills[of]
	known := u.Known >= leastKnown || u.Known >= leastOfSure && p >= sureOfSkill
	if len(s.Reading.Tokens) == 0 || !known || p < least {
		return 0
	}
	return p
}

// leastAsking is the probability from which on a message that is no question by its form asks for something.
const leastAsking = 0.3

// Asks reports whether the message wants to know or to have something, and is no mere statement.
func (s *State) Asks() bool {
	acts := s.Understood().Acts
	return s.Reading.Asks || acts[understand.Asks]+acts[understand.Wishes] >= leastAsking
}

// Forget drops what was understood and found so far, for an interpreter that begins anew.
func (s *State) Forget() { s.understood, s.known = nil, nil }
