// Package delivery keeps what is delivered to the receivers of an agent's events, and how far each delivery
// has come.
//
// A delivery is a small state machine in an item of its own, moved on by messages that may come twice, late
// or in another order. [Delivery.Step] says what a message means for it; every move is a write on the
// condition that the delivery is still as it was read. docs/design.md goes through what a crash can do at
// each point.
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

// Status is how far a delivery has come.
type Status string

// The statuses.
const (
	Pending   Status = "pending"
	Delivered Status = "delivered"
	Failed    Status = "failed"
)

// Values lists them.
func (Status) Values() []string { return []string{string(Pending), string(Delivered), string(Failed)} }

const (
	// Attempts is how often a delivery is tried. A delivery that is sent again gets as many attempts anew.
	Attempts = 3
	// SecondAfter and ThirdAfter are how long after the one before it an attempt is made.
	SecondAfter, ThirdAfter = 2 * time.Second, 4 * time.Second
	// Lease is how long an attempt may be under way: longer than the function that makes it may run. After
	// that it was cut off.
	Lease = 20 * time.Second
	// keepDays is how many days deliveries are kept beyond the one on which they were made. All of a day go
	// together, with their count.
	keepDays = 30
	// Lifetime is the longest time that a delivery is kept.
	Lifetime = (keepDays + 1) * 24 * time.Hour
)

// A Receiver gets deliveries: a webhook or an action of an agent.
type Receiver struct {
	AccountID int64 `json:"account_id"`
	AgentID   int64 `json:"agent_id"`
	WebhookID int64 `json:"webhook_id,omitempty"`
	ActionID  int64 `json:"action_id,omitempty"`
}

// name is the receiver's kind and id, as keys have it.
func (r Receiver) name() string {
	if r.ActionID != 0 {
		return fmt.Sprintf("action/%d", r.ActionID)
	}
	return fmt.Sprintf("webhook/%d", r.WebhookID)
}

// Key is a delivery to the receiver.
func (r Receiver) Key(delivery int64) table.Key {
	return Key(r.AccountID, r.AgentID, r.name(), delivery)
}

// Partition holds all that is stored of the deliveries to the receiver.
func (r Receiver) Partition() string {
	return Partition(r.AccountID, r.AgentID, r.name())
}

// A Message asks for an attempt.
type Message struct {
	Receiver
	DeliveryID int64 `json:"delivery_id"`
	Attempt    int   `json:"attempt"` // from 1
	// Waits is how often the attempt was put off since the receiver or its workspace was over its limits.
	Waits int `json:"waits,omitempty"`
}

// Group is the message's group on its queue: its workspace.
func (m Message) Group() string { return fmt.Sprintf("account/%d", m.AccountID) }

// A Delivery is an event on its way to a receiver. Its id is that of the event, so there is one for each
// event and receiver, however often the event is read.
type Delivery struct {
	Receiver
	ID    int64  `json:"id"`
	Event string `json:"event"`
	// MessageID names the event for the receiver, the same at each attempt.
	MessageID string    `json:"message_id"`
	CreatedAt time.Time `json:"created_at"`
	Status    Status    `json:"status"`
	Attempts  []Attempt `json:"attempts"`
	// Last is the number of the attempt with which the delivery fails.
	Last int `json:"last"`
	// ClaimedUntil is until when nobody else may make the attempt that is due.
	ClaimedUntil time.Time `json:"claimed_until,omitzero"`
	// Reason says why a delivery failed that was not tried to the last.
	Reason string `json:"reason,omitempty"`
	// Body is what the receiver gets, byte for byte.
	Body []byte `json:"-"`

	version int64
}

// An Attempt is one that was made.
type Attempt struct {
	At         time.Time     `json:"at"`
	HTTPStatus int           `json:"http_status,omitempty"` // 0 where there was no answer
	Error      string        `json:"error,omitempty"`       // why there was none
	Duration   time.Duration `json:"duration"`
}

// New is a delivery that was not tried yet.
func New(r Receiver, id int64, event, messageID string, body []byte, at time.Time) Delivery {
	return Delivery{
		Receiver: r, ID: id, Event: event, MessageID: messageID, CreatedAt: at, Status: Pending,
		Last: Attempts, Body: body,
	}
}

// A Step is what a message means for a delivery.
type Step int

// The steps.
const (
	Ignore    Step = iota // nothing: the message is a duplicate of one that was dealt with
	Wait                  // another is making the attempt; it has to be seen that it came to an end
	Try                   // the attempt is due
	SendAgain             // the attempt was made, but the message of the next one may be lost
)

// Step says what a message for an attempt of that number means.
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

// Claim takes the attempt that is due.
func (d *Delivery) Claim(now time.Time) { d.ClaimedUntil = now.Add(Lease) }

// DropClaim drops a claim that was made before a time, by a process that has ended.
func (d *Delivery) DropClaim(before time.Time) {
	if d.ClaimedUntil.Add(-Lease).Before(before) {
		d.ClaimedUntil = time.Time{}
	}
}

// Add notes how the attempt that was claimed came out.
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

// GiveUp ends a delivery that is not to be tried again.
func (d *Delivery) GiveUp(reason string) {
	d.Status, d.Reason, d.ClaimedUntil = Failed, reason, time.Time{}
}

// Again makes a delivery that has ended pending again, with as many attempts as a new one has. The writes
// store it and publish the event that has the first of them made.
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

// Next is the message for the attempt that comes next.
func (d *Delivery) Next() Message {
	return Message{Receiver: d.Receiver, DeliveryID: d.ID, Attempt: len(d.Attempts) + 1}
}

// Round is which of the attempts since the delivery was last begun has that number, from 1. Those before have
// 0 and less.
func (d *Delivery) Round(attempt int) int { return attempt - (d.Last - Attempts) }

// expires is when the delivery goes, together with all others of its day.
func (d *Delivery) expires() time.Time {
	year, month, day := d.CreatedAt.UTC().Date()
	return time.Date(year, month, day+1+keepDays, 0, 0, 0, 0, time.UTC)
}

// Item is the delivery as it is stored.
func (d *Delivery) Item() (table.Item, error) {
	doc, err := wire.Marshal(d)
	return table.Item{Key: d.Key(d.ID), Doc: doc, Blob: d.Body, Expires: d.expires(), Version: d.version}, err
}

// Put is the write that stores the delivery as it is now. It fails where somebody else changed it since it
// was read; then this one is of no use any more.
func (d *Delivery) Put() (table.Write, error) {
	item, err := d.Item()
	d.version++
	return table.PutIfVersion(item), err
}

// Read is the delivery that an item holds.
func Read(item table.Item) (Delivery, error) {
	var d Delivery
	if err := json.Unmarshal(item.Doc, &d); err != nil {
		return Delivery{}, fmt.Errorf("delivery: %s/%s: %w", item.PK,
			strings.TrimPrefix(item.SK, string(KeyPrefix)), err)
	}
	d.Body, d.version = item.Blob, item.Version
	return d, nil
}
