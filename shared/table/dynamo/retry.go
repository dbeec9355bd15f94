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

// Limits of retries after a conflict. The longest pause is 25 ms at first and doubles, about 3 s in all.
const (
	attempts   = 8
	firstPause = 25 * time.Millisecond
	maxPause   = time.Second
)

// Internal errors, after which the call is tried again.
var (
	errConflict = errors.New("table: conflict with another write")
	errForm     = errors.New("table: a write was sent in the wrong form") // resent in the right form
)

// retry calls send again after a conflict or a wrong form. It returns ErrBusy after the last attempt.
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

// pause waits for a random time whose limit doubles with each attempt, or until ctx ends.
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

// failure converts an error of a request: a conflict with a transaction, which the SDK does not retry, to
// errConflict; throttling that outlasted the SDK's retries to ErrBusy; and size limits to ErrTooLarge.
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
