// Package worktest provides tests of workers with a manual clock, a table and queues.
package worktest

import (
	"path/filepath"
	"sync"
	"testing"
	"time"

	queuedb "frontdesk/shared/queue/sqlite"
	"frontdesk/shared/table/sqlite"
)

// A Clock is a clock that only Pass moves. It is safe for concurrent use.
type Clock struct {
	mu sync.Mutex
	at time.Time
}

// NewClock returns a clock set to a time.
func NewClock(at time.Time) *Clock { return &Clock{at: at} }

// Now returns the time of the clock.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

// Pass moves the clock forward.
func (c *Clock) Pass(by time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(by)
}

// Table returns an empty table. It is closed when the test ends.
func Table(t testing.TB, now func() time.Time) *sqlite.Table {
	t.Helper()
	table, err := sqlite.Open(filepath.Join(t.TempDir(), "table.db"), now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { table.Close() })
	return table
}

// Queue returns an empty queue. It is closed when the test ends.
func Queue(t testing.TB, now func() time.Time, config queuedb.Config) *queuedb.Queue {
	t.Helper()
	queues, err := queuedb.Open(filepath.Join(t.TempDir(), "queues.db"), now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { queues.Close() })
	return queues.Queue(config)
}
