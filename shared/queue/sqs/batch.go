package sqs

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"

	"frontdesk/shared/queue"
)

const (
	maxEntries = 10 // per request, a limit of SQS
	// maxBatch limits the bytes of all bodies in a request. It was the limit of SQS until August 2025 and
	// still is that of its emulators. Smaller requests cost nothing, since SQS charges by 64 KB.
	maxBatch = queue.MaxBody
	attempts = 4 // tries of an entry that SQS fails on
)

// parts divides messages into requests, in their order.
func parts(messages []queue.Outgoing) [][]queue.Outgoing {
	var all [][]queue.Outgoing
	start, size := 0, 0
	for i, m := range messages {
		if i-start == maxEntries || size+len(m.Body) > maxBatch {
			all = append(all, messages[start:i])
			start, size = i, 0
		}
		size += len(m.Body)
	}
	if start < len(messages) {
		all = append(all, messages[start:])
	}
	return all
}

// inBatch sends entries with call, and sends those again that failed through no fault of the sender. The id
// of each entry is its index in entries.
func inBatch[E any](ctx context.Context, pause time.Duration, entries []E,
	call func([]E) ([]types.BatchResultErrorEntry, error)) error {
	pending := entries
	for attempt := 1; ; attempt++ {
		failed, err := call(pending)
		if err != nil {
			return err
		}
		if len(failed) == 0 {
			return nil
		}
		pending = nil
		for _, f := range failed {
			place, err := strconv.Atoi(aws.ToString(f.Id))
			if err != nil || place < 0 || place >= len(entries) {
				return fmt.Errorf("answer names the unknown entry %q", aws.ToString(f.Id))
			}
			if f.SenderFault || attempt == attempts {
				return fmt.Errorf("%d of %d messages failed, one with %s: %s",
					len(failed), len(entries), aws.ToString(f.Code), aws.ToString(f.Message))
			}
			pending = append(pending, entries[place])
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause << (attempt - 1)):
		}
	}
}
