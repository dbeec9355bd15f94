package change

import (
	"context"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"frontdesk/shared/id"
	"frontdesk/shared/table"
	"frontdesk/shared/table/sqlite"
)

// A fixture is the feed of workspace 1 on a clock that the test moves.
type fixture struct {
	table table.Table
	now   time.Time
	next  int64
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	f := &fixture{now: time.Date(2026, 3, 2, 9, 30, 0, 0, time.UTC)}
	store, err := sqlite.Open(filepath.Join(t.TempDir(), "table.db"), func() time.Time { return f.now })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	f.table = store
	return f
}

// change notes a change of a conversation under an id that was made some time ago.
func (f *fixture) change(t *testing.T, conversation int64, ago time.Duration) {
	t.Helper()
	f.next++
	at := id.First(f.now.Add(-ago)) + f.next
	w := Conversation(1, "conversation/1/"+table.PadID(conversation)+table.PadID(f.next), conversation, at)
	if err := f.table.Transact(context.Background(), w); err != nil {
		t.Fatal(err)
	}
}

// since reads on from a cursor, by its text.
func (f *fixture) since(t *testing.T, c *Cursor) []int64 {
	t.Helper()
	read, err := ReadCursor(c.String())
	if err != nil {
		t.Fatal(err)
	}
	found, err := Since(context.Background(), f.table, 1, read, f.now)
	if err != nil {
		t.Fatal(err)
	}
	*c = found.Next
	return found.Conversations
}

func TestSince(t *testing.T) {
	f := newFixture(t)
	f.change(t, 1, 0)
	c, err := Begin(context.Background(), f.table, 1, f.now)
	if err != nil {
		t.Fatal(err)
	}
	expect := func(want ...int64) {
		t.Helper()
		if got := f.since(t, &c); !slices.Equal(got, want) {
			t.Errorf("changed %v, want %v", got, want)
		}
	}
	expect()
	f.change(t, 2, 0)
	f.change(t, 2, 0)
	f.now = f.now.Add(3 * time.Second)
	expect(2)
	f.change(t, 3, 4*time.Second) // which was stored late
	expect(3)
	expect()
	f.now = f.now.Add(time.Hour)
	f.change(t, 4, 30*time.Minute)
	expect(4)
	expect()
}

// TestClockSetBack goes on with a cursor that is ahead of the clock.
func TestClockSetBack(t *testing.T) {
	f := newFixture(t)
	f.change(t, 1, 0)
	c, err := Begin(context.Background(), f.table, 1, f.now)
	if err != nil {
		t.Fatal(err)
	}
	f.now = f.now.Add(-2 * time.Hour)
	f.change(t, 2, 0)
	f.now = f.now.Add(time.Minute)
	for _, want := range [][]int64{{1, 2}, {}} { // what has a later id than the clock's is told of again
		if got := f.since(t, &c); !slices.Equal(got, want) {
			t.Errorf("changed %v, want %v", got, want)
		}
	}
	f.change(t, 3, 0)
	if got := f.since(t, &c); !slices.Equal(got, []int64{3}) {
		t.Errorf("changed %v, want 3", got)
	}
}

// TestSinceMany follows more changes than one read brings, of one second.
func TestSinceMany(t *testing.T) {
	f := newFixture(t)
	c := Cursor{At: id.First(f.now.Add(-time.Minute))}
	const n = shards*most + 100
	writes := make([]table.Write, 0, n)
	for i := range int64(n) {
		at := id.First(f.now.Add(-20*time.Second+time.Duration(i)*time.Millisecond)) + i%shards
		w := Conversation(1, "conversation/1/"+table.PadID(i), i+1, at)
		w.Op = table.OpSet
		writes = append(writes, w)
	}
	if err := f.table.WriteAll(context.Background(), writes...); err != nil {
		t.Fatal(err)
	}
	seen := map[int64]bool{}
	for calls := 0; ; calls++ {
		found := f.since(t, &c)
		for _, one := range found {
			seen[one] = true
		}
		if len(found) == 0 {
			break
		}
		if calls > 10 {
			t.Fatal("the cursor does not go on")
		}
	}
	if len(seen) != n {
		t.Errorf("told of %d of %d", len(seen), n)
	}
}

func FuzzReadCursor(f *testing.F) {
	f.Add(Cursor{At: 5, Seen: []int64{3, 4}, Unread: 7}.String())
	f.Fuzz(func(t *testing.T, text string) {
		c, err := ReadCursor(text)
		if err != nil {
			return
		}
		if again, err := ReadCursor(c.String()); err != nil || again.String() != c.String() {
			t.Errorf("%q: %+v, %v", text, again, err)
		}
	})
}
