package delivery

import (
	"context"
	"errors"
	"slices"

	"frontdesk/shared/fault"
	"frontdesk/shared/resource"
	"frontdesk/shared/table"
)

// countShards is the number of items that share the count of a day, so that concurrent writers seldom
// conflict.
const countShards = 8

// number is the name of the number in those items.
const number = "deliveries"

// mostAtOnce is the limit of deliveries that one transaction stores. Each may need its own count, and even
// with the longest bodies they stay below the size limit.
const mostAtOnce = table.MaxTransact / 2

// Create stores new deliveries to any receivers, fifty in a transaction. Deliveries that exist are skipped,
// since an event may be read twice.
func Create(ctx context.Context, t table.Table, deliveries []Delivery) error {
	for some := range slices.Chunk(deliveries, mostAtOnce) {
		if err := create(ctx, t, some); err != nil {
			return err
		}
	}
	return nil
}

// create stores deliveries and their counts in one transaction. It retries without those that exist.
func create(ctx context.Context, t table.Table, deliveries []Delivery) error {
	for len(deliveries) > 0 {
		writes, err := CreateWrites(deliveries...)
		if err != nil {
			return err
		}
		err = t.Transact(ctx, writes...)
		var known *table.ConditionError
		if !errors.As(err, &known) {
			return err
		}
		var left []Delivery
		for i, d := range deliveries {
			if !known.Condition(i) {
				left = append(left, d)
			}
		}
		if len(left) == len(deliveries) {
			return err
		}
		deliveries = left
	}
	return nil
}

// CreateWrites returns the writes that store new deliveries and count them by receiver and day, for a
// transaction of the caller. The first ones are those of the deliveries, in order; their conditions fail if
// the delivery exists.
func CreateWrites(deliveries ...Delivery) ([]table.Write, error) {
	var writes, counts []table.Write
	places := map[table.Key]int{} // index in counts
	for _, d := range deliveries {
		item, err := d.Item()
		if err != nil {
			return nil, err
		}
		writes = append(writes, table.PutIfAbsent(item))
		// All deliveries to one receiver use the shard of the first, so that they need one count.
		day := CountKey(d.AccountID, d.AgentID, d.name(), d.CreatedAt, int(deliveries[0].ID%countShards))
		place, ok := places[day]
		if !ok {
			place = len(counts)
			places[day] = place
			count := table.Add(day, number, 0)
			count.Item.Expires = d.expires()
			counts = append(counts, count)
		}
		counts[place].Add[number]++
	}
	return append(writes, counts...), nil
}

// ErrNotFound reports that no such delivery to the receiver is stored. It is the API's not_found error.
var ErrNotFound error = fault.NotFound()

// Load reads a delivery in one round trip. It does not check that the receiver exists.
func Load(ctx context.Context, t table.Table, r Receiver, id int64) (Delivery, error) {
	item, err := t.Get(ctx, r.Key(id))
	if errors.Is(err, table.ErrNotFound) {
		return Delivery{}, ErrNotFound
	}
	if err != nil {
		return Delivery{}, err
	}
	return Read(item)
}

// Query returns the query for the deliveries to a receiver, newest first.
func Query(r Receiver) table.Query {
	return table.Query{PK: r.Partition(), Prefix: KeyPrefix, Descending: true}
}

// Count returns the number of stored deliveries to a receiver.
func Count(ctx context.Context, t table.Table, r Receiver) (int64, error) {
	page, err := t.Query(ctx, table.Query{PK: r.Partition(), Prefix: counts})
	var sum int64
	for _, item := range page.Items {
		sum += item.Numbers[number]
	}
	return sum, err
}

// Purge deletes all deliveries to the receiver with their counts and, for an action, the records of its
// runs.
func (r Receiver) Purge(ctx context.Context, t table.Table) error {
	return resource.DeletePartition(ctx, t, r.Partition(), "")
}
