// Package event defines what happens in Frontdesk and publishes it to subscribers.
//
// Each kind of event is declared once, in declared.go: its name, when it is published, its fields and its
// subscribers. [Publish] returns the writes that put events into the outbox, for the transaction of what
// happened; events without a subscriber are not written. The dispatch function reads the outbox from the
// change feed and delivers each event to its subscribers, at least once.
package event

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"frontdesk/shared/id"
	"frontdesk/shared/table"
)

// An Event is something that happened. Beside the first five fields, those declared for its kind are set.
type Event struct {
	ID        int64     `json:"id"`
	Kind      Kind      `json:"kind"`
	At        time.Time `json:"at"`
	AccountID int64     `json:"account_id"`
	AgentID   int64     `json:"agent_id,omitempty"`
	// Triggers are those that actions of the agent subscribe to. Publish sets them.
	Triggers []Trigger `json:"triggers,omitempty"`
	// ByAction is set if an action caused the event. Such events trigger no actions, which prevents loops.
	ByAction bool `json:"by_action,omitempty"`
	// Allowed are the names of the actions that may run, where procedures that apply to the message restrict
	// them; nil allows all.
	Allowed []string `json:"allowed,omitzero"`

	ContactID   int64  `json:"contact_id,omitempty"`
	ContactName string `json:"contact_name,omitempty"`
	// Contact is the contact at the time, nil if the publisher had not read it.
	Contact      *Contact `json:"contact,omitempty"`
	ContactPhone string   `json:"contact_phone,omitempty"` // E.164; empty if not known

	ConversationID int64  `json:"conversation_id,omitempty"`
	Channel        string `json:"channel,omitempty"` // of the conversation
	Detail         string `json:"detail,omitempty"`  // message of the platform
	MessageID      int64  `json:"message_id,omitempty"`
	Message        string `json:"message,omitempty"` // its text
	SentByAI       *bool  `json:"sent_by_ai,omitempty"`
	// OnPlatform is set if the channel is a third-party platform: neither the web chat nor the API.
	OnPlatform bool `json:"on_platform,omitempty"`
	// Action is the outcome of the agent's reply, as in a response of the chat endpoint.
	Action     string   `json:"action,omitempty"`
	Intent     string   `json:"intent,omitempty"`     // of the message, or of the one it answers
	Confidence *float64 `json:"confidence,omitempty"` // of the intent, from 0 to 1

	Stage         string `json:"stage,omitempty"`
	PreviousStage string `json:"previous_stage,omitempty"`

	AppointmentID int64  `json:"appointment_id,omitempty"`
	Title         string `json:"title,omitempty"`
	StartTime     string `json:"start_time,omitempty"` // in the format of the API reference, with a space

	APIKeyID   int64     `json:"api_key_id,omitempty"`
	APIKeyName string    `json:"api_key_name,omitempty"`
	EndsAt     time.Time `json:"ends_at,omitzero"` // of the key

	DocumentID int64 `json:"document_id,omitempty"`
	// Generation is the crawl run of the website.
	Generation int64 `json:"generation,omitempty"`
	WebsiteID  int64 `json:"website_id,omitempty"`
	WebhookID  int64 `json:"webhook_id,omitempty"`
	DeliveryID int64 `json:"delivery_id,omitempty"`
	ActionID   int64 `json:"action_id,omitempty"`
	Attempt    int   `json:"attempt,omitempty"` // of a send or delivery, from 1
	// Due is when a worker is to process the event; zero means at once.
	Due time.Time `json:"due,omitzero"`
}

// A Contact is what conditions of actions can test of a contact.
type Contact struct {
	Stage     string   `json:"stage"`
	LeadScore int      `json:"lead_score"`
	Tags      []string `json:"tags,omitempty"`
}

// retention is how long an event stays in the table. It exceeds the retention of the change feed, so that
// operators can look up what happened.
const retention = 7 * 24 * time.Hour

// Publish returns the writes that publish events of a workspace, one item each, for the transaction of what
// happened. An event without a subscriber (no worker, no webhook data, and no trigger in the agent's
// subscriptions) has none. An event without an id gets one. At must be set, in whole milliseconds.
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

// Put returns the write that stores the event, whether or not it has subscribers.
func (e Event) Put() (table.Write, error) {
	doc, err := encode(e)
	return table.PutIfAbsent(table.Item{
		Key: Key(e.AccountID, e.ID), Doc: doc, Expires: ExpiresAt(e.At),
	}), err
}

// ExpiresAt returns how long the outbox keeps an event of that time.
func ExpiresAt(at time.Time) time.Time { return at.Add(retention).Truncate(time.Second) }

// Read decodes an item of the outbox. It returns an error for an unknown kind, which a newer version may have
// written.
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

// encode is json.Marshal without escaping <, > and &, which webhooks get unescaped.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
