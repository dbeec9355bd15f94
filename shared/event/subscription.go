package event

// A Trigger is what an action subscribes to, by its name in the API.
type Trigger string

// The triggers.
const (
	OnMessageReceived Trigger = "message_received"
	OnMessageSent     Trigger = "message_sent"
	OnKeyword         Trigger = "keyword" // a message was received; conditions test its text
	// A message was received and answered; conditions test its intent.
	OnIntentDetected       Trigger = "intent_detected"
	OnConversationStarted  Trigger = "conversation_started"
	OnConversationResolved Trigger = "conversation_resolved"
	OnHandoff              Trigger = "handoff"
	OnContactCreated       Trigger = "contact_created"
	OnStageChanged         Trigger = "stage_changed"
	OnAppointmentCreated   Trigger = "appointment_created"
	OnAppointmentUpdated   Trigger = "appointment_updated"
)

// A triggerRow maps a trigger to its kind of event.
type triggerRow struct {
	trigger Trigger
	kind    Kind
}

var triggers = [...]triggerRow{
	{OnMessageReceived, MessageReceived},
	{OnMessageSent, MessageSent},
	{OnKeyword, MessageReceived},
	{OnIntentDetected, MessageReceived},
	{OnConversationStarted, ConversationOpened},
	{OnConversationResolved, ConversationResolved},
	{OnHandoff, ConversationHandedOver},
	{OnContactCreated, ContactCreated},
	{OnStageChanged, ContactStageChanged},
	{OnAppointmentCreated, AppointmentCreated},
	{OnAppointmentUpdated, AppointmentUpdated},
}

// Values implements api.Enum.
func (Trigger) Values() []string {
	var all []string
	for _, t := range triggers {
		all = append(all, string(t.trigger))
	}
	return all
}

// Number returns the name of the number that counts an agent's active actions with the trigger. The agent's
// summary has it, and so has the agent's mark (agent.Marks), for writers that do not read the summary.
func (t Trigger) Number() string { return "on." + string(t) }

// Subscriptions are the triggers of an agent's active actions. nil is none.
type Subscriptions map[Trigger]bool

// SubscriptionsOf returns the triggers whose numbers in an item are positive.
func SubscriptionsOf(numbers map[string]int64) Subscriptions {
	var s Subscriptions
	for _, t := range triggers {
		if numbers[t.trigger.Number()] <= 0 {
			continue
		}
		if s == nil {
			s = Subscriptions{}
		}
		s[t.trigger] = true
	}
	return s
}

// of returns the subscribed triggers of an event. An intent is detected only if it is known.
func (s Subscriptions) of(e Event) []Trigger {
	var all []Trigger
	for _, t := range triggers {
		if t.kind == e.Kind && s[t.trigger] && (t.trigger != OnIntentDetected || e.Intent != "") {
			all = append(all, t.trigger)
		}
	}
	return all
}
