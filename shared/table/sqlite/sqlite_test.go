package sqlite_test

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/shared/table"
	"frontdesk/shared/table/sqlite"
	"frontdesk/shared/table/tabletest"
)

func TestTable(t *testing.T) {
	tabletest.Run(t, func(t *testing.T, now func() time.Time) tabletest.Harness {
		table := open(t, filepath.Join(t.TempDir(), "table.db"), now)
		return tabletest.Harness{Table: table, Feed: table, Sweep: table.Sweep}
	})
}

// open opens the table in a file for the time of the test.
func open(t testing.TB, path string, now func() time.Time) *sqlite.Table {
	t.Helper()
	table, err := sqlite.Open(path, now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := table.Close(); err != nil {
			t.Error(err)
		}
	})
	return table
}

// TestOpen opens one new file from many sides at once, under a name that means something in an address.
func TestOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "50% ?#é&.db")
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			tb, err := sqlite.Open(path, time.Now)
			if err != nil {
				t.Error(err)
				return
			}
			if err := tb.Transact(t.Context(), table.Add(counter, "n", 1)); err != nil {
				t.Error(i, err)
			}
			if err := tb.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	item, err := open(t, path, time.Now).Get(t.Context(), counter)
	if err != nil || item.Numbers["n"] != 8 {
		t.Errorf("Get = %v, %v, want 8", item, err)
	}
	for _, suffix := range []string{"", "-wal"} {
		info, err := os.Stat(path + suffix)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %v, want 0600", info.Name(), info.Mode())
		}
	}
}

func TestOpenRefuses(t *testing.T) {
	newer := filepath.Join(t.TempDir(), "newer.db")
	file, err := sql.Open("sqlite", newer)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.Exec("PRAGMA user_version = 99"); err != nil {
		t.Fatal(err)
	}
	file.Close()
	text := filepath.Join(t.TempDir(), "text.db")
	if err := os.WriteFile(text, []byte("this is no database, however long one reads on in it"),
		0o600); err != nil {
		t.Fatal(err)
	}
	for name, path := range map[string]string{
		"a newer file": newer, "another kind of file": text, "a folder": t.TempDir(),
		"no folder": filepath.Join(t.TempDir(), "no", "table.db"),
	} {
		if tb, err := sqlite.Open(path, time.Now); err == nil {
			tb.Close()
			t.Errorf("Open takes %s", name)
		}
	}
}

func TestClose(t *testing.T) {
	tb, err := sqlite.Open(filepath.Join(t.TempDir(), "table.db"), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	if err := tb.Close(); err != nil {
		t.Fatal(err)
	}
	if err := tb.Transact(t.Context(), table.Add(counter, "n", 1)); err == nil {
		t.Error("Transact works after Close")
	}
	if _, err := tb.Get(t.Context(), counter); err == nil || errors.Is(err, table.ErrNotFound) {
		t.Errorf("Get after Close: %v", err)
	}
}

// A clock is moved by tests while the table reads it in the background.
type clock struct{ seconds atomic.Int64 }

func newClock() *clock {
	c := new(clock)
	c.seconds.Store(1_900_000_000)
	return c
}

func (c *clock) now() time.Time           { return time.Unix(c.seconds.Load(), 0) }
func (c *clock) advance(by time.Duration) { c.seconds.Add(int64(by / time.Second)) }

// TestSweep clears away more than one transaction does.
func TestSweep(t *testing.T) {
	clock := newClock()
	tb := open(t, filepath.Join(t.TempDir(), "table.db"), clock.now)
	var writes []table.Write
	for i := range 1200 {
		writes = append(writes, table.Set(table.Item{Key: table.Key{PK: "p", SK: fmt.Sprint(i)},
			Expires: clock.now()}))
	}
	if err := tb.WriteAll(t.Context(), writes...); err != nil {
		t.Fatal(err)
	}
	if err := tb.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	clock.advance(-time.Hour) // what was only hidden would be there again
	page, err := tb.Query(t.Context(), table.Query{PK: "p"})
	if err != nil || len(page.Items) != 0 {
		t.Errorf("%d items are left, %v", len(page.Items), err)
	}
	changes, err := tb.Changes(t.Context(), "", 10_000)
	if err != nil || len(changes) != 2400 {
		t.Errorf("the feed has %d changes, %v, want 2400", len(changes), err)
	}
}

// TestFeedForgets expects the feed to keep a change until all its readers have read it, and no longer.
func TestFeedForgets(t *testing.T) {
	clock := newClock()
	path := filepath.Join(t.TempDir(), "table.db")
	tb := open(t, path, clock.now)
	for i := range 5 {
		if err := tb.Transact(t.Context(), table.Put(table.Item{Key: table.Key{PK: "p",
			SK: fmt.Sprint(i)}})); err != nil {
			t.Fatal(err)
		}
	}
	kept := func(want int) {
		t.Helper()
		changes, err := tb.Changes(t.Context(), "", 100)
		if err != nil || len(changes) != want {
			t.Errorf("the feed has %d changes, %v, want %d", len(changes), err, want)
		}
	}
	readers := func(names ...string) []*sqlite.Reader {
		t.Helper()
		all, err := tb.Readers(t.Context(), names...)
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	save := func(r *sqlite.Reader, position string) {
		t.Helper()
		if err := r.Save(t.Context(), position); err != nil {
			t.Fatal(err)
		}
		if got, err := r.Load(t.Context()); err != nil || got != position {
			t.Errorf("Load = %q, %v, want %q", got, err, position)
		}
	}
	kept(5) // nobody has read anything
	both := readers("a", "b")
	if got, err := both[0].Load(t.Context()); err != nil || got != "" {
		t.Errorf("Load = %q, %v, want none at first", got, err)
	}
	save(both[0], "4")
	kept(5) // b has read none
	save(both[1], "2")
	kept(3)
	clock.advance(100 * 24 * time.Hour) // however long b is away
	if err := tb.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	kept(3)
	save(readers("a")[0], "5") // b is no reader any more
	kept(0)

	tb = open(t, path, clock.now) // another process knows it, and no position is given out again
	if got, err := readers("a")[0].Load(t.Context()); err != nil || got != "5" {
		t.Errorf("Load = %q, %v, want 5", got, err)
	}
	if err := tb.Transact(t.Context(), table.Put(table.Item{Key: table.Key{PK: "p",
		SK: "new"}})); err != nil {
		t.Fatal(err)
	}
	if changes, err := tb.Changes(t.Context(), "5", 100); err != nil || len(changes) != 1 ||
		changes[0].Position != "6" {
		t.Errorf("Changes = %v, %v, want one at 6", changes, err)
	}
	if err := readers("a")[0].Save(t.Context(), "nonsense"); err == nil {
		t.Error("Save takes a position that is none")
	}
}

// TestFeedOnly expects the feed to carry what it is asked for and nothing else.
func TestFeedOnly(t *testing.T) {
	tb, err := sqlite.Open(filepath.Join(t.TempDir(), "table.db"), time.Now,
		sqlite.FeedOnly(func(c table.Change) bool {
			return c.Old == nil && c.New.PK == "told"
		}))
	if err != nil {
		t.Fatal(err)
	}
	defer tb.Close()
	told, other := table.Key{PK: "told", SK: "x"}, table.Key{PK: "other", SK: "x"}
	for _, w := range []table.Write{
		table.Put(table.Item{Key: other}), table.Put(table.Item{Key: told}), table.Put(table.Item{Key: told}),
		table.Delete(told),
	} {
		if err := tb.Transact(t.Context(), w); err != nil {
			t.Fatal(err)
		}
	}
	changes, err := tb.Changes(t.Context(), "", 100)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range changes {
		c.New.Version = table.Puts(c.New.Version)
	}
	want := []table.Change{{Position: "1", New: &table.Item{Key: told, Version: 1}}}
	if diff := cmp.Diff(want, changes); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
}

// TestChanged expects a signal at once for a change by the same process.
func TestChanged(t *testing.T) {
	tb := open(t, filepath.Join(t.TempDir(), "table.db"), time.Now)
	best := time.Hour
	for i := range 5 { // a busy machine may be late at times
		for waiting := true; waiting; {
			select {
			case <-tb.Changed():
			case <-time.After(300 * time.Millisecond): // no signal is on its way any more
				waiting = false
			}
		}
		start := time.Now()
		if err := tb.Transact(t.Context(), table.Add(counter, "n", int64(i+1))); err != nil {
			t.Fatal(err)
		}
		<-tb.Changed()
		best = min(best, time.Since(start))
	}
	if best > 50*time.Millisecond {
		t.Errorf("the signal came after %v", best)
	}
}

func BenchmarkGet(b *testing.B) {
	tb := filled(b)
	for i := 0; b.Loop(); i++ {
		if _, err := tb.Get(b.Context(), benchKey(i)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkGetParallel(b *testing.B) {
	tb := filled(b)
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for i := 0; pb.Next(); i++ {
			if _, err := tb.Get(b.Context(), benchKey(i)); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkQuery20(b *testing.B) {
	tb := filled(b)
	for b.Loop() {
		if _, err := tb.Query(b.Context(), table.Query{PK: "p", From: "5", Limit: 20}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkUpdate(b *testing.B) {
	tb := filled(b)
	for i := 0; b.Loop(); i++ {
		update := table.Update{Key: benchKey(i), Add: map[string]int64{"n": 1}}
		if _, err := tb.Update(b.Context(), update); err != nil {
			b.Fatal(err)
		}
	}
}

// transactBench is what a chat turn does at the end: three items, a counter and a check.
func transactBench(tb *sqlite.Table, b *testing.B, worker, i int) error {
	partition := fmt.Sprint(worker, "/", i)
	body := make([]byte, 500)
	for j := range body {
		body[j] = 'x'
	}
	return tb.Transact(b.Context(),
		table.PutIfAbsent(table.Item{Key: table.Key{PK: partition, SK: "1"}, Doc: body}),
		table.PutIfAbsent(table.Item{Key: table.Key{PK: partition, SK: "2"}, Doc: body,
			Index1: table.Key{PK: "g", SK: partition}}),
		table.Put(table.Item{Key: benchKey(i), Doc: body}),
		table.Add(counter, "n", 1),
		table.Check(benchKey(i+1)))
}

func BenchmarkTransact5(b *testing.B) {
	tb := filled(b)
	for i := 0; b.Loop(); i++ {
		if err := transactBench(tb, b, 0, i); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkTransact5Parallel(b *testing.B) {
	tb := filled(b)
	b.SetParallelism(16)
	var mu sync.Mutex
	workers := 0
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		mu.Lock()
		workers++
		worker := workers
		mu.Unlock()
		for i := 0; pb.Next(); i++ {
			if err := transactBench(tb, b, worker, i); err != nil {
				b.Error(err)
				return
			}
		}
	})
}

const benchItems = 10_000

func benchKey(i int) table.Key {
	return table.Key{PK: "p", SK: fmt.Sprint(i * 7919 % benchItems)}
}

// filled returns a table of ten thousand items of 1 KB.
func filled(b *testing.B) *sqlite.Table {
	b.Helper()
	tb := open(b, filepath.Join(b.TempDir(), "table.db"), time.Now)
	var writes []table.Write
	for i := range benchItems {
		body := make([]byte, 1000)
		for j := range body {
			body[j] = 'x'
		}
		writes = append(writes, table.Set(table.Item{Key: table.Key{PK: "p", SK: fmt.Sprint(i)}, Doc: body}))
	}
	if err := tb.WriteAll(b.Context(), writes...); err != nil {
		b.Fatal(err)
	}
	return tb
}
