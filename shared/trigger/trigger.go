// Package trigger is what happens at an agent that its actions wait for, and the news of it: what is written down when
// it happens, for the conditions of actions to ask about and for webhooks to be told.
//
// It lies below the packages of those things that it happens to. Package playbook has the actions, outbox takes the news
// into the transaction of what happened, and functions/dispatch runs the actions.
package trigger

// A Trigger is what has to happen for an action to run.
type Trigger string

// The triggers.
const (
	MessageReceived      Trigger = "message_received"
	MessageSent          Trigger = "message_sent"    // by the agent or by a person; over WhatsApp, once it was accepted there
	Keyword              Trigger = "keyword"         // a message came whose text meets the conditions
	IntentDetected       Trigger = "intent_detected" // a message came, and was answered, whose intent meets the conditions
	ConversationStarted  Trigger = "conversation_started"
	ConversationResolved Trigger = "conversation_resolved"
	Handoff              Trigger = "handoff"
	StageChanged         Trigger = "stage_changed" // that of the contact
	AppointmentCreated   Trigger = "appointment_created"
	AppointmentUpdated   Trigger = "appointment_updated" // it has another time
)

// Values lists the triggers.
func (Trigger) Values() []string {
	return []string{
		string(MessageReceived), string(MessageSent), string(Keyword), string(IntentDetected),
		string(ConversationStarted), string(ConversationResolved), string(Handoff), string(StageChanged),
		string(AppointmentCreated), string(AppointmentUpdated),
	}
}

// A Set is the triggers that active actions of an agent wait for. The nil Set is empty.
type Set map[Trigger]bool

// Number is the name of the number that counts the actions of an agent that wait for the trigger, in the agent's summary
// and in agent.TriggersKey. The two are alike: whoever has read the agent knows it from the first, and whoever
// changes something of an agent's by its own id from the second, which is read with the marks of deleted agents.
func (t Trigger) Number() string { return "on." + string(t) }

// SetOf is what the numbers of an item count.
func SetOf(numbers map[string]int64) Set {
	var s Set
	for _, name := range Trigger.Values("") {
		t := Trigger(name)
		if numbers[t.Number()] <= 0 {
			continue
		}
		if s == nil {
			s = Set{}
		}
		s[t] = true
	}
	return s
}
