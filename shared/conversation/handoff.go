package conversation

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
		string(HandoffManual), string(HandoffRequested), string(HandoffComplaint), string(HandoffDeclined),
		string(HandoffKeyword),
		string(HandoffAction), string(HandoffFunnel),
	}
}
