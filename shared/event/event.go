// Package event is what happens in Frontdesk, for whoever subscribes to it.
//
// Each kind of event is declared once, in declared.go: its name, when it is published, its fields, and who is
// told of it. [Publish] returns the writes that put events into the outbox, for the transaction of what
// happened, and writes nothing for events that nobody subscribes to. The dispatch function reads the outbox
// from the table's change feed and hands each event to its subscribers.
package event

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"frontdesk/shared/id"
	"frontdesk/shared/table"
)

// An Event is something that happened. Which fields are set beside the first five is declared for its kind;
// the others are zero.
type Event struct {
	ID        int64     `json:"id"`
	Kind      Kind      `json:"kind"`
	At        time.Time `json:"at"`
	AccountID int64     `json:"account_id"`
	AgentID   int64     `json:"agent_id,omitempty"`
	// Triggers are those to which actions of the agent subscribe; Publish sets them.
	Triggers []Trigger `json:"triggers,omitempty"`
	// ByAction tells that an action caused the event. It triggers no other actions, so there are no loops.
	ByAction bool `json:"by_action,omitempty"`
	// Allowed are the names of the actions that may run, where procedures that apply to the message allow
	// only some; nil where all may.
	Allowed []string `json:"allowed,omitzero"`

	ContactID   int64  `json:"contact_id,omitempty"`
	ContactName string `json:"contact_name,omitempty"`
	// Contact is what else the contact was at the time, nil where the publisher had not read it.
	Contact      *Contact `json:"contact,omitempty"`
	ContactPhone string   `json:"contact_phone,omitempty"` // E.164; empty where it is not known

	ConversationID int64  `json:"conversation_id,omitempty"`
	Channel        string `json:"channel,omitempty"` // of the conversation
	Detail         string `json:"detail,omitempty"`  // what a platform said
	MessageID      int64  `json:"message_id,omitempty"`
	Message        string `json:"message,omitempty"` // its text
	SentByAI       *bool  `json:"sent_by_ai,omitempty"`
	// OnPlatform tells that the channel is another company's platform: neither the web chat nor the API.
	OnPlatform bool `json:"on_platform,omitempty"`
	// Action is what the agent did with its reply, as in an answer of the chat endpoint.
	Action     string   `json:"action,omitempty"`
	Intent     string   `json:"intent,omitempty"`     // of the message, or of the one that it answers
	Confidence *float64 `json:"confidence,omitempty"` // in the intent, from 0 to 1

	Stage         string `json:"stage,omitempty"`
	PreviousStage string `json:"previous_stage,omitempty"`

	AppointmentID int64  `json:"appointment_id,omitempty"`
	Title         string `json:"title,omitempty"`
	StartTime     string `json:"start_time,omitempty"` // in the form of the API's reference, with a space

	APIKeyID   int64     `json:"api_key_id,omitempty"`
	APIKeyName string    `json:"api_key_name,omitempty"`
	EndsAt     time.Time `json:"ends_at,omitzero"` // of the key

	DocumentID int64 `json:"document_id,omitempty"`
	// Generation is the run of the website.
	Generation int64 `json:"generation,omitempty"`
	WebsiteID  int64 `json:"website_id,omitempty"`
	WebhookID  int64 `json:"webhook_id,omitempty"`
	DeliveryID int64 `json:"delivery_id,omitempty"`
	ActionID   int64 `json:"action_id,omitempty"`
	Attempt    int   `json:"attempt,omitempty"` // to send or to deliver, from 1
	// Due is when a worker is to act on the event; the zero time is at once.
	Due time.Time `json:"due,omitzero"`
}

// A Contact is what conditions of actions may ask of one.
type Contact struct {
	Stage     string   `json:"stage"`
	LeadScore int      `json:"lead_score"`
	Tags      []string `json:"tags,omitempty"`
}

// retention is how long an event stays in the table after it happened. It is longer than the feed keeps it,
// for people who look for what became of it.
const retention = 7 * 24 * time.Hour

// Publish returns the writes that publish events of a workspace, one item each, for the transaction of what
// happened. There is none for an event that has no subscriber: no worker, no webhook data, and no trigger
// among the agent's subscriptions. Events without an id get one from ids. At must be set, in whole
// milliseconds.
func Publish(ids *id.Source, account int64, to Subscriptions, events ...Event) ([]table.Write, error) {
	var writes []table.Write
	for _, e := range events {
		e.AccountID, e.Triggers = account, nil
		if !e.ByAction {
			e.Triggers = to.of(e)
		}
		if !e.wanted() {
			continue
		}
		if e.ID == 0 {
			e.ID = ids.Next()
		}
		put, err := e.Put()
		if err != nil {
			return nil, err
		}
		writes = append(writes, put)
	}
	return writes, nil
}

// Put is the write that stores the event as it is, whoever subscribes to it.
func (e Event) Put() (table.Write, error) {
	doc, err := encode(e)
	return table.PutIfAbsent(table.Item{
		Key: Key(e.AccountID, e.ID), Doc: doc, Expires: KeptUntil(e.At),
	}), err
}

// KeptUntil is until when the outbox keeps an event of a time.
func KeptUntil(at time.Time) time.Time { return at.Add(retention).Truncate(time.Second) }

// Read is the event that an item of the outbox holds. An event of a kind that is not declared, which a newer
// version may have written, is an error too.
func Read(item table.Item) (Event, error) {
	var e Event
	if err := json.Unmarshal(item.Doc, &e); err != nil {
		return Event{}, fmt.Errorf("event: %s: %w", item.PK, err)
	}
	if _, ok := Declared(e.Kind); !ok {
		return e, fmt.Errorf("event: %s: the kind %q is not known to this version", item.PK, e.Kind)
	}
	return e, nil
}

// encode is json.Marshal that does not escape < > and &, since webhooks get these characters as they are.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
