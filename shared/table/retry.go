package table

import (
	"context"
	"math/rand/v2"
	"time"
)

// Limits of Retry. The longest pause is 5 ms at first and doubles up to 200 ms, about 2 s in all. With these,
// fifty concurrent writers of one item all succeed.
const (
	retries    = 24
	firstPause = 5 * time.Millisecond
	maxPause   = 200 * time.Millisecond
)

// Retry calls change, which reads, decides and writes, again while a condition of its Transact fails because
// another writer came first. Random pauses between the calls resolve contention. It returns ErrBusy after the
// last attempt, and any other error at once.
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
