package table_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"frontdesk/shared/table"
)

func TestMeter(t *testing.T) {
	type call = func(context.Context) error
	// get costs a read unit, put two write units.
	get := func(ctx context.Context) error { table.Count(ctx, 1, 0); return nil }
	put := func(ctx context.Context) error { table.Count(ctx, 0, 2); return nil }
	sequence := func(calls ...call) call {
		return func(ctx context.Context) error {
			for _, c := range calls {
				if err := c(ctx); err != nil {
					return err
				}
			}
			return nil
		}
	}
	together := func(calls ...call) call {
		return func(ctx context.Context) error { return table.Parallel(ctx, calls...) }
	}
	for _, test := range []struct {
		name string
		call call
		want table.Cost
	}{
		{"nothing", sequence(), table.Cost{}},
		{"one", get, table.Cost{Trips: 1, Requests: 1, ReadUnits: 1}},
		{"one after another", sequence(get, put, put),
			table.Cost{Trips: 3, Requests: 3, ReadUnits: 1, WriteUnits: 4}},
		{"together", together(get, put, put), table.Cost{Trips: 1, Requests: 3, ReadUnits: 1, WriteUnits: 4}},
		{"together nothing", together(), table.Cost{}},
		{"the longest counts", together(get, sequence(put, put, put), sequence(get, get)),
			table.Cost{Trips: 3, Requests: 6, ReadUnits: 3, WriteUnits: 6}},
		{"before and after", sequence(get, together(get, get), get),
			table.Cost{Trips: 3, Requests: 4, ReadUnits: 4}},
		{"together in together", together(sequence(get, together(get, sequence(get, get)), get),
			sequence(get, get)),
			table.Cost{Trips: 4, Requests: 7, ReadUnits: 7}},
		{"twice nested", together(together(together(get, get), sequence(get, get)), get),
			table.Cost{Trips: 2, Requests: 5, ReadUnits: 5}},
	} {
		t.Run(test.name, func(t *testing.T) {
			ctx, meter := table.WithMeter(t.Context())
			if err := test.call(ctx); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, meter.Cost()); diff != "" {
				t.Errorf("cost (-want +got):\n%s", diff)
			}
			if err := test.call(t.Context()); err != nil {
				t.Errorf("without a Meter: %v", err)
			}
		})
	}
}

func TestParallel(t *testing.T) {
	failure := errors.New("failure")
	waits := func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
	fails := func(context.Context) error { return failure }
	works := func(context.Context) error { return nil }

	t.Run("an error ends the others", func(t *testing.T) {
		if err := table.Parallel(t.Context(), waits, works, fails, waits); err != failure {
			t.Errorf("Together = %v, want %v", err, failure)
		}
	})
	t.Run("the first in order", func(t *testing.T) {
		other := errors.New("other")
		if err := table.Parallel(t.Context(), fails,
			func(context.Context) error { return other }); err != failure {
			t.Errorf("Together = %v, want %v", err, failure)
		}
	})
	t.Run("the end of the context", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := table.Parallel(ctx, waits, works); !errors.Is(err, context.Canceled) {
			t.Errorf("Together = %v, want context.Canceled", err)
		}
	})
}
