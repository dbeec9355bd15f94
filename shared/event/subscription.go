package event

// A Trigger is what an action of an agent subscribes to, by the name that the API has for it.
type Trigger string

// The triggers.
const (
	OnMessageReceived Trigger = "message_received"
	OnMessageSent     Trigger = "message_sent"
	OnKeyword         Trigger = "keyword" // a message came whose text meets the conditions
	// a message came, and was answered, whose intent meets them
	OnIntentDetected       Trigger = "intent_detected"
	OnConversationStarted  Trigger = "conversation_started"
	OnConversationResolved Trigger = "conversation_resolved"
	OnHandoff              Trigger = "handoff"
	OnContactCreated       Trigger = "contact_created"
	OnStageChanged         Trigger = "stage_changed"
	OnAppointmentCreated   Trigger = "appointment_created"
	OnAppointmentUpdated   Trigger = "appointment_updated"
)

// A triggerRow says of which kind of event a trigger is.
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

// Values lists the triggers.
func (Trigger) Values() []string {
	var all []string
	for _, t := range triggers {
		all = append(all, string(t.trigger))
	}
	return all
}

// Number is the name of the number that counts the active actions of an agent that subscribe to the trigger.
// The agent's summary has it, and so has the mark of an agent with actions, which is read with the marks of
// deleted agents by whoever changes something of an agent's by its own id.
func (t Trigger) Number() string { return "on." + string(t) }

// Subscriptions are the triggers that active actions of an agent subscribe to. Nil is none.
type Subscriptions map[Trigger]bool

// SubscriptionsOf are those that the numbers of an item count.
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

// of are the triggers of an event that are subscribed to. An intent is detected where it is known.
func (s Subscriptions) of(e Event) []Trigger {
	var all []Trigger
	for _, t := range triggers {
		if t.kind == e.Kind && s[t.trigger] && (t.trigger != OnIntentDetected || e.Intent != "") {
			all = append(all, t.trigger)
		}
	}
	return all
}
