package table

import (
	"context"
	"sync"
)

// A Companion is a write that goes along with the first Transact of a context, whoever makes that: so it is
// carried out if and only if something else is.
type Companion struct {
	write Write
	outer *Companion // one that the context had before, which goes along too; nil where it had none

	mu    sync.Mutex
	state companionState
}

type companionState int

const (
	waiting companionState = iota
	underWay
	carriedOut
)

type companionKey struct{}

// WithCompanion returns a context whose first Transact that succeeds carries out the write too, as the last
// of its writes. A Transact that has MaxTransact writes already goes without it. Where ctx has Companions
// already they go along as well.
func WithCompanion(ctx context.Context, w Write) (context.Context, *Companion) {
	outer, _ := ctx.Value(companionKey{}).(*Companion)
	c := &Companion{write: w, outer: outer}
	return context.WithValue(ctx, companionKey{}, c), c
}

// Alone returns a context whose Transacts go without the Companion of ctx: for what is written ahead of the
// effect that the Companion belongs to.
func Alone(ctx context.Context) context.Context {
	return context.WithValue(ctx, companionKey{}, (*Companion)(nil))
}

// CarriedOut reports whether the write was carried out. After a Transact of which nobody knows what became of
// it, as when the connection broke, it may have been though this says no.
func (c *Companion) CarriedOut() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.state == carriedOut
}

// Accompanied returns the writes of a Transact with those Companions of ctx that were not carried out yet.
// The Transact's error must be given to ended. It is for implementations of Table.
func Accompanied(ctx context.Context, writes []Write) (all []Write, ended func(error)) {
	c, _ := ctx.Value(companionKey{}).(*Companion)
	var taken []*Companion
	for all = writes[:len(writes):len(writes)]; c != nil; c = c.outer {
		if len(all) < MaxTransact && c.take() {
			all, taken = append(all, c.write), append(taken, c)
		}
	}
	return all, func(err error) {
		for _, c := range taken {
			c.ended(err)
		}
	}
}

// take reserves the write for one Transact, and reports whether it could.
func (c *Companion) take() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state != waiting {
		return false
	}
	c.state = underWay
	return true
}

func (c *Companion) ended(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.state = waiting
	if err == nil {
		c.state = carriedOut
	}
}
