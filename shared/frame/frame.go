// Package frame is the state of a dialogue: one record, stored with the conversation, of what an agent and
// a contact talk about and what is open between them. shared/assistant/fill.go updates it with every
// message and reply, and all skills read it, so a contact need not repeat what it told another skill.
//
//   - [Topic] is what the conversation is about.
//   - [Said] is what either side said last.
//   - [Asked] is what the agent has asked and not yet got an answer to.
//   - [Slots] are the known parameters of the contact's request.
//   - [Proposal] is what the agent proposed for an appointment that is being arranged.
package frame

import (
	"slices"
	"strings"
	"time"

	"frontdesk/shared/text"
	"frontdesk/shared/when"
)

// A Frame is the state of a dialogue. It is stored with each turn. Its JSON keys have one letter, since
// writing a conversation of at most 1 KB costs less. The zero Frame is that of a new conversation. Copies
// share slices, so clone a slice before changing it.
type Frame struct {
	Topic    Topic    `json:"t,omitzero"`
	Said     Said     `json:"d,omitzero"`
	Asked    Asked    `json:"a,omitzero"`
	Slots    Slots    `json:"s,omitzero"`
	Proposal Proposal `json:"p,omitzero"`
}

// HandOver clears the frame when a person takes over, except for the last question and whether the agent
// has asked how to reach the contact.
func (f *Frame) HandOver() { *f = Frame{Asked: Asked{Reply: f.Asked.Reply, Contact: f.Asked.Contact}} }

// A Topic is what a conversation is about. Fields that neither side has named are empty. It expires after
// some messages; see Lasts.
type Topic struct {
	Service string `json:"s,omitempty"` // the name of one of the agent's services
	// Vague reports whether less than half of the service's name was said. An answer about another service
	// then replaces it.
	Vague   bool   `json:"v,omitempty"`
	Product string `json:"p,omitempty"` // the product's name
	Person  string `json:"w,omitempty"` // a person of the business, as either side calls them
	Order   string `json:"o,omitempty"` // the order's number, or the name of the ordered product
	// Document is the title of the document of the last answer. Heading is the heading above the answer, or
	// the question of its FAQ.
	Document string `json:"d,omitempty"`
	Heading  string `json:"h,omitempty"`
	// At is the number of the contact's messages when one of the other fields was last set.
	At int64 `json:"n,omitempty"`
}

// lasting is the number of the contact's messages after which a topic that is not named again expires.
const lasting = 6

// Lasts reports whether the topic is still current after so many messages of the contact.
func (t Topic) Lasts(received int64) bool { return received-t.At <= lasting }

// Named reports whether the topic names anything.
func (t Topic) Named() bool {
	t.At, t.Vague = 0, false
	return t != Topic{}
}

// Said summarises what was said, so that skills need not read the messages. The agent's last message is the
// conversation's Preview. Quotes are on one line and are cut to maxQuote characters.
type Said struct {
	// First is the contact's first meaningful message and Last the last one, "" if they are the same. As
	// long as no message is meaningful, Last is the last one.
	First string `json:"f,omitempty"`
	Last  string `json:"l,omitempty"`
	// Replies is the number of the agent's replies.
	Replies int `json:"r,omitempty"`
	// Unanswered are the latest consecutive questions that the agent could not answer.
	Unanswered []string `json:"u,omitempty"`
}

// maxQuote is the maximum length of a quote in characters.
const maxQuote = 120

// Hear records a message of the contact. Tells is false for a courtesy or a bare answer.
func (s *Said) Hear(message string, tells bool) {
	switch quoted := quote(message); {
	case !tells && s.First != "":
	case !tells:
		s.Last = quoted
	case s.First == "":
		s.First, s.Last = quoted, ""
	case quoted != s.First:
		s.Last = quoted
	}
}

// quote returns a message on one line, cut to maxQuote characters.
func quote(message string) string {
	return text.Cut(strings.Join(strings.Fields(message), " "), maxQuote)
}

// Decline records a message that the agent could not answer.
func (s *Said) Decline(message string) {
	s.Unanswered = append(slices.Clip(s.Unanswered), quote(message))
}

// Asked is what the agent has asked and not yet got an answer to. Several questions may be open at once:
// that of the last reply, that of an appointment, which is repeated after other answers, and that of a
// funnel.
type Asked struct {
	// Reply is what the last reply asks for; may be empty.
	Reply Question `json:"r,omitempty"`
	// Again reports whether the last reply repeated an open question, since the answer was not understood.
	Again bool `json:"g,omitempty"`
	// Appointment is the state of arranging an appointment; "" if none is being arranged.
	Appointment Step `json:"a,omitempty"`
	// Funnel is the contact's position in a funnel; zero if it is in none.
	Funnel InFunnel `json:"f,omitzero"`
	// Contact reports whether the agent has ever asked how to reach the contact, Invited whether it has
	// said the business's call to action. Both happen once.
	Contact bool `json:"c,omitempty"`
	Invited bool `json:"i,omitempty"`
}

// Ask records what the reply asks for.
func (a *Asked) Ask(q Question) {
	a.Reply = q
	a.Contact = a.Contact || q == ForContact
}

// A Question is what a reply asks a contact for.
type Question string

// The questions.
const (
	ForContact Question = "contact" // the name and how to reach the contact
	ForPerson  Question = "person"  // whether to bring in a person
	// ForAppointment asks whether to arrange an appointment, according to the business's call to action.
	ForAppointment Question = "appointment"
	ForOrder       Question = "order"  // the number of an order
	ForNeeds       Question = "needs"  // what the business asks to qualify a lead
	ForFunnel      Question = "funnel" // what a step of a funnel asks
	// Done asks nothing: the reply confirms what was done about an appointment, and a yes acknowledges
	// that.
	Done Question = "done"
	// ForMeaning asks which of the offered readings the contact meant.
	ForMeaning Question = "meaning"
)

// A Step is the agent's last question about an appointment.
type Step string

// The steps.
const (
	AskedService Step = "service"
	AskedTime    Step = "time"
	Offered      Step = "offer"   // times to choose from
	AskedDetails Step = "details" // who the contact is
	AskedConfirm Step = "confirm" // whether to book the time
	AskedWhich   Step = "which"   // which of several appointments is meant
	AskedCancel  Step = "cancel"  // whether to cancel
	AskedWhose   Step = "whose"   // who made the appointment, since none was found
	Booked       Step = "booked"  // no question: an appointment was booked
	// CalledOff is no question: an appointment was cancelled, and the contact may change their mind.
	CalledOff Step = "called_off"
)

// Open reports whether an appointment is being arranged.
func (s Step) Open() bool { return s != "" && s != Booked && s != CalledOff }

// An InFunnel is a contact's position in a funnel: a question that waits for its answer, or a step after a
// wait. See package funnel.
type InFunnel struct {
	Funnel int64 `json:"f"`
	Step   int64 `json:"s"`
	// Wait is the id of the event that ends the wait; 0 while waiting for an answer.
	Wait int64     `json:"w,omitempty"`
	At   time.Time `json:"t"` // when the contact reached the step
	// Again reports whether the question was repeated, since the answer did not fit.
	Again bool `json:"g,omitempty"`
}

// Slots are the known parameters of what the contact wants.
type Slots struct {
	Visit
	// Phone and Email are the contact's verified addresses. Its name and what it claims are stored in the
	// conversation itself.
	Phone string `json:"t,omitempty"`
	Email string `json:"e,omitempty"`
	Mood  Mood   `json:"m,omitempty"`
	// Language is the language that the contact writes in, a BCP 47 tag, or "" if it is the agent's. It
	// does not change while an appointment is being arranged.
	Language string `json:"l,omitempty"`
	// Agent is the agent's language, used for texts to people of the business.
	Agent string `json:"a,omitempty"`
}

// A Visit is what the contact said about the appointment that they want.
type Visit struct {
	Service string      `json:"s,omitempty"` // the name of one of the agent's services
	Words   string      `json:"w,omitempty"` // the contact's words for the reason, if no service matches
	Dates   []when.Date `json:"d,omitempty"`
	Clock   when.Clock  `json:"c,omitzero"`
	Refused []when.Date `json:"r,omitempty"` // days that the contact declined
	Party   int         `json:"p,omitempty"` // number of people; 0 if unknown
	Notes   string      `json:"n,omitempty"` // the contact's first message about it
}

// A Proposal is what the agent proposed for an appointment that is being arranged.
type Proposal struct {
	Start  time.Time   `json:"b,omitzero"`  // the proposed time
	Offers []time.Time `json:"o,omitempty"` // the offered times, in the order of the reply
	Own    []int64     `json:"h,omitempty"` // the contact's appointments that the reply listed
	// Appointment is the appointment to move or, with Cancel, to cancel; 0 for none.
	Appointment int64 `json:"a,omitempty"`
	Cancel      bool  `json:"x,omitempty"`
	// Topical reports whether the service was taken from the topic and not yet confirmed.
	Topical bool `json:"t,omitempty"`
	// Vague reports whether less than half of the service's name was said, so that it needs a confirmation.
	Vague bool `json:"v,omitempty"`
	// Alike are the names of services that match the contact's words equally well.
	Alike []string `json:"i,omitempty"`
	// Aside is the number of consecutive messages that did not answer the open question.
	Aside int `json:"u,omitempty"`
	// Sought reports whether the agent asked for the service, Resought whether it asked again. AskedWho is
	// how often it asked for the contact's details.
	Sought   bool      `json:"q,omitempty"`
	Resought bool      `json:"k,omitempty"`
	AskedWho int       `json:"y,omitempty"`
	At       time.Time `json:"l,omitzero"` // time of the last message about it
}

// A Mood is the contact's mood.
type Mood string

// The moods. The empty mood is calm.
const (
	Upset    Mood = "upset"
	Friendly Mood = "friendly"
)

// Feels records the mood of a message. Upset is kept for the rest of the conversation.
func (s *Slots) Feels(m Mood) {
	if s.Mood != Upset && m != "" {
		s.Mood = m
	}
}
