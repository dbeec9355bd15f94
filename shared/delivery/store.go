package delivery

import (
	"context"
	"errors"
	"slices"

	"frontdesk/shared/fault"
	"frontdesk/shared/resource"
	"frontdesk/shared/table"
)

// countShards is how many items share the count of a day, so that concurrent writers seldom conflict.
const countShards = 8

// number is the name of what those items count.
const number = "deliveries"

// mostAtOnce is how many deliveries one transaction stores: each may need a count of its own, and with the
// longest bodies they are a fraction of its size.
const mostAtOnce = table.MaxTransact / 2

// Create stores new deliveries, fifty in a transaction, whoever they are for. It leaves alone those that are
// there already, since an event may be read twice.
func Create(ctx context.Context, t table.Table, deliveries []Delivery) error {
	for some := range slices.Chunk(deliveries, mostAtOnce) {
		if err := create(ctx, t, some); err != nil {
			return err
		}
	}
	return nil
}

// create stores deliveries and counts them, in one transaction. One that is there already is left out of the
// next try.
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

// CreateWrites store new deliveries and count them by receiver and day, for a transaction of the caller. They
// begin with one for each delivery, which fails where that is there already.
func CreateWrites(deliveries ...Delivery) ([]table.Write, error) {
	var writes, counts []table.Write
	places := map[table.Key]int{} // in counts
	for _, d := range deliveries {
		item, err := d.Item()
		if err != nil {
			return nil, err
		}
		writes = append(writes, table.PutIfAbsent(item))
		// The shard is that of the first delivery, so that those of one receiver need one count.
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

// ErrNotFound says that no such delivery to the receiver is kept. It is the API's own not_found, so a handler
// may return it as it is.
var ErrNotFound error = fault.NotFound()

// Load reads a delivery, in one trip. It does not ask whether the receiver still exists.
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

// Query reads the deliveries to a receiver, the newest first.
func Query(r Receiver) table.Query {
	return table.Query{PK: r.Partition(), Prefix: KeyPrefix, Descending: true}
}

// Count is how many deliveries to a receiver are kept.
func Count(ctx context.Context, t table.Table, r Receiver) (int64, error) {
	page, err := t.Query(ctx, table.Query{PK: r.Partition(), Prefix: counts})
	var sum int64
	for _, item := range page.Items {
		sum += item.Numbers[number]
	}
	return sum, err
}

// Purge deletes all deliveries to the receiver and what is counted of them; of an action also how often it
// ran.
func (r Receiver) Purge(ctx context.Context, t table.Table) error {
	return resource.DeletePartition(ctx, t, r.Partition(), "")
}
