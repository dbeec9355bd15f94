package counter_test

import (
	"errors"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/shared/agent"
	"frontdesk/shared/counter"
	"frontdesk/shared/id"
	"frontdesk/shared/table"
	"frontdesk/shared/table/sqlite"
)

const account = 7

func open(t *testing.T) *sqlite.Table {
	t.Helper()
	store, err := sqlite.Open(filepath.Join(t.TempDir(), "table.db"), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	return store
}

// counts makes a change of counts of all time.
func counts(of counter.Counts) counter.Change {
	var change counter.Change
	for name, n := range of {
		change.Count(name, n)
	}
	return change
}

func TestAdd(t *testing.T) {
	if got := counter.Add(account, 1, 5, counts(counter.Counts{"a": 1, "b": 0}),
		counts(counter.Counts{"a": -1}),
		counter.Change{}); got != nil {
		t.Errorf("there is a write of nothing: %v", got)
	}
	both := counts(counter.Counts{"a": 1, "b": 2})
	midnight := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	both.CountOn(midnight, "a", 1)
	both.CountOn(midnight.Add(-time.Nanosecond), "b", 1)
	both.CountOn(midnight.Add(36*time.Hour), "c", 0)
	same := counts(counter.Counts{"a": 1, "b": -2})
	same.CountOn(midnight.In(time.FixedZone("", -3600)).Add(5*time.Hour), "a", 2)
	got := counter.Add(account, 1, -3, both, same)
	var want []table.Write
	for _, add := range []struct {
		key table.Key
		add map[string]int64
	}{
		{counter.Key(account, 1, 5), map[string]int64{"a": 2}},
		{counter.DayKey(account, 1, "2026-03-01", 5), map[string]int64{"b": 1}},
		{counter.DayKey(account, 1, "2026-03-02", 5), map[string]int64{"a": 3}},
	} {
		want = append(want, table.Write{Op: table.OpAdd, Item: table.Item{Key: add.key}, Add: add.add})
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestCounts has many count for three agents at once, of which one is then deleted.
func TestCounts(t *testing.T) {
	store := open(t)
	ids := id.NewSource(time.Now)
	agents := agent.Store{Table: store, Now: time.Now, IDs: ids}
	var of []int64
	for range 3 {
		a, err := agents.Create(t.Context(), account, agent.Agent{Summary: agent.Summary{Name: "Ada"}}, 10)
		if err != nil {
			t.Fatal(err)
		}
		of = append(of, a.ID)
	}
	var wg sync.WaitGroup
	for i := range 90 {
		wg.Go(func() {
			added := counter.Add(account, of[i%3], ids.Next(),
				counts(counter.Counts{"cats.old": 1, "cats.new": 2, "dogs": 3}))
			if err := store.Transact(t.Context(), added...); err != nil {
				t.Error(err)
			}
		})
	}
	// Those of another workspace are of no concern, nor of another agent whose id begins alike.
	for _, w := range [][]table.Write{counter.Add(account+1, of[0], 1, counts(counter.Counts{"dogs": 1})),
		counter.Add(account, of[0]*10, 1, counts(counter.Counts{"birds": 1}))} {
		if err := store.Transact(t.Context(), w...); err != nil {
			t.Fatal(err)
		}
	}
	wg.Wait()

	if _, err := counter.OfAgent(t.Context(), store, account, of[0]*10); !errors.Is(err, agent.ErrNotFound) {
		t.Errorf("counts of no agent: %v", err)
	}
	got, err := counter.OfAgent(t.Context(), store, account, of[0])
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(counter.Counts{"cats.old": 30, "cats.new": 60, "dogs": 90}, got); diff != "" {
		t.Errorf("of an agent (-want +got):\n%s", diff)
	}
	if got.Sum("cats.") != 90 || got.Sum("birds") != 0 {
		t.Errorf("sums of %v: %d cats, %d birds", got, got.Sum("cats."), got.Sum("birds"))
	}

	expect := func(deleted bool, want counter.Counts) {
		t.Helper()
		ctx, meter := table.WithMeter(t.Context())
		counts, marks, err := counter.OfAccount(ctx, store, account)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, counts); diff != "" {
			t.Errorf("of the workspace (-want +got):\n%s", diff)
		}
		if marks.Has(of[1]) != deleted || marks.Has(of[0]) {
			t.Errorf("deleted: %v, %v", marks.Has(of[1]), marks.Has(of[0]))
		}
		if trips := meter.Cost().Trips; trips != 1 {
			t.Errorf("%d trips", trips)
		}
	}
	expect(false, counter.Counts{"cats.old": 90, "cats.new": 180, "dogs": 270, "birds": 1})
	if err := agents.Delete(t.Context(), account, of[1]); err != nil {
		t.Fatal(err)
	}
	expect(true, counter.Counts{"cats.old": 60, "cats.new": 120, "dogs": 180, "birds": 1})
}
