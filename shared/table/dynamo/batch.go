package dynamo

import (
	"context"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"frontdesk/shared/table"
	"frontdesk/shared/table/internal/layout"
)

// BatchGet implements table.Table.
func (t *Table) BatchGet(ctx context.Context, keys ...table.Key) (map[table.Key]table.Item, error) {
	return t.batchGet(ctx, keys, false)
}

// BatchGetStale implements table.Table.
func (t *Table) BatchGetStale(ctx context.Context, keys ...table.Key) (map[table.Key]table.Item, error) {
	return t.batchGet(ctx, keys, true)
}

func (t *Table) batchGet(
	ctx context.Context, keys []table.Key, stale bool,
) (map[table.Key]table.Item, error) {
	var mu sync.Mutex
	found := make(map[table.Key]table.Item, len(keys))
	now := t.now()
	err := layout.InBatches(ctx, layout.Distinct(keys), layout.ReadBatch,
		func(ctx context.Context, keys []table.Key) error {
			rest := make([]map[string]types.AttributeValue, len(keys))
			for i, key := range keys {
				rest[i] = marshalKey(key)
			}
			return t.drain(ctx, func() (left int, err error) {
				var items []map[string]types.AttributeValue
				items, rest, err = t.getOnce(ctx, rest, stale)
				if err != nil {
					return 0, err
				}
				mu.Lock()
				defer mu.Unlock()
				for _, attributes := range items {
					item, err := Unmarshal(attributes)
					if err != nil {
						return 0, err
					}
					if !layout.Expired(item, now) {
						found[item.Key] = item
					}
				}
				return len(rest), nil
			})
		})
	if err != nil {
		return nil, err
	}
	return found, nil
}

// getOnce makes one request of a BatchGet. It returns the keys that DynamoDB left out, because of the 16 MB
// limit or of throttling.
func (t *Table) getOnce(ctx context.Context, keys []map[string]types.AttributeValue, stale bool) (items,
	left []map[string]types.AttributeValue, err error) {
	out, err := t.client.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{
		RequestItems: map[string]types.KeysAndAttributes{
			t.name: {Keys: keys, ConsistentRead: aws.Bool(!stale)},
		},
		ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	})
	if err != nil {
		table.Count(ctx, 0, 0)
		return nil, nil, failure(err)
	}
	table.Count(ctx, sum(out.ConsumedCapacity), 0)
	return out.Responses[t.name], out.UnprocessedKeys[t.name].Keys, nil
}

// WriteAll implements table.Table.
func (t *Table) WriteAll(ctx context.Context, writes ...table.Write) error {
	if err := layout.CheckWriteAll(writes); err != nil {
		return err
	}
	return layout.InBatches(ctx, writes, layout.WriteBatch,
		func(ctx context.Context, writes []table.Write) error {
			rest := make([]types.WriteRequest, len(writes))
			for i, w := range writes {
				if w.Op == table.OpDelete {
					rest[i].DeleteRequest = &types.DeleteRequest{Key: marshalKey(w.Item.Key)}
				} else {
					rest[i].PutRequest = &types.PutRequest{Item: Marshal(created(w, t.now()))}
				}
			}
			return t.drain(ctx, func() (left int, err error) {
				rest, err = t.writeOnce(ctx, rest)
				return len(rest), err
			})
		})
}

// writeOnce makes one request of a WriteAll. It returns the writes that DynamoDB left out because of
// throttling.
func (t *Table) writeOnce(ctx context.Context, writes []types.WriteRequest) (left []types.WriteRequest,
	err error) {
	out, err := t.client.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{
		RequestItems:           map[string][]types.WriteRequest{t.name: writes},
		ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	})
	if err != nil {
		table.Count(ctx, 0, 0)
		return nil, failure(err)
	}
	table.Count(ctx, 0, sum(out.ConsumedCapacity))
	return out.UnprocessedItems[t.name], nil
}

// drain calls send until nothing is left. It pauses between calls, longer while nothing is done, and returns
// ErrBusy after too many of these.
func (t *Table) drain(ctx context.Context, send func() (left int, err error)) error {
	before, idle := -1, 0
	for {
		left, err := send()
		if err != nil || left == 0 {
			return err
		}
		if left == before {
			idle++
		} else {
			idle = 0
		}
		if idle == attempts {
			return table.ErrBusy
		}
		before = left
		if err := pause(ctx, idle); err != nil {
			return err
		}
	}
}

// sum returns the capacity units that a response reports by table.
func sum(consumed []types.ConsumedCapacity) float64 {
	total := 0.0
	for i := range consumed {
		total += units(&consumed[i])
	}
	return total
}
