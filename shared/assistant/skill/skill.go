// Package skill is what an assistant can do. A skill is a folder here, with a type that implements [Skill];
// the list of them is shared/assistant/skills.go. A skill claims a message with a probability, and acts on it
// where its claim is the best: it looks things up and returns what is to be said and what is to change. It
// stores nothing and changes nothing by itself.
//
// The package itself has what skills share: the [State] of a turn, which they read, and the reading of
// messages.
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
	// Explain is what the skill makes of the message, for the built-in interpreter. An error is that of a
	// lookup.
	Explain(ctx context.Context, s *State) (Claim, error)
}

// A Tool is a skill that a language model calls. Its Spec says what it Does.
type Tool interface {
	Skill
	// Call does what the model asks for with the slots of the Spec, which are checked by type. The error is
	// a *Refused where the skill cannot act on them. A nil outcome, or one without a reply, says that the
	// message does not tell enough.
	Call(ctx context.Context, s *State, slots Slots) (*Outcome, error)
}

// A Claim is what a skill makes of a message: how probably the message calls for the skill, and what to do
// about it then. The zero Claim says that the message is nothing of the skill's.
type Claim struct {
	// P is the probability, from 0 to 1.
	P float64
	// Act does what the message calls for, by what Explain has found. It gets the state in which the message
	// comes to it, with what skills before it have left open. A nil outcome leaves the message to the next
	// skill. It is not nil where P is above 0.
	Act func(ctx context.Context, s *State) (*Outcome, error)
}

// Claims is the claim of a skill that has its outcome in hand already.
func Claims(p float64, o *Outcome) Claim {
	return Claim{P: p, Act: func(context.Context, *State) (*Outcome, error) { return o, nil }}
}

// A Spec describes a skill.
type Spec struct {
	// Name is one word of lower case, as models call the skill and logs name it.
	Name string
	// Does tells a language model when to call the skill, and what comes of it. A Tool has it, other skills
	// have not.
	Does string
	// Slots are what a model gives the skill with a call.
	Slots []Slot
	// Settings are the agent's settings that govern the skill, by their names in the API.
	Settings []string
	// Allowed reports whether an agent's settings let it act. Nil always does.
	Allowed func(*agent.Agent) bool
	// Includes names skills whose answers are in this one's: where both explain a message they are no rivals.
	Includes []string
	// Beside tells that the skill can take up a part of a message beside another skill, and Asks that its
	// reply may end with a question, and so comes last.
	Beside, Asks bool
	// ByRule tells that Explain follows the business's settings or what the agent asked, and needs no
	// interpreter: where it is Certain the skill acts for a language model's agent too.
	ByRule bool
}

// Certain is the probability from which on a skill that works by rule acts, whoever interprets the message.
const Certain = 0.9

// A Slot is something that a skill is to know.
type Slot struct {
	Name     string
	Type     Type
	About    string   // for a model
	Choices  []string // that a Text has, all values where there are none
	Required bool
}

// A Type is what the value of a slot is.
type Type string

// The types of slots.
const (
	Text   Type = "text"
	Date   Type = "date"   // 2006-01-02
	Clock  Type = "clock"  // 15:04
	Amount Type = "amount" // a number from 0
	Truth  Type = "truth"
)

// An Outcome is what a skill has done, or would do once it is stored.
type Outcome struct {
	// Reply is what is said; nil where the skill leaves the message to another.
	Reply *ai.Reply
	// Choices are the answers that the reply, or the reminder, offers.
	Choices []conversation.Choice
	// Cards are the products that the reply offers.
	Cards []conversation.Card
	// Guessed tells that a model found the reply, and may not know: what follows from that is the turn's to
	// decide.
	Guessed bool
	// Change is what changes with it.
	Change Change
	// Reminder is what a booking under way still asks, to go back to after another skill's reply.
	Reminder string
	// Pending is the question of a funnel that still awaits its answer, to be put again after another skill's
	// reply.
	Pending string
	// Store returns what else is to be stored with the turn, and what it changes in the agent's counts. It
	// gets the state as it has become with the change. Nil stores nothing.
	Store func(*State) ([]table.Write, counter.Change, error)
}

// A Refused is why a skill does not act on slots, for the language model that gave them.
type Refused struct{ Why string }

// Error is the reason, in English.
func (r *Refused) Error() string { return r.Why }

// A Change is what an outcome changes of the conversation and the contact. The zero Change changes nothing.
type Change struct {
	Asked            frame.Question             // what the reply asks for
	Invited          bool                       // it says what the business invites people to
	Unanswered       string                     // the message that the agent has no answer to
	Answered         bool                       // the agent has an answer, after those that it had not
	HandOver         conversation.HandoffReason // why a person takes over
	Urgent           bool                       // the conversation cannot wait
	WaitsForPerson   bool                       // the business has something to do
	Booking          *booking.State             // the booking under way; the zero State ends it
	Funnel           *frame.InFunnel            // where the contact is in a funnel
	Prospect         bool                       // the contact is one, if it was a lead
	Details          *Details                   // that the message tells, read more closely
	Keeps            bool                       // the contact keeps to itself how it can be reached
	OptOut           bool                       // the contact wants no more messages
	Name             string                     // of the contact
	Budget, Location string
	Facts            map[string]string // of the contact, by name
}

// Remember adds a fact of the contact to the change.
func (c *Change) Remember(name, value string) {
	if c.Facts == nil {
		c.Facts = map[string]string{}
	}
	c.Facts[name] = value
}

// LeaveFunnel takes the contact out of the funnel that it is in.
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

// Becomes applies the change to a contact, as far as it is of its fields. Facts are for the caller to bound.
func (c Change) Becomes(of *contact.Contact) {
	if c.Prospect && of.Stage == contact.Lead {
		of.Stage = contact.Prospect
	}
	of.KeepsToThemselves = of.KeepsToThemselves || c.Keeps
	of.OptedIn = of.OptedIn && !c.OptOut
	for field, value := range map[*string]string{
		&of.Name: c.Name, &of.Budget: c.Budget, &of.Location: c.Location,
	} {
		if value != "" {
			*field = value
		}
	}
}

// If is p where something is so, else 0.
func If(so bool, p float64) float64 {
	if so {
		return p
	}
	return 0
}

// Intents of replies beside those of the built-in engine.
const (
	Availability = "availability" // of products
	Emergency    = "emergency"
	Hours        = "hours"
	Introduces   = "details" // the message tells who its writer is
	OptOut       = "opt_out"
	Order        = "order"
	SmallTalk    = "small_talk"
	Unreadable   = "unreadable"
	WhoAreYou    = "identity"
)
