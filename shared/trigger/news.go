package trigger

import "slices"

// News is what happened in one transaction, with what stays the same in all of it.
type News struct {
	ContactID   int64  `json:"contact_id"`
	ContactName string `json:"contact_name"`
	// ConversationID and Channel are of the conversation that it happened in, zero where it happened in none.
	ConversationID int64  `json:"conversation_id,omitempty"`
	Channel        string `json:"channel,omitempty"`
	// Contact is what else the contact was at the time, nil where that had not been read.
	Contact *Contact `json:"contact,omitempty"`
	// Allowed are the names of the actions that may run, where the procedures that the message calls for do not allow all;
	// nil where all may.
	Allowed []string `json:"allowed,omitzero"`
	// Occurrences are what happened. Of one trigger there is one at most.
	Occurrences []Occurrence `json:"occurrences"`
}

// A Contact is what conditions may ask of one.
type Contact struct {
	Stage     string   `json:"stage"`
	LeadScore int      `json:"lead_score"`
	Tags      []string `json:"tags,omitempty"`
}

// An Occurrence is one thing that happened, which may be several triggers: a message that came in is one that was
// received, may hold a keyword and may have an intent.
type Occurrence struct {
	Triggers []Trigger `json:"triggers"`
	Facts
}

// Facts are what is known of an occurrence. Those that its triggers do not have are zero.
type Facts struct {
	MessageID int64  `json:"message_id,omitempty"`
	Message   string `json:"message,omitempty"` // the text
	SentByAI  *bool  `json:"sent_by_ai,omitempty"`

	Intent     string   `json:"intent,omitempty"` // of the message, or of the one that it answers
	Confidence *float64 `json:"confidence,omitempty"`

	Stage         string `json:"stage,omitempty"`
	PreviousStage string `json:"previous_stage,omitempty"`

	AppointmentID int64  `json:"appointment_id,omitempty"`
	Title         string `json:"title,omitempty"`
	StartTime     string `json:"start_time,omitempty"`
	ContactPhone  string `json:"contact_phone,omitempty"`
}

// Data is what a webhook is told of an occurrence, in this order.
type Data struct {
	Trigger Trigger `json:"trigger"`
	Channel string  `json:"channel,omitempty"`
	Facts
}

// Data is what a webhook is told of an occurrence in the news, as the trigger that its action waits for.
func (n News) Data(t Trigger, o Occurrence) Data { return Data{t, n.Channel, o.Facts} }

// Of is the news as far as somebody waits for it. It has no occurrences where nobody waits for any.
func (n News) Of(waiting Set) News {
	var all []Occurrence
	for _, o := range n.Occurrences {
		o.Triggers = slices.DeleteFunc(slices.Clone(o.Triggers), func(t Trigger) bool { return !waiting[t] })
		if len(o.Triggers) > 0 {
			all = append(all, o)
		}
	}
	n.Occurrences = all
	return n
}
