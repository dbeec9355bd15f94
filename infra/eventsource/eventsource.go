// Package eventsource does for functions outside AWS what Lambda's event source mappings and EventBridge's
// schedules do for them there: it reads queues, change feeds and the clock, and calls the functions with the
// same events.
//
// A [Queue], a [Stream] and a [Schedule] are set up as the template sets up what they stand for, and run
// until their context ends. Then they take up nothing new, and return when the calls under way have returned.
package eventsource

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// A Function takes an event as JSON and gives its answer as JSON: a handler in this process, by FunctionOf,
// or a program that [frontdesk/infra/lambda] runs. It returns within the time-out of the function it stands
// for, and is safe for concurrent use. Its context does not end with the one of Run.
type Function func(ctx context.Context, payload []byte) ([]byte, error)

// FunctionOf is the Function of a handler. Unlike that of lambda.NewHandler in aws-lambda-go, whose answers
// share their memory, it may be called several times at once where the handler may.
func FunctionOf[E, A any](handle func(context.Context, E) (A, error)) Function {
	return func(ctx context.Context, payload []byte) ([]byte, error) {
		var event E
		if err := json.Unmarshal(payload, &event); err != nil {
			return nil, err
		}
		answer, err := handle(ctx, event)
		if err != nil {
			return nil, err
		}
		return json.Marshal(answer)
	}
}

// call calls the function with an event.
func (f Function) call(ctx context.Context, event any) ([]byte, error) {
	payload, err := json.Marshal(event)
	if err != nil {
		return nil, err
	}
	return f(context.WithoutCancel(ctx), payload)
}

// failures reads what a function answered that reports the items of a batch that failed. As with Lambda, an
// answer that cannot be read, or names an item that is not in the batch, is the failure of all.
func failures(answer []byte, items map[string]int) ([]int, error) {
	if len(bytes.TrimSpace(answer)) == 0 {
		return nil, nil
	}
	var response struct {
		BatchItemFailures []struct {
			ItemIdentifier string `json:"itemIdentifier"`
		} `json:"batchItemFailures"`
	}
	if err := json.Unmarshal(answer, &response); err != nil {
		return nil, fmt.Errorf("report of failed items: %w", err)
	}
	var failed []int
	for _, f := range response.BatchItemFailures {
		i, ok := items[f.ItemIdentifier]
		if !ok {
			return nil, fmt.Errorf("report of failed items names %q, which is not in the batch",
				f.ItemIdentifier)
		}
		failed = append(failed, i)
	}
	return failed, nil
}

// errReported is the cause where a function gave no error but reported failed items.
var errReported = errors.New("the function reported failed items")

// regionOf returns the region that an ARN names; empty when it names none.
func regionOf(arn string) string {
	if parts := strings.SplitN(arn, ":", 5); len(parts) == 5 {
		return parts[3]
	}
	return ""
}

// sleep returns after d, or earlier when ctx ends.
func sleep(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
