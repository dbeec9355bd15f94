package conversation

import "time"

// A Dialog is how far the agent and the contact have come in what they talk about, for the next turn to go on from.
type Dialog struct {
	// Declined is how many questions in a row the agent had no answer to.
	Declined int `json:"declined,omitempty"`
	// Asked is what the agent's last reply asks for; "" for nothing.
	Asked Asked `json:"asked,omitempty"`
	// AskedContact tells that the agent has asked how the contact can be reached.
	AskedContact bool `json:"asked_contact,omitempty"`
	// Invited tells that the agent has said what the business invites people to.
	Invited bool `json:"invited,omitempty"`
	// Booking is the appointment that is being arranged, as a booking.State writes it; "" for none.
	Booking string `json:"booking,omitempty"`
	// Funnel is where the contact is in a funnel; the zero InFunnel is in none.
	Funnel InFunnel `json:"funnel,omitzero"`
	// Topic is what is talked about.
	Topic Topic `json:"topic,omitzero"`
	// HandoffReason is why a person handles the conversation; "" while none does.
	HandoffReason HandoffReason `json:"handoff_reason,omitempty"`
	// HandoffSummary tells the person who takes over who the contact is, what they want, what was tried and
	// how they feel, in the agent's language; "" where nothing was said before.
	HandoffSummary string `json:"handoff_summary,omitempty"`
}

// A Topic is what a conversation is about, as far as either side has named it. What was named long ago is none any more.
type Topic struct {
	Service string `json:"service,omitempty"` // by its name among the agent's services
	Product string `json:"product,omitempty"` // by its name
	// Subject is what the last answer was about, in the words of the heading, the document or the FAQ that it is from.
	Subject string `json:"subject,omitempty"`
	// At is how many messages the contact had written when one of these was last named.
	At int64 `json:"at,omitempty"`
}

// An InFunnel is where a contact is in a funnel of the agent: at a question that awaits its answer, or at a step that comes
// after a wait. See package funnel.
type InFunnel struct {
	Funnel int64 `json:"funnel"`
	Step   int64 `json:"step"`
	// Wait is the id of the event that ends the wait; 0 where an answer is awaited.
	Wait int64     `json:"wait,omitempty"`
	At   time.Time `json:"at"` // when the contact came there
	// Again tells that the question was put again, since the answer did not fit it.
	Again bool `json:"again,omitempty"`
}

// An Asked is something that the agent asks a contact for.
type Asked string

// What it can be.
const (
	AskedForContact Asked = "contact" // who the contact is and how to reach it
	AskedForPerson  Asked = "person"  // whether to bring in a person
	// Whether to arrange the appointment that the business invites to.
	AskedForAppointment Asked = "appointment"
	AskedForNeeds       Asked = "needs" // what the business wants to know of whom it may sell to
)

// A HandoffReason is why a conversation was handed over to a person.
type HandoffReason string

// The reasons.
const (
	HandoffManual    HandoffReason = "manual"    // a person of the business took it
	HandoffRequested HandoffReason = "requested" // the contact asked for a person
	HandoffComplaint HandoffReason = "complaint" // the contact complains
	HandoffDeclined  HandoffReason = "declined"  // the agent did not know the answer, several times in a row
	HandoffKeyword   HandoffReason = "keyword"   // the message has one of the agent's keywords for it
	HandoffAction    HandoffReason = "action"    // an action of the agent did it
	HandoffFunnel    HandoffReason = "funnel"    // a step of a funnel did it
)

// Values lists the reasons.
func (HandoffReason) Values() []string {
	return []string{
		string(HandoffManual), string(HandoffRequested), string(HandoffComplaint), string(HandoffDeclined), string(HandoffKeyword),
		string(HandoffAction), string(HandoffFunnel),
	}
}
