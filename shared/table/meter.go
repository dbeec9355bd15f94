package table

import (
	"context"
	"errors"
	"sync"
)

// A Meter sums up the cost of calls. Every Table adds its calls to the Meter of their context. It is safe for
// concurrent use.
type Meter struct {
	mu   sync.Mutex
	cost Cost
}

// Cost is the cost of calls to a Table.
type Cost struct {
	Trips      int     // sequential round trips; concurrent ones count once
	Requests   int     // requests sent
	ReadUnits  float64 // read request units of DynamoDB
	WriteUnits float64 // write request units of DynamoDB
}

type meterKey struct{}

// WithMeter returns a context whose calls are added to a new Meter.
func WithMeter(ctx context.Context) (context.Context, *Meter) {
	m := new(Meter)
	return context.WithValue(ctx, meterKey{}, m), m
}

// Cost returns the sum so far.
func (m *Meter) Cost() Cost {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.cost
}

// Count adds one request to the Meter of ctx, if it has one. Implementations of Table call it, and others
// that make requests wait, such as queues. DynamoDB does not report the units of failed requests, so these
// count 0.
func Count(ctx context.Context, readUnits, writeUnits float64) {
	m, ok := ctx.Value(meterKey{}).(*Meter)
	if !ok {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.cost.Requests++
	m.cost.ReadUnits += readUnits
	m.cost.WriteUnits += writeUnits
	if branch, ok := ctx.Value(branchKey{}).(*int); ok {
		*branch++
	} else {
		m.cost.Trips++
	}
}

// branchKey is the context key of the count of round trips of one function that Parallel runs.
type branchKey struct{}

// Parallel runs the functions concurrently and waits for all. It returns the first error in the order of the
// functions, preferring errors other than context.Canceled; the first error to occur cancels the others'
// context. The round trips of the longest function count.
func Parallel(ctx context.Context, fns ...func(context.Context) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	trips := make([]int, len(fns))
	errs := make([]error, len(fns))
	var wg sync.WaitGroup
	for i, fn := range fns {
		wg.Go(func() {
			errs[i] = fn(context.WithValue(ctx, branchKey{}, &trips[i]))
			if errs[i] != nil {
				cancel()
			}
		})
	}
	wg.Wait()
	addTrips(ctx, trips)
	return firstCause(errs)
}

// addTrips adds the longest branch to the surrounding branch or, at the top, to the Meter.
func addTrips(ctx context.Context, trips []int) {
	m, ok := ctx.Value(meterKey{}).(*Meter)
	if !ok {
		return
	}
	longest := 0
	for _, n := range trips {
		longest = max(longest, n)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if branch, ok := ctx.Value(branchKey{}).(*int); ok {
		*branch += longest
	} else {
		m.cost.Trips += longest
	}
}

// firstCause returns the first error that is not the cancellation of the shared context, or else the first of
// all.
func firstCause(errs []error) error {
	var first error
	for _, err := range errs {
		if err == nil {
			continue
		}
		if first == nil {
			first = err
		}
		if !errors.Is(err, context.Canceled) {
			return err
		}
	}
	return first
}

// A Use is the cost of a call for one item, or for its entry in an index.
type Use struct {
	Index                 Index
	Key                   Key // in the index; for a query its partition and start
	ReadUnits, WriteUnits float64
}

type observerKey struct{}

// WithObserver returns a context whose calls report their uses to observe, which may be called concurrently.
// Only the SQLite implementation reports them, since DynamoDB does not.
func WithObserver(ctx context.Context, observe func(...Use)) context.Context {
	return context.WithValue(ctx, observerKey{}, observe)
}

// Observe reports uses to the observer of ctx, if it has one. It is for implementations of Table.
func Observe(ctx context.Context, uses ...Use) {
	if observe, ok := ctx.Value(observerKey{}).(func(...Use)); ok {
		observe(uses...)
	}
}
