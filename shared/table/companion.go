package table

import (
	"context"
	"sync"
)

// A Companion is a write that is added to the first successful Transact of a context, so that it is carried
// out if and only if that Transact is. It is safe for concurrent use.
type Companion struct {
	write Write
	outer *Companion // the context's previous Companion, which is added too; nil for none

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

// WithCompanion returns a context whose first successful Transact also carries out w, as its last write. A
// Transact that already has MaxTransact writes goes without it. Companions that ctx has already stay in
// effect.
func WithCompanion(ctx context.Context, w Write) (context.Context, *Companion) {
	outer, _ := ctx.Value(companionKey{}).(*Companion)
	c := &Companion{write: w, outer: outer}
	return context.WithValue(ctx, companionKey{}, c), c
}

// Alone returns a context without Companions, for writes that precede the effect that a Companion records.
func Alone(ctx context.Context) context.Context {
	return context.WithValue(ctx, companionKey{}, (*Companion)(nil))
}

// CarriedOut reports whether the write was carried out. It may be false although it was, if the outcome of
// the Transact is unknown, for example after a broken connection.
func (c *Companion) CarriedOut() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.state == carriedOut
}

// Accompanied returns the writes of a Transact together with the Companions of ctx that are not carried out
// yet. The caller, an implementation of Table, must pass the Transact's error to ended.
func Accompanied(ctx context.Context, writes []Write) (all []Write, ended func(error)) {
	c, _ := ctx.Value(companionKey{}).(*Companion)
	var taken []*Companion
	// The slice's capacity is cut, so that append does not write into the caller's array.
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

// take reserves the write for one Transact. It returns false if another has it or it was carried out.
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
