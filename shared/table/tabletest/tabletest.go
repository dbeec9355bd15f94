// Package tabletest tests implementations of table.Table against its contract. A test of the implementation
// calls Run.
package tabletest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"frontdesk/shared/table"
	"frontdesk/shared/table/internal/layout"
)

// A Harness is a new, empty table.
type Harness struct {
	Table table.Table
	Feed  table.Feed

	// Sweep deletes expired items. It is nil if the implementation deletes them at some later time only.
	Sweep func(context.Context) error

	// RoughUnits is set if the units of a Transact, of an empty query, and of missing keys in a batch differ
	// from DynamoDB's. They do in DynamoDB Local 2.6.
	RoughUnits bool
}

// Run tests an implementation. open creates a new, empty table with the clock now, which the tests move.
func Run(t *testing.T, open func(t *testing.T, now func() time.Time) Harness) {
	groups := []struct {
		name string
		test func(*testing.T, *fixture)
	}{
		{"Writes", testWrites},
		{"FailedPlaces", testFailedPlaces},
		{"NothingWritten", testNothingWritten},
		{"Companion", testCompanion},
		{"Update", testUpdate},
		{"WriteAll", testWriteAll},
		{"Mistakes", testMistakes},
		{"Missing", testMissing},
		{"BatchGet", testBatchGet},
		{"Text", testText},
		{"Order", testOrder},
		{"Query", testQuery},
		{"QueryIndex", testQueryIndex},
		{"Cursor", testCursor},
		{"CursorOfDeleted", testCursorOfDeleted},
		{"BadCursor", testBadCursor},
		{"LargeQuery", testLargeQuery},
		{"Expiry", testExpiry},
		{"ExpiredQuery", testExpiredQuery},
		{"ItemSize", testItemSize},
		{"TransactSize", testTransactSize},
		{"KeySize", testKeySize},
		{"Counters", testCounters},
		{"Versions", testVersions},
		{"VersionsAreUnique", testVersionsAreUnique},
		{"Transfers", testTransfers},
		{"WriteSkew", testWriteSkew},
		{"Feed", testFeed},
		{"FeedOfSweep", testFeedOfSweep},
		{"Cost", testCost},
		{"CostOfNumbers", testCostOfNumbers},
		{"EndedContext", testEndedContext},
	}
	for _, group := range groups {
		t.Run(group.name, func(t *testing.T) {
			clock := &clock{now: time.Now().Truncate(time.Second).UTC()}
			f := &fixture{clock: clock}
			f.Harness = open(t, clock.Now)
			f.raw = f.Table
			f.Table, f.Feed = counting{f.Table}, countingFeed{f.Feed}
			group.test(t, f)
		})
	}
}

// A fixture has the table and the clock of one test.
type fixture struct {
	Harness
	clock *clock
	raw   table.Table // with the actual versions
}

// A clock is moved only by the test.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// transact carries out writes that must succeed. It retries if the table refuses for load or a conflict.
func (f *fixture) transact(t *testing.T, writes ...table.Write) {
	t.Helper()
	for {
		err := f.Table.Transact(t.Context(), writes...)
		if errors.Is(err, table.ErrBusy) {
			continue
		}
		if err != nil {
			t.Fatalf("Transact: %v", err)
		}
		return
	}
}

// setAll writes items, which must succeed.
func (f *fixture) setAll(t *testing.T, items ...table.Item) {
	t.Helper()
	writes := make([]table.Write, len(items))
	for i, item := range items {
		writes[i] = table.Set(item)
	}
	if err := f.Table.WriteAll(t.Context(), writes...); err != nil {
		t.Fatalf("WriteAll: %v", err)
	}
}

// get returns the item under the key, nil if there is none.
func (f *fixture) get(t *testing.T, key table.Key) *table.Item {
	t.Helper()
	item, err := f.Table.Get(t.Context(), key)
	if errors.Is(err, table.ErrNotFound) {
		return nil
	}
	if err != nil {
		t.Fatalf("Get(%v): %v", key, err)
	}
	return &item
}

// query returns the items of a query that must succeed.
func (f *fixture) query(t *testing.T, q table.Query) table.Page {
	t.Helper()
	page, err := f.Table.Query(t.Context(), q)
	if err != nil {
		t.Fatalf("Query(%+v): %v", q, err)
	}
	return page
}

// awaitIndex waits until an index, which may lag behind the table, has that many items of a partition.
func (f *fixture) awaitIndex(t *testing.T, index table.Index, pk string, n int) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		got := len(f.query(t, table.Query{Index: index, PK: pk}).Items)
		if got == n {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("index %d has %d items of %q, want %d", index, got, pk, n)
		}
	}
}

// equal fails the test if got differs from want.
func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	if reflect.DeepEqual(got, want) {
		return // cmp takes seconds for large documents
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%s: (-want +got)\n%s", what, clip(diff))
	}
}

// clip shortens the difference between large items.
func clip(text string) string {
	const most = 2000
	if len(text) <= most {
		return text
	}
	return text[:most] + "…"
}

// key returns a key in the partition of most tests.
func key(sk string) table.Key { return table.Key{PK: "p", SK: sk} }

// doc returns a document with the number.
func doc(n int) []byte { return fmt.Appendf(nil, `{"n":%d}`, n) }

// sized returns an item that has that size after a Set.
func sized(key table.Key, size int) table.Item {
	item := table.Item{Key: key, Version: 1}
	item.Doc = []byte(strings.Repeat("x", size-layout.Size(item)-len(layout.Doc)))
	return item
}

// put returns an item that has that size after a put.
func put(key table.Key, size int) table.Item {
	made := table.Item{Key: key, Version: table.NewVersion(time.Now())}
	return sized(key, size+layout.Size(table.Item{Key: key, Version: 1})-layout.Size(made))
}
