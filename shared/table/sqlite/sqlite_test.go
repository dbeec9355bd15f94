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

// TestOpenOlder opens a file of the first version.
func TestOpenOlder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "table.db")
	first, err := os.ReadFile("schema/1.sql")
	if err != nil {
		t.Fatal(err)
	}
	file, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	const insert = "INSERT INTO items (pk, sk, doc, version, g1pk, g1sk) VALUES ('p', 'old', '{}', 3, 'g', '1')"
	if _, err := file.Exec(string(first) + "; PRAGMA user_version = 1; " + insert); err != nil {
		t.Fatal(err)
	}
	file.Close()

	tb := open(t, path, time.Now)
	old := table.Item{Key: table.Key{PK: "p", SK: "old"}, Doc: []byte("{}"), Index1: table.Key{PK: "g", SK: "1"}, Version: 3}
	moved := old
	moved.Index3, moved.Version = table.Key{PK: "i", SK: "3"}, 4
	if err := tb.Transact(t.Context(), table.Put(moved)); err != nil {
		t.Fatal(err)
	}
	page, err := tb.Query(t.Context(), table.Query{Index: table.Index3, PK: "i"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]table.Item{{Key: old.Key, Index3: moved.Index3}}, page.Items); diff != "" {
		t.Errorf("items of the new index (-want +got):\n%s", diff)
	}
	changes, err := tb.Changes(t.Context(), "", 10)
	if err != nil {
		t.Fatal(err)
	}
	want := []table.Change{{Position: "1", New: &old}, {Position: "2", Old: &old, New: &moved}}
	if diff := cmp.Diff(want, changes); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
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
	if err := os.WriteFile(text, []byte("this is no database, however long one reads on in it"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, path := range map[string]string{
		"a newer file": newer, "another kind of file": text, "a folder": t.TempDir(), "no folder": filepath.Join(t.TempDir(), "no", "table.db"),
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
		writes = append(writes, table.Set(table.Item{Key: table.Key{PK: "p", SK: fmt.Sprint(i)}, Expires: clock.now()}))
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

// TestFeedKeepsADay sweeps every hour and expects the feed to forget after a day, not before.
func TestFeedKeepsADay(t *testing.T) {
	clock := newClock()
	tb := open(t, filepath.Join(t.TempDir(), "table.db"), clock.now)
	for hour := range 30 {
		if err := tb.Transact(t.Context(), table.Put(table.Item{Key: table.Key{PK: "p", SK: fmt.Sprint(hour)}})); err != nil {
			t.Fatal(err)
		}
		if err := tb.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		changes, err := tb.Changes(t.Context(), "", 100)
		if err != nil {
			t.Fatal(err)
		}
		oldest := max(0, hour-23)
		if len(changes) != hour+1-oldest || changes[0].New.SK != fmt.Sprint(oldest) {
			t.Fatalf("after %d hours the feed has %d changes, want those since hour %d", hour, len(changes), oldest)
		}
		clock.advance(time.Hour)
	}
	// A reader that slept through it all goes on with the oldest that is kept.
	changes, err := tb.Changes(t.Context(), "1", 1)
	if err != nil || len(changes) != 1 || changes[0].New.SK == "1" {
		t.Errorf("Changes = %v, %v", changes, err)
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
		table.PutIfAbsent(table.Item{Key: table.Key{PK: partition, SK: "2"}, Doc: body, Index1: table.Key{PK: "g", SK: partition}}),
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
