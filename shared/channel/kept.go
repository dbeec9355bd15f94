package channel

import (
	"context"
	"fmt"
	"time"
)

// A Kept is a channel without a platform: its messages are kept for whoever asks for them.
type Kept struct {
	Type Type
	Idle time.Duration // as in Info
}

// Info implements Provider.
func (k Kept) Info() Info { return Info{Type: k.Type, Idle: k.Idle} }

// Verify implements Provider: there is no platform that could call.
func (Kept) Verify(Connection, Request) error { return ErrForbidden }

// Parse implements Provider.
func (Kept) Parse(Connection, Request) ([]Update, error) { return nil, ErrMalformed }

// Send implements Provider. It must not be called, since nothing leaves.
func (k Kept) Send(context.Context, Connection, Message) (Receipt, error) {
	return Receipt{}, &Error{Class: Rejected, Detail: fmt.Sprintf("Messages of the channel %s are not sent.", k.Type)}
}

// Check implements Provider.
func (Kept) Check(context.Context, Connection) []Finding { return nil }
