// Package queue is what one part of the product asks another to do later: messages that are delivered at
// least once, in no promised order, after a delay of at most 15 minutes.
//
// The interface is the part of SQS that the product needs. [frontdesk/shared/queue/sqs] speaks to SQS,
// [frontdesk/shared/queue/sqlite] keeps messages in a file; [frontdesk/shared/queue/queuetest] holds both to
// the comments here. Messages carry ids, and whoever receives one reads the state again, so a duplicate does
// no harm.
package queue

import (
	"context"
	"errors"
	"time"
)

// Limits of SQS that every implementation keeps.
const (
	MaxBody       = 256 << 10        // bytes of one message's body, which is text in UTF-8
	MaxDelay      = 15 * time.Minute // delay of a message
	MaxReceive    = 10               // messages of one Receive
	MaxVisibility = 12 * time.Hour   // how long a message is hidden
	MaxWait       = 20 * time.Second // how long a Receive waits
	MaxGroup      = 128              // characters of a group's name
)

// NoisyGroup is how many messages a group has under way, received and neither deleted nor visible again,
// before it may be received after others. SQS keeps it roughly, for it counts on many machines.
const NoisyGroup = 30

// ErrInvalid says that a message is over a limit, empty, or holds a character that no queue takes: U+FFFE,
// U+FFFF and the control characters other than tab, line feed and carriage return. Nothing was sent.
var ErrInvalid = errors.New("queue: message empty, over a limit or not plain text")

// A Sender is what a function needs of a queue.
type Sender interface {
	// Send puts messages on the queue, ten a request. When it returns nil all of them will be delivered;
	// after an error some may be.
	Send(ctx context.Context, messages ...Outgoing) error
}

// An Outgoing message is one to send.
type Outgoing struct {
	Body string
	// Delay is how long nobody receives it, in whole seconds, begun ones included; at most MaxDelay. 0 is the
	// queue's own delay, which is none unless the queue was made with one.
	Delay time.Duration
	// Group is whose message this is, at most MaxGroup printable characters of ASCII. A group that has many
	// messages under way is received after the others; its own order is not kept. "" is a group of its own
	// for each message.
	Group string
}

// DelayUntil is how long a message is to wait now that is for a later moment: until then, or as long as a
// message may, to be sent again. It is 0 where the moment has come.
func DelayUntil(due, now time.Time) time.Duration { return max(0, min(due.Sub(now), MaxDelay)) }

// A Queue can be received from too. In Lambda an event source mapping does that part.
type Queue interface {
	Sender

	// Receive returns up to max messages, at most MaxReceive, and hides them from other receivers for the
	// time of visibility, in whole seconds and at most MaxVisibility; 0 is the queue's own, 30 seconds unless
	// the queue was made with another. Where no message is there it waits for one, for the time of wait, at
	// most MaxWait, and may then return none. While a group has more than a tenth of the queue's messages
	// under way, and NoisyGroup of its own at least, the messages of the other groups are received first. A
	// message that was received as often as its queue allows goes to the queue's dead letters instead.
	Receive(ctx context.Context, max int, visibility, wait time.Duration) ([]Message, error)

	// Delete ends messages that were received. A receipt of a message that is gone is no error. One of a
	// message that was received again since is no error either, and may leave the message there. After an
	// error some may be deleted.
	Delete(ctx context.Context, receipts ...string) error

	// Release makes a received message visible again after the delay, in whole seconds and at most
	// MaxVisibility. Where the message is gone, or visible already, it does nothing.
	Release(ctx context.Context, receipt string, delay time.Duration) error
}

// A Message is one that was received.
type Message struct {
	ID       string // the same at each delivery, and of no other message of the queue
	Receipt  string // names this delivery
	Body     string
	Receives int       // how often it has been received, this time included
	Sent     time.Time // when it was sent
}
