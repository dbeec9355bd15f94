package dynamo

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/aws/smithy-go"

	"frontdesk/shared/table"
)

// How often a call is tried that meets a conflict, and how long it waits in between: at most 25 ms at first,
// twice as long each time, some 3 s in all at most.
const (
	attempts   = 8
	firstPause = 25 * time.Millisecond
	maxPause   = time.Second
)

// Errors that do not leave this package: the call may succeed when it is tried again.
var (
	errConflict = errors.New("table: conflict with another write")
	errForm     = errors.New("table: a write was sent in the wrong form") // and will be sent in the right one
)

// retry calls send again as long as its error says that it may help, and returns ErrBusy when that does not
// end.
func (t *Table) retry(ctx context.Context, send func() error) error {
	for attempt := range attempts {
		err := send()
		switch {
		case errors.Is(err, errForm):
		case errors.Is(err, errConflict):
			if err := pause(ctx, attempt); err != nil {
				return err
			}
		default:
			return err
		}
	}
	return table.ErrBusy
}

// pause waits for a random part of what the number of attempts so far calls for, or until ctx ends.
func pause(ctx context.Context, attempt int) error {
	longest := min(firstPause<<attempt, maxPause)
	timer := time.NewTimer(rand.N(longest))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// failure returns the error of this package for one of a request: errConflict for a conflict with a
// transaction, which the SDK does not try again, ErrBusy for a refusal that lasted through the SDK's own
// attempts, and ErrTooLarge.
func failure(err error) error {
	var api smithy.APIError
	if !errors.As(err, &api) {
		return fmt.Errorf("table: %w", err)
	}
	switch api.ErrorCode() {
	case "TransactionConflictException", "TransactionInProgressException":
		return errConflict
	case "ProvisionedThroughputExceededException", "ThrottlingException", "RequestLimitExceeded":
		return fmt.Errorf("%w: %w", table.ErrBusy, err)
	case "ValidationException":
		return invalid(api.ErrorMessage(), err)
	}
	return fmt.Errorf("table: %w", err)
}
