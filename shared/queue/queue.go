// Package queue defines queues for background work: messages are delivered at least once, in no guaranteed
// order, after a delay of at most 15 minutes.
//
// The interface is the subset of SQS that the product needs. [frontdesk/shared/queue/sqs] implements it with
// SQS, [frontdesk/shared/queue/sqlite] with a file; [frontdesk/shared/queue/queuetest] tests both against the
// comments here. Messages carry ids, and receivers read the current state, so a duplicate does no harm.
package queue

import (
	"context"
	"errors"
	"time"
)

// Limits of SQS, which every implementation enforces.
const (
	MaxBody       = 256 << 10        // bytes of a message's body, UTF-8 text
	MaxDelay      = 15 * time.Minute // delay of a message
	MaxReceive    = 10               // messages of one Receive
	MaxVisibility = 12 * time.Hour   // how long a received message stays hidden
	MaxWait       = 20 * time.Second // how long a Receive waits
	MaxGroup      = 128              // characters of a group's name
)

// NoisyGroup is the number of in-flight messages (received, and neither deleted nor visible again) from which
// a group may be received after others. SQS applies it approximately.
const NoisyGroup = 30

// ErrInvalid says that a message is empty, over a limit, or contains a character that no queue accepts:
// U+FFFE, U+FFFF and control characters other than tab, line feed and carriage return. Nothing was sent.
var ErrInvalid = errors.New("queue: message empty, over a limit or not plain text")

// A Sender sends messages. It is safe for concurrent use.
type Sender interface {
	// Send sends messages, ten in a request. After nil, all will be delivered; after an error, some may be.
	Send(ctx context.Context, messages ...Outgoing) error
}

// An Outgoing message is a message to send.
type Outgoing struct {
	Body string
	// Delay is how long the message stays hidden, rounded up to whole seconds, at most MaxDelay. 0 means the
	// queue's own delay, which is none unless it was configured.
	Delay time.Duration
	// Group is the tenant of the message, at most MaxGroup printable ASCII characters. A group with many
	// in-flight messages is received after the others (fair queues of SQS). Groups are not ordered. Messages
	// with "" have separate groups.
	Group string
}

// DelayUntil returns the delay of a message for a later time: until due, or MaxDelay if due is later, so that
// the receiver sends it again. It is 0 if due has passed.
func DelayUntil(due, now time.Time) time.Duration { return max(0, min(due.Sub(now), MaxDelay)) }

// A Queue is a Sender that can be received from. In Lambda an event source mapping receives instead.
type Queue interface {
	Sender

	// Receive returns up to max messages, at most MaxReceive, and hides them from other receivers for
	// visibility, rounded up to seconds and at most MaxVisibility; 0 means the queue's own, 30 seconds unless
	// configured. Without messages it waits for one, up to wait and MaxWait, and may then return none. While
	// a group has more than a tenth of the in-flight messages, and at least NoisyGroup, messages of other
	// groups are received first. A message that was received as often as the queue allows moves to the dead
	// letters instead.
	Receive(ctx context.Context, max int, visibility, wait time.Duration) ([]Message, error)

	// Delete deletes received messages. A receipt of a message that is gone is no error. Neither is one of a
	// message that was received again since, and that message may stay. After an error some may be deleted.
	Delete(ctx context.Context, receipts ...string) error

	// Release makes a received message visible again after delay, rounded up to seconds and at most
	// MaxVisibility. It does nothing if the message is gone or visible.
	Release(ctx context.Context, receipt string, delay time.Duration) error
}

// A Message is a received message.
type Message struct {
	ID       string // unique in the queue, and the same at each delivery
	Receipt  string // identifies this delivery
	Body     string
	Receives int       // number of deliveries, this one included
	Sent     time.Time // time of sending
}
