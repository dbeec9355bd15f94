package conversation

import "time"

// A Sending is what it takes to hand a message over to the platform of its channel, and how far that has
// come.
type Sending struct {
	Channel Channel `json:"channel"`
	To      string  `json:"to"` // as the channel knows the contact
	// Reply tells that it answers the contact, which it may though the contact has opted out of messages.
	Reply bool `json:"reply,omitempty"`
	// Template is what a message of that kind is made of; a text is its content.
	Template *TemplateRef `json:"template,omitempty"`
	// Attempts is how many were begun. Each is noted before it is made, so that nobody else makes it too.
	Attempts int `json:"attempts"`
	// UnderWay tells that an attempt was begun, and how it came out is not noted. When FirstRetry has passed
	// it was cut off, and nobody knows whether the platform took the message.
	UnderWay bool `json:"under_way,omitempty"`
	// Unclear tells that of an attempt before that nobody knows it either.
	Unclear bool `json:"unclear,omitempty"`
	// Until is when the message is given up if it was not accepted before.
	Until time.Time `json:"until"`
	// ProviderID is the platform's own id of the message, once it was accepted; what the platform tells of it
	// later names it.
	ProviderID string `json:"provider_id,omitempty"`
	// ByPerson tells that a person of the business wrote it.
	ByPerson bool `json:"by_person,omitempty"`
	// Confidence is how sure the agent was of what the contact meant; nil where it did not say.
	Confidence *float64 `json:"confidence,omitempty"`
	// ByAction tells that an action had the agent say it: its event triggers no actions.
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

// FirstRetry is how long a message that was stored waits before it is looked at again: longer than an attempt
// may take, so that whoever began one has noted its outcome by then, or is gone.
const FirstRetry = 30 * time.Second
