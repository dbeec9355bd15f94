package conversation

// A Dialog is how far the agent and the contact have come in what they talk about, for the next turn to go on from.
type Dialog struct {
	// Declined is how many questions in a row the agent had no answer to.
	Declined int `json:"declined,omitempty"`
	// Asked is what the agent's last reply asks for; "" for nothing.
	Asked Asked `json:"asked,omitempty"`
	// AskedContact tells that the agent has asked how the contact can be reached.
	AskedContact bool `json:"asked_contact,omitempty"`
	// Booking is the appointment that is being arranged, as a booking.State writes it; "" for none.
	Booking string `json:"booking,omitempty"`
	// HandoffReason is why a person handles the conversation; "" while none does.
	HandoffReason HandoffReason `json:"handoff_reason,omitempty"`
}

// An Asked is something that the agent asks a contact for.
type Asked string

// What it can be.
const (
	AskedForContact Asked = "contact" // who the contact is and how to reach it
	AskedForPerson  Asked = "person"  // whether to bring in a person
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
