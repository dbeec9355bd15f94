package conversation

import "time"

// A Sending is the state of a message that is sent over the platform of its channel.
type Sending struct {
	Channel Channel `json:"channel"`
	To      string  `json:"to"` // as the channel knows the contact
	// Reply is set if the message answers the contact. It may then be sent to a contact that has opted out.
	Reply bool `json:"reply,omitempty"`
	// Template is that of a message of the kind Template. A text has its text in Content.
	Template *TemplateRef `json:"template,omitempty"`
	// Attempts is how many attempts were begun. Each is recorded before it is made, so that no other process
	// makes it too.
	Attempts int `json:"attempts"`
	// InFlight is set while an attempt was begun and its outcome is not recorded. After FirstRetry it was
	// interrupted, and the platform may or may not have accepted the message.
	InFlight bool `json:"in_flight,omitempty"`
	// Unclear is set if an earlier attempt had no known outcome either.
	Unclear bool `json:"unclear,omitempty"`
	// Until is when the message is given up if it was not accepted before.
	Until time.Time `json:"until"`
	// ProviderID is the platform's id of the message once it was accepted. Statuses refer to it.
	ProviderID string `json:"provider_id,omitempty"`
	// ByPerson is set if a person of the business wrote the message.
	ByPerson bool `json:"by_person,omitempty"`
	// Confidence is how sure the agent was of what the contact meant; nil if it did not say.
	Confidence *float64 `json:"confidence,omitempty"`
	// ByAction is set if an action sends the message: its event triggers no actions.
	ByAction bool `json:"by_action,omitempty"`
	// Action and Intent are those of the event that is published once the message was accepted.
	Action string `json:"action,omitempty"`
	Intent string `json:"intent,omitempty"`
}

// A TemplateRef names a template of a channel, with the values of its placeholders in their order.
type TemplateRef struct {
	Name     string   `json:"name"`
	Language string   `json:"language"`
	Params   []string `json:"params,omitempty"`
}

// FirstRetry is how long after it was stored a message is processed again. It is longer than an attempt may
// take, so by then the outcome of the first attempt is recorded or its process is dead.
const FirstRetry = 30 * time.Second
