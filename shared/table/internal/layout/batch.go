package layout

import (
	"context"
	"slices"

	"frontdesk/shared/table"
)

// Limits of keys and writes in one request.
const (
	ReadBatch  = 100
	WriteBatch = 25
)

// parallel is the number of concurrent requests of one call: enough for the throughput of a DynamoDB
// partition, and no more than a client's idle connections.
const parallel = 8

// InBatches calls do for batches of at most size elements, up to parallel at a time, and returns the first
// error.
func InBatches[T any](ctx context.Context, elements []T, size int,
	do func(context.Context, []T) error) error {
	if len(elements) <= size {
		if len(elements) == 0 {
			return nil
		}
		return do(ctx, elements)
	}
	batches := slices.Collect(slices.Chunk(elements, size))
	lanes := make([]func(context.Context) error, min(parallel, len(batches)))
	for lane := range lanes {
		lanes[lane] = func(ctx context.Context) error {
			for i := lane; i < len(batches); i += len(lanes) {
				if err := do(ctx, batches[i]); err != nil {
					return err
				}
			}
			return nil
		}
	}
	return table.Parallel(ctx, lanes...)
}

// Distinct returns the keys that an item can have, without duplicates.
func Distinct(keys []table.Key) []table.Key {
	seen := make(map[table.Key]struct{}, len(keys))
	distinct := make([]table.Key, 0, len(keys))
	for _, key := range keys {
		if _, again := seen[key]; again || !Possible(key) {
			continue
		}
		seen[key] = struct{}{}
		distinct = append(distinct, key)
	}
	return distinct
}
