// Package skill defines what a skill of an assistant is. Each skill is a folder here with a type that
// implements [Skill], and a line in the list in shared/assistant/skills.go. A skill claims a message with a
// probability; the one with the best claim acts: it looks things up and returns the reply and the changes.
// It stores and changes nothing itself.
//
// The package also has what skills share: the [State] of a turn, which they read, and functions that
// interpret the message.
package skill

import (
	"context"

	"frontdesk/shared/agent"
	"frontdesk/shared/ai"
	"frontdesk/shared/booking"
	"frontdesk/shared/contact"
	"frontdesk/shared/conversation"
	"frontdesk/shared/counter"
	"frontdesk/shared/frame"
	"frontdesk/shared/table"
)

// A Skill is something that an assistant can do.
type Skill interface {
	// Spec describes the skill. It is the same at each call.
	Spec() Spec
	// Explain returns the skill's claim to the message, for the built-in interpreter. The error is that of
	// a lookup.
	Explain(ctx context.Context, s *State) (Claim, error)
}

// A Tool is a skill that language models can call. Its Spec has a Does.
type Tool interface {
	Skill
	// Call runs the skill with the slots of the Spec, whose types are checked. The error is a *Refused if
	// the skill cannot act on them. A nil outcome, or one without a reply, means that the message does not
	// say enough.
	Call(ctx context.Context, s *State, slots Slots) (*Outcome, error)
}

// A Claim is a skill's claim to a message: how probably the message calls for the skill, and what to do
// then. The zero Claim is no claim.
type Claim struct {
	// P is the probability, from 0 to 1.
	P float64
	// Act does what the message calls for. It gets the state after the skills before it, with the questions
	// that they left open. A nil outcome leaves the message to the next skill. Act is not nil if P is above
	// 0.
	Act func(ctx context.Context, s *State) (*Outcome, error)
}

// Claims returns the claim of a skill whose outcome is known already.
func Claims(p float64, o *Outcome) Claim {
	return Claim{P: p, Act: func(context.Context, *State) (*Outcome, error) { return o, nil }}
}

// A Spec describes a skill.
type Spec struct {
	// Name is a word in lower case, used by models and in logs.
	Name string
	// Does tells a language model when to call the skill, and what it does. Only a Tool has it.
	Does string
	// Slots are the parameters of a call by a model.
	Slots []Slot
	// Settings are the API names of the agent's settings that govern the skill.
	Settings []string
	// Allowed reports whether an agent's settings allow the skill. Nil allows it always.
	Allowed func(*agent.Agent) bool
	// Includes names skills whose answers this one includes, so they do not compete for a message.
	Includes []string
	// Beside reports whether the skill can handle a part of a message next to another skill. Asks reports
	// whether its reply may end with a question, and so has to be last.
	Beside, Asks bool
	// ByRule reports whether Explain follows settings or the agent's last question rather than an
	// interpretation of the text. If such a skill is Certain, it also acts for an agent with a language
	// model.
	ByRule bool
}

// Certain is the probability from which a ByRule skill acts, even for an agent with a language model.
const Certain = 0.9

// A Slot is a parameter of a skill.
type Slot struct {
	Name     string
	Type     Type
	About    string   // description for a model
	Choices  []string // allowed values of a Text; nil allows any
	Required bool
}

// A Type is the type of a slot.
type Type string

// The types of slots.
const (
	Text   Type = "text"
	Date   Type = "date"   // 2006-01-02
	Clock  Type = "clock"  // 15:04
	Amount Type = "amount" // a number, at least 0
	Truth  Type = "truth"
)

// An Outcome is the result of a skill. Its changes are not stored yet.
type Outcome struct {
	// Reply is the reply; nil leaves the message to another skill.
	Reply *ai.Reply
	// Choices are the choices that the reply, or the reminder, offers.
	Choices []conversation.Choice
	// Cards are the products that the reply shows.
	Cards []conversation.Card
	// Guessed reports whether the reply comes from a model that may not know the answer. The turn then
	// decides about a handover.
	Guessed bool
	// Change is what changes in the conversation and the contact.
	Change Change
	// Reminder is the open question of a booking, to repeat after another skill's reply.
	Reminder string
	// Pending is the open question of a funnel, to repeat after another skill's reply.
	Pending string
	// Store returns further writes for the transaction and their change of the agent's counters. It gets
	// the state after the change. Nil stores nothing.
	Store func(*State) ([]table.Write, counter.Change, error)
}

// A Refused is the reason why a skill does not act on the slots of a language model.
type Refused struct{ Why string }

// Error returns the reason, in English.
func (r *Refused) Error() string { return r.Why }

// A Change is what an outcome changes in the conversation and the contact. The zero Change changes nothing.
type Change struct {
	Asked            frame.Question             // what the reply asks for
	Invited          bool                       // the reply has the business's call to action
	Unanswered       string                     // a message that the agent could not answer
	Answered         bool                       // resets the list of unanswered messages
	HandOver         conversation.HandoffReason // why a person takes over; "" if none does
	Urgent           bool                       // sets the priority to urgent
	WaitsForPerson   bool                       // waits for somebody of the business
	Booking          *booking.State             // the state of a booking; zero ends it, nil keeps it
	Funnel           *frame.InFunnel            // the position in a funnel; zero leaves it, nil keeps it
	Prospect         bool                       // makes a lead a prospect
	Details          *Details                   // details of the contact, read more closely
	Keeps            bool                       // the contact does not want to give contact details
	OptOut           bool                       // the contact opts out of messages
	Name             string                     // of the contact
	Budget, Location string
	Facts            map[string]string // facts about the contact, by name
}

// Remember adds a fact of the contact to the change.
func (c *Change) Remember(name, value string) {
	if c.Facts == nil {
		c.Facts = map[string]string{}
	}
	c.Facts[name] = value
}

// LeaveFunnel makes the contact leave its funnel.
func (c *Change) LeaveFunnel() { c.Funnel = &frame.InFunnel{} }

// Fill applies the change to the frame of the conversation.
func (c Change) Fill(f *frame.Frame) {
	if c.Asked != "" {
		f.Asked.Ask(c.Asked)
	}
	f.Asked.Invited = f.Asked.Invited || c.Invited
	switch {
	case c.Answered:
		f.Said.Unanswered = nil
	case c.Unanswered != "":
		f.Said.Decline(c.Unanswered)
	}
	if c.Booking != nil {
		c.Booking.Fill(f)
	}
	if c.Funnel != nil {
		f.Asked.Funnel = *c.Funnel
	}
}

// Becomes applies the change to the fields of a contact. The caller adds the facts, whose number is
// limited.
func (c Change) Becomes(of *contact.Contact) {
	if c.Prospect && of.Stage == contact.Lead {
		of.Stage = contact.Prospect
	}
	of.DeclinedDetails = of.DeclinedDetails || c.Keeps
	of.OptedIn = of.OptedIn && !c.OptOut
	for field, value := range map[*string]string{
		&of.Name: c.Name, &of.Budget: c.Budget, &of.Location: c.Location,
	} {
		if value != "" {
			*field = value
		}
	}
}

// If returns p if so is true, and 0 otherwise.
func If(so bool, p float64) float64 {
	if so {
		return p
	}
	return 0
}

// Intents of replies, in addition to those of the built-in engine.
const (
	Availability = "availability" // of products
	Emergency    = "emergency"
	Hours        = "hours"
	Introduces   = "details" // the message introduces its author
	OptOut       = "opt_out"
	Order        = "order"
	SmallTalk    = "small_talk"
	Unreadable   = "unreadable"
	WhoAreYou    = "identity"
)
