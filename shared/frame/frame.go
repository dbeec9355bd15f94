// Package frame is the structure of a dialogue: one record, stored with the conversation, of what an agent
// and a contact talk about and how far they have come. Every message and every reply fills it in one place
// (shared/assistant/fill.go), and every skill reads what it needs from it. So what was said once need not
// be said again, whichever skill heard it.
//
//   - [Topic] is what the conversation is about.
//   - [Said] is what either side said last.
//   - [Asked] is what the agent has asked and awaits an answer to.
//   - [Slots] are what is known for what the contact wants.
//   - [Proposal] is what was proposed for an appointment that is being arranged.
package frame

import (
	"slices"
	"strings"
	"time"

	"frontdesk/shared/text"
	"frontdesk/shared/when"
)

// A Frame is the state of a dialogue. It is stored with each turn, in fields of one letter, since a turn
// costs less while its conversation is below 1 KB. The zero Frame is that of one that has not begun. Readers
// share slices of it, so whoever changes one clones it.
type Frame struct {
	Topic    Topic    `json:"t,omitzero"`
	Said     Said     `json:"d,omitzero"`
	Asked    Asked    `json:"a,omitzero"`
	Slots    Slots    `json:"s,omitzero"`
	Proposal Proposal `json:"p,omitzero"`
}

// HandOver ends the dialogue, since a person goes on with the conversation: what is left is what the
// contact was asked last.
func (f *Frame) HandOver() { *f = Frame{Asked: Asked{Reply: f.Asked.Reply, Contact: f.Asked.Contact}} }

// A Topic is what a conversation is about, as far as either side has named it. What was named long ago is
// none any more; see At.
type Topic struct {
	Service string `json:"s,omitempty"` // by its name among the agent's services
	Product string `json:"p,omitempty"` // by its name
	Person  string `json:"w,omitempty"` // of the business, as either side calls them
	Order   string `json:"o,omitempty"` // its number, or the name of the product that was ordered
	// Document is the title of the document that the last answer is from, and Heading what stands above the
	// answer there: a heading, or the question of an FAQ.
	Document string `json:"d,omitempty"`
	Heading  string `json:"h,omitempty"`
	// At is how many messages the contact had written when one of these was last named.
	At int64 `json:"n,omitempty"`
}

// lasting is for how many messages of the contact a topic that nobody names again stays one.
const lasting = 6

// Lasts reports whether the topic is one still for a contact who has written so many messages.
func (t Topic) Lasts(received int64) bool { return received-t.At <= lasting }

// Named reports whether the topic names anything.
func (t Topic) Named() bool {
	t.At = 0
	return t != Topic{}
}

// Said is what was said so far, for whoever has to know it without the messages. What the agent said last
// is the conversation's Preview. Quotes stand on one line and are cut to maxQuote characters.
type Said struct {
	// First is the contact's first message that says something, and Last the last one, "" where that is the
	// same. While none says anything, Last is the last of all.
	First string `json:"f,omitempty"`
	Last  string `json:"l,omitempty"`
	// Replies is how often the agent has replied.
	Replies int `json:"r,omitempty"`
	// Unanswered are the questions in a row, up to the last one, that the agent had no answer to.
	Unanswered []string `json:"u,omitempty"`
}

// maxQuote is how much of a message is kept, in characters.
const maxQuote = 120

// Hear takes in a message of the contact, which may be a courtesy or an answer that tells nothing by
// itself.
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

// quote is a message on one line, cut to what is kept of it.
func quote(message string) string {
	return text.Cut(strings.Join(strings.Fields(message), " "), maxQuote)
}

// Decline notes that the agent had no answer to a message.
func (s *Said) Decline(message string) {
	s.Unanswered = append(slices.Clip(s.Unanswered), quote(message))
}

// Asked is what the agent has asked and awaits an answer to. There may be several questions at once: that
// of the last reply, that of an appointment, which is put again behind other answers, and that of a funnel.
type Asked struct {
	// Reply is what the last reply asks for; "" for nothing.
	Reply Question `json:"r,omitempty"`
	// Again tells that the last reply put an open question again, since nobody knew what to make of the
	// answer.
	Again bool `json:"g,omitempty"`
	// Appointment is how far the arranging of an appointment has come; "" while none is arranged.
	Appointment Step `json:"a,omitempty"`
	// Funnel is where the contact is in a funnel; the zero InFunnel is in none.
	Funnel InFunnel `json:"f,omitzero"`
	// Contact tells that the agent has asked at some time how the contact can be reached, and Invited that
	// it has said what the business invites people to. Both are done once.
	Contact bool `json:"c,omitempty"`
	Invited bool `json:"i,omitempty"`
}

// Ask notes what the reply asks for.
func (a *Asked) Ask(q Question) {
	a.Reply = q
	a.Contact = a.Contact || q == ForContact
}

// A Question is something that a reply asks a contact for.
type Question string

// What it can be.
const (
	ForContact Question = "contact" // who the contact is and how to reach it
	ForPerson  Question = "person"  // whether to bring in a person
	// ForAppointment asks whether to arrange the appointment that the business invites to.
	ForAppointment Question = "appointment"
	ForOrder       Question = "order"  // the number of an order
	ForNeeds       Question = "needs"  // what the business wants to know of whom it may sell to
	ForFunnel      Question = "funnel" // what a step of a funnel asks
	// Done asks nothing: the reply says what was done about an appointment, which a yes acknowledges.
	Done Question = "done"
	// ForMeaning asks which of the readings that the reply offers to choose from the contact meant.
	ForMeaning Question = "meaning"
)

// A Step is what the agent asked last about an appointment.
type Step string

// The steps.
const (
	AskedService Step = "service"
	AskedTime    Step = "time"
	Offered      Step = "offer"   // times to choose from
	AskedDetails Step = "details" // who the contact is
	AskedConfirm Step = "confirm" // whether to book the time
	AskedWhich   Step = "which"   // of several appointments
	AskedCancel  Step = "cancel"  // whether to cancel
	AskedWhose   Step = "whose"   // who the appointment is for that was not found
	Booked       Step = "booked"  // nothing: an appointment was made
	// CalledOff asks nothing either: an appointment was cancelled, which the contact may think better of.
	CalledOff Step = "called_off"
)

// Open reports whether an appointment is being arranged, which awaits an answer.
func (s Step) Open() bool { return s != "" && s != Booked && s != CalledOff }

// An InFunnel is where a contact is in a funnel of the agent: at a question that awaits its answer, or at a
// step that comes after a wait. See package funnel.
type InFunnel struct {
	Funnel int64 `json:"f"`
	Step   int64 `json:"s"`
	// Wait is the id of the event that ends the wait; 0 where an answer is awaited.
	Wait int64     `json:"w,omitempty"`
	At   time.Time `json:"t"` // when the contact came there
	// Again tells that the question was put again, since the answer did not fit it.
	Again bool `json:"g,omitempty"`
}

// Slots are what is known for what the contact wants.
type Slots struct {
	Visit
	// Phone and Email are how to reach the contact, where that is proved. Its name, and what it only
	// claims, the conversation has already.
	Phone string `json:"t,omitempty"`
	Email string `json:"e,omitempty"`
	Mood  Mood   `json:"m,omitempty"`
	// Language is the one that the contact writes in, a BCP 47 tag, where that is not the agent's. While an
	// appointment is arranged it stays the one that this began in.
	Language string `json:"l,omitempty"`
	// Agent is the agent's language, which people of the business are told things in.
	Agent string `json:"a,omitempty"`
}

// A Visit is what the contact wants of an appointment.
type Visit struct {
	Service string      `json:"s,omitempty"` // by its name among the agent's services
	Words   string      `json:"w,omitempty"` // the contact's for what it is for, where that is no service
	Dates   []when.Date `json:"d,omitempty"`
	Clock   when.Clock  `json:"c,omitzero"`
	Refused []when.Date `json:"r,omitempty"` // days that will not do
	Party   int         `json:"p,omitempty"` // how many people, 0 where that was not said
	Notes   string      `json:"n,omitempty"` // what the contact wrote first
}

// A Proposal is what was found and proposed for an appointment that is being arranged.
type Proposal struct {
	Start  time.Time   `json:"b,omitzero"`  // the time to book
	Offers []time.Time `json:"o,omitempty"` // in the order in which they were told
	Own    []int64     `json:"h,omitempty"` // the contact's appointments that were told
	// Appointment is the one to move or, with Cancel, to cancel; 0 for none.
	Appointment int64 `json:"a,omitempty"`
	Cancel      bool  `json:"x,omitempty"`
	// Topical tells that the service is what was talked about before, and was not said back yet.
	Topical bool `json:"t,omitempty"`
	// Sought tells that the service was asked for, Resought that it was once more, and AskedWho how often
	// it was asked who the contact is.
	Sought   bool      `json:"q,omitempty"`
	Resought bool      `json:"k,omitempty"`
	AskedWho int       `json:"y,omitempty"`
	At       time.Time `json:"l,omitzero"` // of the last message about it
}

// A Mood is how the contact feels.
type Mood string

// The moods. The empty one is calm.
const (
	Upset    Mood = "upset"
	Friendly Mood = "friendly"
)

// Feels notes the mood of a message. Who was upset stays so.
func (s *Slots) Feels(m Mood) {
	if s.Mood != Upset && m != "" {
		s.Mood = m
	}
}
