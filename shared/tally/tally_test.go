package tally_test

import (
	"errors"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/shared/agent"
	"frontdesk/shared/id"
	"frontdesk/shared/table"
	"frontdesk/shared/table/sqlite"
	"frontdesk/shared/tally"
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
func counts(of tally.Counts) tally.Change {
	var change tally.Change
	for name, n := range of {
		change.Count(name, n)
	}
	return change
}

func TestAdd(t *testing.T) {
	if got := tally.Add(account, 1, 5, counts(tally.Counts{"a": 1, "b": 0}), counts(tally.Counts{"a": -1}),
		tally.Change{}); got != nil {
		t.Errorf("there is a write of nothing: %v", got)
	}
	both := counts(tally.Counts{"a": 1, "b": 2})
	midnight := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	both.CountOn(midnight, "a", 1)
	both.CountOn(midnight.Add(-time.Nanosecond), "b", 1)
	both.CountOn(midnight.Add(36*time.Hour), "c", 0)
	same := counts(tally.Counts{"a": 1, "b": -2})
	same.CountOn(midnight.In(time.FixedZone("", -3600)).Add(5*time.Hour), "a", 2)
	got := tally.Add(account, 1, -3, both, same)
	var want []table.Write
	for _, add := range []struct {
		key table.Key
		add map[string]int64
	}{
		{tally.Key(account, 1, 5), map[string]int64{"a": 2}},
		{tally.DayKey(account, 1, "2026-03-01", 5), map[string]int64{"b": 1}},
		{tally.DayKey(account, 1, "2026-03-02", 5), map[string]int64{"a": 3}},
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
			added := tally.Add(account, of[i%3], ids.Next(),
				counts(tally.Counts{"cats.old": 1, "cats.new": 2, "dogs": 3}))
			if err := store.Transact(t.Context(), added...); err != nil {
				t.Error(err)
			}
		})
	}
	// Those of another workspace are of no concern, nor of another agent whose id begins alike.
	for _, w := range [][]table.Write{tally.Add(account+1, of[0], 1, counts(tally.Counts{"dogs": 1})),
		tally.Add(account, of[0]*10, 1, counts(tally.Counts{"birds": 1}))} {
		if err := store.Transact(t.Context(), w...); err != nil {
			t.Fatal(err)
		}
	}
	wg.Wait()

	if _, err := tally.OfAgent(t.Context(), store, account, of[0]*10); !errors.Is(err, agent.ErrNotFound) {
		t.Errorf("counts of no agent: %v", err)
	}
	got, err := tally.OfAgent(t.Context(), store, account, of[0])
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(tally.Counts{"cats.old": 30, "cats.new": 60, "dogs": 90}, got); diff != "" {
		t.Errorf("of an agent (-want +got):\n%s", diff)
	}
	if got.Sum("cats.") != 90 || got.Sum("birds") != 0 {
		t.Errorf("sums of %v: %d cats, %d birds", got, got.Sum("cats."), got.Sum("birds"))
	}

	expect := func(deleted bool, want tally.Counts) {
		t.Helper()
		ctx, meter := table.WithMeter(t.Context())
		counts, marks, err := tally.OfAccount(ctx, store, account)
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
	expect(false, tally.Counts{"cats.old": 90, "cats.new": 180, "dogs": 270, "birds": 1})
	if err := agents.Delete(t.Context(), account, of[1]); err != nil {
		t.Fatal(err)
	}
	expect(true, tally.Counts{"cats.old": 60, "cats.new": 120, "dogs": 180, "birds": 1})
}
