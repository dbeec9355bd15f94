// Package outbox is what happened, written down in the transaction that made it true. The dispatch function reads it
// from the table's change feed and sends it on, so that nothing that happened goes unheard.
package outbox

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"frontdesk/shared/table"
	"frontdesk/shared/trigger"
)

// Kinds of events.
const (
	AgentDeleted         = "agent.deleted"         // all that is below the agent is to go
	DocumentDeleted      = "document.deleted"      // all that is left of the document is to go
	DocumentIndexing     = "document.indexing"     // index entries are written, which are to go should the document never name their generation
	DocumentIndexed      = "document.indexed"      // the index entries of the document's earlier generations are to go
	ConversationResolved = "conversation.resolved" // the conversation was not resolved, and is now
	AppointmentCreated   = "appointment.created"   // the appointment was made
	AppointmentUpdated   = "appointment.updated"   // the appointment was moved to another time
	MessageSent          = "message.sent"          // the agent answered a message that came over WhatsApp
	MessageQueued        = "message.queued"        // a message is to leave the service, and the attempts of that number were begun
	WebhookDeleted       = "webhook.deleted"       // all that is left of the webhook is to go
	DeliveryRequested    = "delivery.requested"    // a delivery is to be made again, from the attempt of that number on
	ActionsTriggered     = "actions.triggered"     // something happened that actions of the agent wait for
	ActionDeleted        = "action.deleted"        // all that is left of the action is to go
	FunnelWaits          = "funnel.waits"          // a contact in a funnel is to be led on at a time
)

// keep is how long an event stays in the table after it happened: longer than the feed keeps it, for people who look
// for what became of it.
const keep = 7 * 24 * time.Hour

// An Event is something that happened. The ids that do not concern its kind are 0.
type Event struct {
	ID             int64     `json:"id"`
	Kind           string    `json:"kind"`
	At             time.Time `json:"at"`
	AccountID      int64     `json:"account_id"`
	AgentID        int64     `json:"agent_id,omitempty"`
	DocumentID     int64     `json:"document_id,omitempty"`
	Generation     int64     `json:"generation,omitempty"`
	ConversationID int64     `json:"conversation_id,omitempty"`
	MessageID      int64     `json:"message_id,omitempty"`
	WebhookID      int64     `json:"webhook_id,omitempty"`
	DeliveryID     int64     `json:"delivery_id,omitempty"`
	ActionID       int64     `json:"action_id,omitempty"`
	Attempt        int       `json:"attempt,omitempty"`
	// Due is when something is to be done.
	Due time.Time `json:"due,omitzero"`
	// Data is what webhooks are told, as it was when it happened: an object whose keys are in the order of the API's
	// reference. Kinds that no webhook hears of have none.
	Data json.RawMessage `json:"data,omitempty"`
	// News is what happened that actions wait for.
	News *trigger.News `json:"news,omitempty"`
}

// Tell is the write that tells the actions of an agent of the news, as far as they wait for it; where they do not, there
// is none, so that agents without actions pay nothing.
func Tell(account, agent, event int64, at time.Time, waiting trigger.Set, news trigger.News) ([]table.Write, error) {
	news = news.Of(waiting)
	if len(news.Occurrences) == 0 {
		return nil, nil
	}
	put, err := Event{ID: event, Kind: ActionsTriggered, At: at, AccountID: account, AgentID: agent, News: &news}.Put()
	return []table.Write{put}, err
}

// Put is the write that puts the event into the outbox, for the transaction of what happened. ID and At must be set.
func (e Event) Put() (table.Write, error) {
	doc, err := encode(e)
	return table.PutIfAbsent(table.Item{
		Key:     Key(e.AccountID, e.ID),
		Doc:     doc,
		Expires: e.At.Add(keep).Truncate(time.Second),
	}), err
}

// Data is the Data of an event, from a struct whose fields are in the order of the keys. What HTML would
// have escaped stays as it is.
func Data(v any) (json.RawMessage, error) { return encode(v) }

// encode is json.Marshal that leaves < > and & alone, also in what is JSON already: the characters of Data are what
// webhooks get.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// Read is the event that an item holds.
func Read(item table.Item) (Event, error) {
	var e Event
	if err := json.Unmarshal(item.Doc, &e); err != nil {
		return Event{}, fmt.Errorf("outbox: %s: %w", item.PK, err)
	}
	return e, nil
}
