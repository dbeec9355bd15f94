package event

// A Kind is the name of a kind of event.
type Kind string

// The kinds; declarations describes each.
const (
	MessageSent          Kind = "message.sent"
	ConversationResolved Kind = "conversation.resolved"
	AppointmentCreated   Kind = "appointment.created"
	AppointmentUpdated   Kind = "appointment.updated"
	MessageReceived      Kind = "message.received"
	ConversationOpened   Kind = "conversation.opened"
	ContactCreated       Kind = "contact.created"
	ChannelDisconnected  Kind = "channel.disconnected"
	APIKeyExpiring       Kind = "api_key.expiring"

	ConversationHandedOver Kind = "conversation.handed_over"
	ContactStageChanged    Kind = "contact.stage_changed"

	AgentDeleted      Kind = "agent.deleted"
	ContactErased     Kind = "contact.erased"
	RetentionDue      Kind = "retention.due"
	RenewalDue        Kind = "renewal.due"
	DocumentDeleted   Kind = "document.deleted"
	DocumentIndexed   Kind = "document.indexed"
	WebhookDeleted    Kind = "webhook.deleted"
	ActionDeleted     Kind = "action.deleted"
	MessageQueued     Kind = "message.queued"
	DeliveryRequested Kind = "delivery.requested"
	FunnelWaiting     Kind = "funnel.waiting"
	ContactMerged     Kind = "contact.merged"
	WebsiteCrawling   Kind = "website.crawling"
)

// A Worker is a function that processes events from a queue.
type Worker string

// The workers, named after their directories under functions/.
const (
	Purge    Worker = "purge"
	Outbound Worker = "outbound"
	Deliver  Worker = "deliver"
	Funnels  Worker = "funnels"
	Crawl    Worker = "crawl"
)

// A Declaration describes a kind of event.
type Declaration struct {
	Kind Kind
	// Doc completes the sentence "It is published when …".
	Doc string
	// Fields are the JSON names of the fields that its events have in addition to the common ones.
	Fields []string
	// Worker gets every event of the kind; "" if none does.
	Worker Worker
	// Offered is set if webhooks may subscribe to the kind. Some offered kinds are never delivered to
	// webhooks, as the API reference says; they have no data and are for actions.
	Offered bool
	// data returns the data for webhooks: a struct in the field order of the API reference, or nil to deliver
	// nothing.
	data func(Event) any
}

// Fields that many kinds share.
var (
	ofConversation = []string{"contact_id", "contact_name", "contact", "conversation_id", "channel"}
	ofMessage      = append(ofConversation[:5:5], "message_id", "message", "intent", "confidence")
	ofAppointment  = []string{
		"contact_id", "contact_name", "contact", "appointment_id", "title", "start_time", "contact_phone",
	}
)

// declarations are all kinds. Those offered to webhooks come first, in the order in which the API lists them.
var declarations = []Declaration{
	{
		Kind: MessageSent, Offered: true, data: sentData,
		Doc: "a message to a contact was sent: stored, where the web chat or the caller of the API shows " +
			"it, or accepted by the platform of its channel. Webhooks are told of what the agent itself " +
			"says on a platform",
		Fields: append(ofMessage[:9:9], "sent_by_ai", "on_platform", "contact_phone", "action"),
	},
	{
		Kind: ConversationResolved, Offered: true, data: resolvedData,
		Doc: "a conversation becomes resolved", Fields: ofConversation,
	},
	{
		Kind: AppointmentCreated, Offered: true, data: appointmentData,
		Doc: "an appointment is made", Fields: ofAppointment,
	},
	{
		Kind: AppointmentUpdated, Offered: true, data: appointmentData,
		Doc: "an appointment is moved to another time", Fields: ofAppointment,
	},
	{
		Kind: ChannelDisconnected, Offered: true, data: disconnectedData,
		Doc:    "a channel's platform refuses the credentials, and the channel is to be connected again",
		Fields: []string{"channel", "detail"},
	},
	{
		Kind: APIKeyExpiring, Offered: true, data: expiringData,
		Doc: "an API key of the workspace ends within 14 days, once; every agent has the event. The daily " +
			"schedule hands one without a key to the jobs function",
		Fields: []string{"api_key_id", "api_key_name", "ends_at"},
	},
	{Kind: MessageReceived, Offered: true, Doc: "a contact writes", Fields: ofMessage},
	{Kind: ConversationOpened, Offered: true, Doc: "a conversation begins", Fields: ofConversation},
	{
		Kind: ContactCreated, Offered: true, Fields: ofConversation,
		Doc: "a contact is added; the fields of the conversation are there where it was added in one",
	},

	{Kind: ConversationHandedOver, Doc: "a person takes over from the agent", Fields: ofConversation},
	{
		Kind: ContactStageChanged, Doc: "a contact comes to another stage",
		Fields: append(ofConversation[:5:5], "stage", "previous_stage"),
	},

	{Kind: AgentDeleted, Worker: Purge, Doc: "an agent is deleted; what lies below it is to go"},
	{
		Kind: ContactErased, Worker: Purge, Fields: []string{"contact_id"},
		Doc: "a contact is erased; all that they wrote and what came of it is to go",
	},
	{
		Kind: RetentionDue, Worker: Purge,
		Doc: "an agent's retention is set, and every day; conversations that are older are to go. Without " +
			"an agent it is about all agents that have one",
	},
	{
		Kind: RenewalDue, Worker: Outbound, Fields: []string{"channel"},
		Doc: "every day; credentials of a channel that end some day are to be exchanged in time. Without " +
			"an agent it is about all such channels",
	},
	{
		Kind: DocumentDeleted, Worker: Purge, Doc: "a document is deleted; what is left of it is to go",
		Fields: []string{"document_id"},
	},
	{
		Kind: DocumentIndexed, Worker: Purge, Fields: []string{"document_id"},
		Doc: "a document was indexed; what is pending of the agent's index is to be merged",
	},
	{
		Kind: WebhookDeleted, Worker: Purge, Doc: "a webhook is deleted; its deliveries are to go",
		Fields: []string{"webhook_id"},
	},
	{
		Kind: ActionDeleted, Worker: Purge, Doc: "an action is deleted; its deliveries and limits are to go",
		Fields: []string{"action_id"},
	},
	{
		Kind: ContactMerged, Worker: Purge, Fields: []string{"contact_id", "contact_name", "contact"},
		Doc: "another contact was joined into one; what is left of it is to move",
	},
	{
		Kind: MessageQueued, Worker: Outbound, Fields: []string{"conversation_id", "message_id", "attempt"},
		Doc: "a message is to leave for a platform; attempt counts the attempts that were begun",
	},
	{
		Kind: DeliveryRequested, Worker: Deliver, Fields: []string{"webhook_id", "delivery_id", "attempt"},
		Doc: "a delivery is to be made again, from that attempt on",
	},
	{
		Kind: FunnelWaiting, Worker: Funnels, Fields: []string{"conversation_id", "due"},
		Doc: "a contact waits at a step of a funnel until it is due",
	},
	{
		Kind: WebsiteCrawling, Worker: Crawl, Fields: []string{"website_id", "generation"},
		Doc: "a website is to be crawled, or deleted with its documents; generation is the run",
	},
}

// Declared returns the declaration of a kind; ok is false for an unknown one.
func Declared(kind Kind) (Declaration, bool) {
	for _, d := range declarations {
		if d.Kind == kind {
			return d, true
		}
	}
	return Declaration{}, false
}

// Declarations returns all kinds. The caller must not change the slice.
func Declarations() []Declaration { return declarations }

// Values implements api.Enum: the kinds that webhooks may subscribe to.
func (Kind) Values() []string {
	var offered []string
	for _, d := range declarations {
		if d.Offered {
			offered = append(offered, string(d.Kind))
		}
	}
	return offered
}

// wanted reports whether the event has a subscriber.
func (e Event) wanted() bool {
	d, _ := Declared(e.Kind)
	return d.Worker != "" || len(e.Triggers) > 0 || d.data != nil && d.data(e) != nil
}
