package tabletest

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"frontdesk/shared/table"
)

// testExpiry moves the clock over the second at which an item expires.
func testExpiry(t *testing.T, f *fixture) {
	// The time is far ahead of DynamoDB's own clock, so that DynamoDB does not delete the item.
	ends := f.clock.Now().Add(time.Hour)
	item := table.Item{
		Key: key("x"), Doc: doc(1), Expires: ends.Add(700 * time.Millisecond),
		Index1:  table.Key{PK: "g", SK: "1"},
		Numbers: map[string]int64{"n": 1}, Version: 1,
	}
	f.setAll(t, item)
	f.awaitIndex(t, table.Index1, "g", 1)
	item.Expires = ends // whole seconds

	visible := func(want *table.Item) {
		t.Helper()
		items, batch := []table.Item{}, map[table.Key]table.Item{}
		if want != nil {
			items, batch = append(items, *want), map[table.Key]table.Item{want.Key: *want}
		}
		equal(t, "Get", f.get(t, item.Key), want)
		equal(t, "Query", f.query(t, table.Query{PK: "p"}).Items, items)
		equal(t, "Query of an index", f.query(t, table.Query{Index: table.Index1, PK: "g"}).Items, items)
		got, err := f.Table.BatchGet(t.Context(), item.Key)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "BatchGet", got, batch)
	}
	visible(&item)
	f.clock.advance(time.Hour - time.Millisecond)
	visible(&item)
	f.transact(t, table.CheckVersion(item.Key, 1))
	f.clock.advance(time.Millisecond)
	visible(nil)
	if err := f.Table.Transact(t.Context(), table.CheckVersion(item.Key, 1)); !table.ConditionErrorAt(err,
		0) {
		t.Errorf("a check of what has expired: %v", err)
	}

	// The expiry can be changed before it comes, and removed.
	f.clock.advance(-time.Second)
	item.Expires = ends.Add(time.Hour)
	f.transact(t, table.PutIfVersion(item))
	item.Version = 2
	f.clock.advance(time.Minute)
	visible(&item)
	item.Expires = time.Time{}
	f.transact(t, table.PutIfVersion(item))
	item.Version = 3
	f.clock.advance(1000 * time.Hour)
	visible(&item)
}

// testExpiredQuery expects full pages although expired items are between the others.
func testExpiredQuery(t *testing.T, f *fixture) {
	var items, there []table.Item
	for i := range 60 {
		item := table.Item{Key: key(fmt.Sprintf("%02d", i)), Version: 1}
		if i%3 == 0 || i > 20 && i < 50 {
			item.Expires = f.clock.Now().Add(time.Hour)
		} else {
			there = append(there, item)
		}
		items = append(items, item)
	}
	f.setAll(t, items...)
	f.clock.advance(time.Hour)
	for _, limit := range []int{0, 1, 5, 50} {
		equal(t, fmt.Sprint("limit ", limit), pages(t, f, table.Query{PK: "p", Limit: limit}), there)
	}
	// The cursor of an item that has expired since is still valid.
	after := table.Cursor(table.Primary, items[30])
	equal(t, "behind an expired one", f.query(t, table.Query{PK: "p", After: after}).Items, there[14:])
}

// testFeedOfSweep expects a sweep to delete an expired item, and the feed to report it.
func testFeedOfSweep(t *testing.T, f *fixture) {
	if f.Sweep == nil {
		t.Skip("expired items go at a time that nobody knows")
	}
	expiring := table.Item{Key: key("a"), Doc: doc(1), Expires: f.clock.Now().Add(time.Hour), Version: 1}
	staying := table.Item{Key: key("b"), Doc: doc(2), Expires: f.clock.Now().Add(time.Hour + time.Second),
		Version: 1}
	f.setAll(t, expiring, staying)
	f.clock.advance(time.Hour)
	if err := f.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	changes := f.changes(t, "", 3)
	equal(t, "swept", change{changes[2].Old, changes[2].New}, change{&expiring, nil})
	if _, err := f.Table.Get(t.Context(), expiring.Key); !errors.Is(err, table.ErrNotFound) {
		t.Errorf("Get: %v, want ErrNotFound", err)
	}
	// With the clock set back, a hidden item would be visible again; a deleted one is not.
	f.clock.advance(-time.Hour)
	equal(t, "items", f.query(t, table.Query{PK: "p"}).Items, []table.Item{staying})
}
