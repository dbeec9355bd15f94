package table

import (
	"context"
	"math/rand/v2"
	"time"
)

// How often Retry calls, and how long it waits in between: 5 ms at most at first, twice as long each time,
// some 2 s in all. Of fifty who change one item at once each comes through.
const (
	retries    = 24
	firstPause = 5 * time.Millisecond
	maxPause   = 200 * time.Millisecond
)

// Retry calls change, which reads, decides and writes, anew as long as a condition of its Transact fails:
// then somebody else wrote in between. The random pauses let one of those who meet go first. ErrBusy when
// there is no end to it.
func Retry(ctx context.Context, change func() error) error {
	for attempt := range retries {
		if err := change(); !IsConditionError(err) {
			return err
		}
		timer := time.NewTimer(rand.N(min(firstPause<<min(attempt, 10), maxPause)))
		select {
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		case <-timer.C:
		}
	}
	return ErrBusy
}
