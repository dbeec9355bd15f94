package table

import (
	"context"
	"errors"
	"sync"
)

// A Meter sums up what calls cost. Every Table adds its calls to the Meter of their context.
type Meter struct {
	mu   sync.Mutex
	cost Cost
}

// Cost is what calls to a Table cost.
type Cost struct {
	Trips      int     // requests that waited for one another; those sent together count as one
	Requests   int     // requests sent
	ReadUnits  float64 // read request units, as DynamoDB counts them
	WriteUnits float64 // write request units, as DynamoDB counts them
}

type meterKey struct{}

// WithMeter returns a context whose calls are added to a new Meter.
func WithMeter(ctx context.Context) (context.Context, *Meter) {
	m := new(Meter)
	return context.WithValue(ctx, meterKey{}, m), m
}

// Cost is the sum so far.
func (m *Meter) Cost() Cost {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.cost
}

// Count adds one request to the Meter of ctx, if it has one. It is for implementations of Table and for other
// things that a request waits for, such as a queue. DynamoDB does not tell the units of a request that
// failed, so they count 0.
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

// branchKey is the context's key of the count of trips of one function that Together runs.
type branchKey struct{}

// Parallel runs the functions at the same time and returns when all have returned, with the first error in
// their order. The others' context ends with the first error. The trips of the longest function count as the
// trips of all.
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

// addTrips adds the longest branch to what the branches are part of: another branch, or the Meter itself.
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

// firstCause returns the first error that is not merely the end of the shared context, or else the first of
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

// A Use is what a call takes of one item, or of its entry in an index.
type Use struct {
	Index                 Index
	Key                   Key // in the index; of a query the partition and where it begins
	ReadUnits, WriteUnits float64
}

type observerKey struct{}

// WithObserver returns a context whose calls tell observe what they take of each item. It may be called by
// several goroutines at a time. The implementation for one machine tells it; DynamoDB does not say.
func WithObserver(ctx context.Context, observe func(...Use)) context.Context {
	return context.WithValue(ctx, observerKey{}, observe)
}

// Observe tells the observer of ctx, if it has one. It is for implementations of Table.
func Observe(ctx context.Context, uses ...Use) {
	if observe, ok := ctx.Value(observerKey{}).(func(...Use)); ok {
		observe(uses...)
	}
}
