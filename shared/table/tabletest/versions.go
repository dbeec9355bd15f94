package tabletest

import (
	"context"
	"testing"
	"time"

	"frontdesk/shared/table"
)

// A counting table reports the number of puts as version, so that tests can predict it. A write with such a
// number stands for the version of the stored item with that number of puts.
type counting struct{ table.Table }

func counted(item table.Item) table.Item {
	item.Version = table.Puts(item.Version)
	return item
}

func (c counting) Get(ctx context.Context, key table.Key) (table.Item, error) {
	item, err := c.Table.Get(ctx, key)
	return counted(item), err
}

func (c counting) BatchGet(ctx context.Context, keys ...table.Key) (map[table.Key]table.Item, error) {
	items, err := c.Table.BatchGet(ctx, keys...)
	for key, item := range items {
		items[key] = counted(item)
	}
	return items, err
}

func (c counting) BatchGetStale(ctx context.Context, keys ...table.Key) (map[table.Key]table.Item, error) {
	items, err := c.Table.BatchGetStale(ctx, keys...)
	for key, item := range items {
		items[key] = counted(item)
	}
	return items, err
}

func (c counting) Query(ctx context.Context, q table.Query) (table.Page, error) {
	page, err := c.Table.Query(ctx, q)
	for i, item := range page.Items {
		page.Items[i] = counted(item)
	}
	return page, err
}

func (c counting) Update(ctx context.Context, u table.Update) (table.Item, error) {
	item, err := c.Table.Update(ctx, u)
	return counted(item), err
}

func (c counting) Transact(ctx context.Context, writes ...table.Write) error {
	writes = append([]table.Write{}, writes...)
	for i, w := range writes {
		if w.If != table.IfVersion {
			continue
		}
		// This does not use ctx, so that the test's Meter and cancellation do not affect it.
		if item, err := c.Table.Get(context.Background(), w.Item.Key); err == nil {
			writes[i].Item.Version += item.Version - table.Puts(item.Version)
		}
	}
	return c.Table.Transact(ctx, writes...)
}

// A countingFeed is a feed of a counting table.
type countingFeed struct{ table.Feed }

func (c countingFeed) Changes(ctx context.Context, after string, limit int) ([]table.Change, error) {
	changes, err := c.Feed.Changes(ctx, after, limit)
	for i, change := range changes {
		for place, item := range map[**table.Item]*table.Item{&changes[i].Old: change.Old,
			&changes[i].New: change.New} {
			if item != nil {
				copied := counted(*item)
				*place = &copied
			}
		}
	}
	return changes, err
}

// testVersionsAreUnique creates items repeatedly under one key in all possible ways, at the same time and
// after the clock was set back. A version that was read must not permit putting, checking or deleting
// another item.
func testVersionsAreUnique(t *testing.T, f *fixture) {
	x := table.Item{Key: key("x"), Doc: doc(1)}
	expiring := x
	seen := map[int64]string{}
	for range 5 {
		expiring.Expires = f.clock.Now().Add(2 * time.Hour)
		for name, write := range map[string]table.Write{
			"Put": table.Put(x), "PutIfAbsent": table.PutIfAbsent(x), "Add": table.Add(x.Key, "n", 1),
			"Put with numbers": table.Put(table.Item{Key: x.Key, Numbers: map[string]int64{"n": 1}}),
			"expiring":         table.Put(expiring),
		} {
			stale, err := f.raw.Get(t.Context(), x.Key)
			there := err == nil
			f.transact(t, table.Delete(x.Key))
			f.transact(t, write)
			f.transact(t, table.Put(x))
			made, err := f.raw.Get(t.Context(), x.Key)
			if err != nil {
				t.Fatal(err)
			}
			if before, ok := seen[made.Version]; ok {
				t.Errorf("%s has the version of an earlier %s", name, before)
			}
			seen[made.Version] = name
			if !there {
				continue
			}
			for _, w := range []table.Write{
				table.PutIfVersion(stale), table.DeleteIfVersion(x.Key, stale.Version),
				table.CheckVersion(x.Key, stale.Version),
			} {
				if err := f.raw.Transact(t.Context(), w); !table.ConditionErrorAt(err, 0) {
					t.Errorf("after %s the version read before is still good: %v", name, err)
				}
			}
		}
		f.clock.advance(-time.Hour)
	}
}
