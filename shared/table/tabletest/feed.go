package tabletest

import (
	"fmt"
	"testing"
	"time"

	"frontdesk/shared/table"
)

// A change is a table.Change without its position.
type change struct{ Old, New *table.Item }

// changes returns the changes after a position once there are n. The feed may lag behind the table.
func (f *fixture) changes(t *testing.T, after string, n int) []table.Change {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		got, err := f.Feed.Changes(t.Context(), after, 10_000)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) >= n {
			return got
		}
		if time.Now().After(deadline) {
			t.Fatalf("the feed has %d changes, want %d", len(got), n)
		}
	}
}

func testFeed(t *testing.T, f *fixture) {
	if got, err := f.Feed.Changes(t.Context(), "", 10); err != nil || len(got) != 0 {
		t.Fatalf("Changes of an empty table = %v, %v", got, err)
	}
	// want has the expected changes of each key; each step of the test adds to it.
	want := map[table.Key][]change{}
	n := 0
	expect := func(key table.Key, old, new *table.Item) {
		want[key] = append(want[key], change{old, new})
		n++
	}
	full := func(key table.Key, version int64) *table.Item {
		return &table.Item{
			Key: key, Doc: []byte("é\x00"), Blob: []byte{0, 255}, Numbers: map[string]int64{"n": -7},
			Index1: table.Key{PK: "g", SK: "1"}, Index2: table.Key{PK: "h", SK: "2"},
			Expires: f.clock.Now().Add(time.Hour), Version: version,
		}
	}
	a, b := key("a"), key("b")
	narrow := func(numbers map[string]int64) *table.Item {
		return &table.Item{Key: b, Numbers: numbers, Index3: table.Key{PK: "i", SK: "3"}, Version: 1}
	}
	f.transact(t, table.PutIfAbsent(*full(a, 1)))
	expect(a, nil, full(a, 1))
	f.transact(t, table.Put(*full(a, 0)), table.Put(*narrow(nil)))
	expect(a, full(a, 1), full(a, 2))
	expect(b, nil, narrow(nil))
	f.transact(t, table.Check(a), table.Add(b, "n", 2))
	expect(b, narrow(nil), narrow(map[string]int64{"n": 2}))
	if _, err := f.Table.Update(t.Context(), table.Update{Key: b, Remove: []string{"n"}}); err != nil {
		t.Fatal(err)
	}
	expect(b, narrow(map[string]int64{"n": 2}), narrow(nil))
	f.transact(t, table.Delete(a), table.Delete(key("nothing")))
	expect(a, full(a, 2), nil)
	// Failed writes and writes without an effect are no changes.
	if err := f.Table.Transact(t.Context(), table.Put(*full(b, 1)),
		table.Check(a)); !table.IsConditionError(err) {
		t.Fatal(err)
	}
	f.setAll(t, *narrow(nil)) // has another version
	expect(b, narrow(nil), narrow(nil))
	f.setAll(t, *narrow(nil))
	for i := range 30 {
		item := table.Item{Key: key(fmt.Sprint("many ", i)), Version: 1}
		f.setAll(t, item)
		expect(item.Key, nil, &item)
	}

	changes := f.changes(t, "", n)
	got := map[table.Key][]change{}
	for _, c := range changes {
		item := c.New
		if item == nil {
			item = c.Old
		}
		got[item.Key] = append(got[item.Key], change{c.Old, c.New})
	}
	equal(t, "changes", got, want)

	for i, c := range changes {
		rest, err := f.Feed.Changes(t.Context(), c.Position, 5)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, fmt.Sprint("behind change ", i), rest, changes[i+1:min(i+6, n)])
	}
	if _, err := f.Feed.Changes(t.Context(), "nonsense", 5); err == nil {
		t.Error("Changes takes a position that is none")
	}
}
