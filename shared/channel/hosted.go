package channel

import (
	"context"
	"fmt"
	"time"
)

// A Hosted is a channel without a platform: its messages are stored until the recipient fetches them.
type Hosted struct {
	Type Type
	Idle time.Duration // as in Info
}

// Info implements Provider.
func (h Hosted) Info() Info { return Info{Type: h.Type, Idle: h.Idle} }

// Verify implements Provider. No platform calls this channel.
func (Hosted) Verify(Connection, Request) error { return ErrForbidden }

// Parse implements Provider.
func (Hosted) Parse(Connection, Request) ([]Update, error) { return nil, ErrMalformed }

// Send implements Provider. It must not be called, since no message is sent out.
func (h Hosted) Send(context.Context, Connection, Message) (Receipt, error) {
	return Receipt{}, &Error{Class: Rejected,
		Detail: fmt.Sprintf("Messages of the channel %s are not sent.", h.Type)}
}

// Check implements Provider.
func (Hosted) Check(context.Context, Connection) []Finding { return nil }
