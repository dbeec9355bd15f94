// Package rate counts calls in clock minutes, for limits at almost no cost.
//
// A process counts in memory and adds to a shared count in batches. So callers with few calls cost no writes,
// and a single process enforces a limit exactly. Each of several processes may admit up to a batch less one
// above the limit.
package rate

import "sync"

// A Counter counts the calls of one process in the current minute. The zero Counter is ready. It is safe for
// concurrent use.
type Counter struct {
	mu     sync.Mutex
	minute int64
	calls  map[string]*calls
}

// Calls are the calls of one caller to this process in a minute.
type Calls struct {
	Own      int64 // all of them
	Due      int64 // part of Own to add to the shared count now; usually 0
	Exceeded bool  // Exceed was called
}

type calls struct {
	own, due int64
	exceeded bool
}

// Count counts a call in a minute; minutes must not decrease much. Every batch-th call returns what is due.
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

// Others returns how many calls in a shared count that was just read are of other processes.
func (c *Counter) Others(minute int64, caller string, shared int64) int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return max(0, shared-c.of(minute, caller).due)
}

// Exceed records that the shared count is above the limit for the rest of the minute.
func (c *Counter) Exceed(minute int64, caller string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.of(minute, caller).exceeded = true
}

// of returns the calls of a caller. It drops those of earlier minutes.
func (c *Counter) of(minute int64, caller string) *calls {
	if minute < c.minute {
		return new(calls) // a call that began in an earlier minute
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
