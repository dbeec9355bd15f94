package counter_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/shared/agent"
	"frontdesk/shared/counter"
	"frontdesk/shared/id"
	"frontdesk/shared/table"
)

func newAgent(t *testing.T, store table.Table, ids *id.Source) int64 {
	t.Helper()
	agents := agent.Store{Table: store, Now: time.Now, IDs: ids}
	a, err := agents.Create(t.Context(), account, agent.Agent{Summary: agent.Summary{Name: "Ada"}}, 10)
	if err != nil {
		t.Fatal(err)
	}
	return a.ID
}

// TestDays has many count at once on three days that follow each other, from the first moment of a day to its
// last.
func TestDays(t *testing.T) {
	store, ids := open(t), id.NewSource(time.Now)
	of := newAgent(t, store, ids)
	first := time.Date(2026, 2, 27, 0, 0, 0, 0, time.UTC)
	var wg sync.WaitGroup
	for day := range 3 {
		for _, at := range []time.Duration{0, 12 * time.Hour, 24*time.Hour - time.Nanosecond} {
			for range 20 {
				wg.Go(func() {
					var change counter.Change
					change.CountOn(first.Add(time.Duration(day)*24*time.Hour+at), "dogs", 1)
					if err := store.Transact(t.Context(),
						counter.Add(account, of, ids.Next(), change)...); err != nil {
						t.Error(err)
					}
				})
			}
		}
	}
	wg.Wait()
	dogs := counter.Counts{"dogs": 60}
	for _, test := range []struct {
		from, to time.Time
		want     counter.Days
	}{
		{first, first, counter.Days{"2026-02-27": dogs}},
		{first.Add(24*time.Hour - 1), first.Add(24 * time.Hour),
			counter.Days{"2026-02-27": dogs, "2026-02-28": dogs}},
		{first.AddDate(-5, 0, 0), first.AddDate(5, 0, 0),
			counter.Days{"2026-02-27": dogs, "2026-02-28": dogs, "2026-03-01": dogs}},
		{first.AddDate(0, 0, 3), first.AddDate(0, 0, 5), counter.Days{}},
		{first.AddDate(0, 0, -9), first.Add(-1), counter.Days{}},
	} {
		ctx, meter := table.WithMeter(t.Context())
		got, err := counter.OfDays(ctx, store, account, of, test.from, test.to)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%v to %v (-want +got):\n%s", test.from, test.to, diff)
		}
		if got, want := got.Sum()["dogs"], int64(60*len(test.want)); got != want {
			t.Errorf("%d in all, want %d", got, want)
		}
		if trips := meter.Cost().Trips; trips != 1 {
			t.Errorf("%d trips", trips)
		}
	}
	if _, err := counter.OfDays(t.Context(), store, account, of*10, first, first); !errors.Is(err,
		agent.ErrNotFound) {
		t.Errorf("days of no agent: %v", err)
	}
}

// TestLongPeriod reads up to two years of the fullest days there are.
func TestLongPeriod(t *testing.T) {
	store, ids := open(t), id.NewSource(time.Now)
	of := newAgent(t, store, ids)
	first := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	const days, shards = 740, 8
	numbers := map[string]int64{}
	for i := range 39 {
		numbers[fmt.Sprintf("resolution/%02d", i)] = 1_000
	}
	var writes []table.Write
	for day := range days {
		for shard := range shards {
			key := counter.DayKey(account, of, counter.Date(first.AddDate(0, 0, day)), shard)
			writes = append(writes, table.Set(table.Item{Key: key, Numbers: numbers}))
		}
	}
	if err := store.WriteAll(t.Context(), writes...); err != nil {
		t.Fatal(err)
	}
	for _, days := range []int{1, 183, 184, 366, 367, 730} {
		ctx, meter := table.WithMeter(t.Context())
		got, err := counter.OfDays(ctx, store, account, of, first, first.AddDate(0, 0, days-1))
		if err != nil {
			t.Fatal(err)
		}
		if n := got.Sum()["resolution/00"]; n != int64(days*shards*1000) || len(got) != days {
			t.Errorf("%d counted on %d days, asked for %d", n, len(got), days)
		}
		if cost := meter.Cost(); cost.Trips != 1 {
			t.Errorf("%d days take %+v", days, cost)
		}
	}
}

func TestDurations(t *testing.T) {
	at := time.Date(2026, 3, 2, 9, 30, 0, 0, time.UTC)
	count := func(took ...time.Duration) counter.Durations {
		var change counter.Change
		for _, d := range took {
			change.Took(at, "walk", d, time.Minute)
		}
		sum := counter.Counts{}
		for _, w := range counter.Add(account, 1, 0, change) {
			for name, n := range w.Add {
				sum[name] += n
			}
		}
		return sum.Durations("walk")
	}
	for _, test := range []struct {
		took          []time.Duration
		count, inTime int64
		mean          time.Duration
	}{
		{nil, 0, 0, 0},
		{[]time.Duration{0}, 1, 1, 0},
		{[]time.Duration{-time.Hour}, 1, 1, 0},
		{[]time.Duration{time.Minute, time.Minute + time.Millisecond}, 2, 1, time.Minute +
			time.Millisecond/2},
		{[]time.Duration{time.Second, 2 * time.Second, 6 * time.Second}, 3, 3, 3 * time.Second},
		{[]time.Duration{math.MaxInt64}, 1, 0, math.MaxInt64 / time.Millisecond * time.Millisecond},
	} {
		d := count(test.took...)
		if d.Count != test.count || d.InTime != test.inTime || d.Mean() != test.mean {
			t.Errorf("%v: %d, %d in time, mean %v", test.took, d.Count, d.InTime, d.Mean())
		}
	}
	if got := count().Quantile(0.5); got != 0 {
		t.Errorf("the median of nothing is %v", got)
	}

	// Estimates are near what sorting finds, whatever the scale.
	random := rand.New(rand.NewPCG(1, 2))
	for _, scale := range []time.Duration{50 * time.Millisecond, 3 * time.Second, 20 * time.Minute,
		40 * time.Hour} {
		for _, n := range []int{1, 2, 5, 400} {
			var took []time.Duration
			for range n {
				took = append(took, time.Duration(float64(scale)*math.Exp(random.NormFloat64())))
			}
			d := count(took...)
			slices.Sort(took)
			for _, part := range []float64{0, 0.5, 0.9, 1} {
				want := took[max(0, int(math.Ceil(part*float64(n)))-1)]
				tolerance := 0.26*float64(want) + float64(2*time.Millisecond)
				if got := d.Quantile(part); math.Abs(float64(got-want)) > tolerance {
					t.Errorf("of %d near %v: %v of them took at most %v, want %v", n, scale, part, got, want)
				}
			}
		}
	}
}
