// Package rate counts calls in minutes of the clock, for limits that cost next to nothing to keep.
//
// A process counts in memory what it is called for, and adds that to the count that all processes share a
// batch at a time. So a caller who makes few calls costs no write, and one process alone keeps a limit
// exactly. Where several serve one caller, each may let a batch less one through beyond the limit.
package rate

import "sync"

// A Counter is what one process has counted in the current minute. The zero Counter is ready. It is safe for
// concurrent use.
type Counter struct {
	mu     sync.Mutex
	minute int64
	calls  map[string]*calls
}

// Calls are those of one caller in a minute, by this process.
type Calls struct {
	Own      int64 // all of them
	Due      int64 // of Own: those to add to the shared count now; mostly 0
	Exceeded bool  // as Exceed said
}

type calls struct {
	own, due int64
	exceeded bool
}

// Count counts a call of a minute, which is a number that goes up. Every batch-th call brings what is due.
func (c *Counter) Count(minute int64, caller string, batch int64) Calls {
	c.mu.Lock()
	defer c.mu.Unlock()
	of := c.of(minute, caller)
	of.own++
	now := Calls{Own: of.own, Exceeded: of.exceeded}
	if of.own-of.due >= batch {
		now.Due = of.own - of.due
		of.due = of.own
	}
	return now
}

// Others returns how many calls of other processes are in a shared count that was just read.
func (c *Counter) Others(minute int64, caller string, shared int64) int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return max(0, shared-c.of(minute, caller).due)
}

// Exceed notes that the shared count is over the limit for the rest of the minute.
func (c *Counter) Exceed(minute int64, caller string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.of(minute, caller).exceeded = true
}

// of returns the calls of a caller. Those of earlier minutes are forgotten.
func (c *Counter) of(minute int64, caller string) *calls {
	if minute < c.minute {
		return new(calls) // of a call that began before the minute did
	}
	if c.calls == nil || c.minute != minute {
		c.minute, c.calls = minute, map[string]*calls{}
	}
	of := c.calls[caller]
	if of == nil {
		of = new(calls)
		c.calls[caller] = of
	}
	return of
}
