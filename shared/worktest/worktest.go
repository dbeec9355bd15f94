// Package worktest has what the tests of workers stand on: a clock that is moved by hand, and a table and
// queues of their own.
package worktest

import (
	"path/filepath"
	"sync"
	"testing"
	"time"

	queuedb "frontdesk/shared/queue/sqlite"
	"frontdesk/shared/table/sqlite"
)

// A Clock stands still until it is moved. It is safe for concurrent use.
type Clock struct {
	mu sync.Mutex
	at time.Time
}

// NewClock returns a clock that stands at a time.
func NewClock(at time.Time) *Clock { return &Clock{at: at} }

// Now is where the clock stands.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

// Pass moves the clock on.
func (c *Clock) Pass(by time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(by)
}

// Table is an empty table, for as long as the test runs.
func Table(t testing.TB, now func() time.Time) *sqlite.Table {
	t.Helper()
	table, err := sqlite.Open(filepath.Join(t.TempDir(), "table.db"), now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { table.Close() })
	return table
}

// Queue is an empty queue, for as long as the test runs.
func Queue(t testing.TB, now func() time.Time, config queuedb.Config) *queuedb.Queue {
	t.Helper()
	queues, err := queuedb.Open(filepath.Join(t.TempDir(), "queues.db"), now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { queues.Close() })
	return queues.Queue(config)
}
