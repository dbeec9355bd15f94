// Package delivery stores the deliveries of events to an agent's receivers and their state.
//
// A delivery is a small state machine in its own item. Messages that may arrive twice, late or out of order
// advance it. [Delivery.Step] returns what to do for a message. Every change is a write on the condition
// that the delivery is unchanged since it was read. docs/design.md describes the effect of a crash at each
// point.
package delivery

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"frontdesk/shared/event"
	"frontdesk/shared/id"
	"frontdesk/shared/table"
	"frontdesk/shared/wire"
)

// Status is the state of a delivery.
type Status string

// The statuses.
const (
	Pending   Status = "pending"
	Delivered Status = "delivered"
	Failed    Status = "failed"
)

// Values implements api.Enum.
func (Status) Values() []string { return []string{string(Pending), string(Delivered), string(Failed)} }

const (
	// Attempts is the number of attempts of a delivery. Sending it again gives it as many more.
	Attempts = 3
	// SecondAfter and ThirdAfter are the delays of the second and third attempt after the one before.
	SecondAfter, ThirdAfter = 2 * time.Second, 4 * time.Second
	// Lease is the time limit of an attempt. It is longer than the function that makes it may run;
	// afterwards the attempt was interrupted.
	Lease = 20 * time.Second
	// keepDays is how many days deliveries are stored after the day of their creation. All deliveries of a
	// day expire together, with their count.
	keepDays = 30
	// Lifetime is the longest time that a delivery is stored.
	Lifetime = (keepDays + 1) * 24 * time.Hour
)

// A Receiver is the webhook or action of an agent that receives deliveries.
type Receiver struct {
	AccountID int64 `json:"account_id"`
	AgentID   int64 `json:"agent_id"`
	WebhookID int64 `json:"webhook_id,omitempty"`
	ActionID  int64 `json:"action_id,omitempty"`
}

// name returns the receiver's kind and id, as used in keys.
func (r Receiver) name() string {
	if r.ActionID != 0 {
		return fmt.Sprintf("action/%d", r.ActionID)
	}
	return fmt.Sprintf("webhook/%d", r.WebhookID)
}

// Key returns the key of a delivery to the receiver.
func (r Receiver) Key(delivery int64) table.Key {
	return Key(r.AccountID, r.AgentID, r.name(), delivery)
}

// Partition returns the partition of the deliveries to the receiver.
func (r Receiver) Partition() string {
	return Partition(r.AccountID, r.AgentID, r.name())
}

// A Message asks for an attempt.
type Message struct {
	Receiver
	DeliveryID int64 `json:"delivery_id"`
	Attempt    int   `json:"attempt"` // from 1
	// Deferrals is how often the attempt was deferred because the receiver or its workspace was over its
	// limits.
	Deferrals int `json:"deferrals,omitempty"`
}

// Group returns the message group on the queue, which is the workspace.
func (m Message) Group() string { return fmt.Sprintf("account/%d", m.AccountID) }

// A Delivery is an event for one receiver. Its id is the event's, so there is one for each event and
// receiver, however often the event is read.
type Delivery struct {
	Receiver
	ID    int64  `json:"id"`
	Event string `json:"event"`
	// MessageID identifies the event for the receiver. It is the same in each attempt.
	MessageID string    `json:"message_id"`
	CreatedAt time.Time `json:"created_at"`
	Status    Status    `json:"status"`
	Attempts  []Attempt `json:"attempts"`
	// Last is the number of the last attempt. If that fails, the delivery has failed.
	Last int `json:"last"`
	// ClaimedUntil is until when the worker that claimed the current attempt has it alone.
	ClaimedUntil time.Time `json:"claimed_until,omitzero"`
	// Reason is why the delivery failed before its last attempt.
	Reason string `json:"reason,omitempty"`
	// Body is the request body, byte for byte.
	Body []byte `json:"-"`

	version int64
}

// An Attempt is an attempt that was made.
type Attempt struct {
	At         time.Time     `json:"at"`
	HTTPStatus int           `json:"http_status,omitempty"` // 0 without a response
	Error      string        `json:"error,omitempty"`       // why there was no response
	Duration   time.Duration `json:"duration"`
}

// New returns a delivery without attempts.
func New(r Receiver, id int64, event, messageID string, body []byte, at time.Time) Delivery {
	return Delivery{
		Receiver: r, ID: id, Event: event, MessageID: messageID, CreatedAt: at, Status: Pending,
		Last: Attempts, Body: body,
	}
}

// A Step is what to do for a message.
type Step int

// The steps.
const (
	Ignore    Step = iota // a duplicate of a message that was processed
	Wait                  // another worker is making the attempt; check later that it has ended
	Try                   // the attempt is due
	SendAgain             // the attempt was made, but the message for the next one may be lost
)

// Step returns what to do for a message that asks for an attempt.
func (d *Delivery) Step(attempt int, now time.Time) Step {
	made := len(d.Attempts)
	switch {
	case d.Status != Pending, d.Round(attempt) < 1:
		return Ignore
	case made == attempt-1 && now.Before(d.ClaimedUntil):
		return Wait
	case made == attempt-1:
		return Try
	case made == attempt:
		return SendAgain
	}
	return Ignore
}

// Claim reserves the next attempt for this worker.
func (d *Delivery) Claim(now time.Time) { d.ClaimedUntil = now.Add(Lease) }

// DropClaim removes a claim that a process which has ended made before a time.
func (d *Delivery) DropClaim(before time.Time) {
	if d.ClaimedUntil.Add(-Lease).Before(before) {
		d.ClaimedUntil = time.Time{}
	}
}

// Add records the outcome of the claimed attempt.
func (d *Delivery) Add(a Attempt, delivered bool) {
	d.Attempts = append(d.Attempts, a)
	d.ClaimedUntil = time.Time{}
	switch {
	case delivered:
		d.Status = Delivered
	case len(d.Attempts) >= d.Last:
		d.Status = Failed
	}
}

// GiveUp makes the delivery fail without further attempts.
func (d *Delivery) GiveUp(reason string) {
	d.Status, d.Reason, d.ClaimedUntil = Failed, reason, time.Time{}
}

// Again makes an ended delivery pending again, with as many attempts as a new one. It returns the writes
// that store it and publish the event from which the first attempt is made.
func (d *Delivery) Again(ids *id.Source, now time.Time) ([]table.Write, error) {
	d.Status, d.Reason, d.Last = Pending, "", len(d.Attempts)+Attempts
	put, err := d.Put()
	if err != nil {
		return nil, err
	}
	published, err := event.Publish(ids, d.AccountID, nil, event.Event{
		Kind: event.DeliveryRequested, At: now, AgentID: d.AgentID, WebhookID: d.WebhookID, DeliveryID: d.ID,
		Attempt: len(d.Attempts) + 1,
	})
	return append([]table.Write{put}, published...), err
}

// Next returns the message for the next attempt.
func (d *Delivery) Next() Message {
	return Message{Receiver: d.Receiver, DeliveryID: d.ID, Attempt: len(d.Attempts) + 1}
}

// Round returns the number of an attempt since the delivery last began, from 1. It is 0 or less for earlier
// attempts.
func (d *Delivery) Round(attempt int) int { return attempt - (d.Last - Attempts) }

// expires returns when the delivery expires, together with all others of its day.
func (d *Delivery) expires() time.Time {
	year, month, day := d.CreatedAt.UTC().Date()
	return time.Date(year, month, day+1+keepDays, 0, 0, 0, 0, time.UTC)
}

// Item returns the delivery as it is stored.
func (d *Delivery) Item() (table.Item, error) {
	doc, err := wire.Marshal(d)
	return table.Item{Key: d.Key(d.ID), Doc: doc, Blob: d.Body, Expires: d.expires(), Version: d.version}, err
}

// Put returns the write that stores the delivery. Its condition fails if the delivery was changed since it
// was read; d is then stale.
func (d *Delivery) Put() (table.Write, error) {
	item, err := d.Item()
	d.version++
	return table.PutIfVersion(item), err
}

// Read decodes an item of a delivery.
func Read(item table.Item) (Delivery, error) {
	var d Delivery
	if err := json.Unmarshal(item.Doc, &d); err != nil {
		return Delivery{}, fmt.Errorf("delivery: %s/%s: %w", item.PK,
			strings.TrimPrefix(item.SK, string(KeyPrefix)), err)
	}
	d.Body, d.version = item.Blob, item.Version
	return d, nil
}
