package tabletest

import (
	"context"
	"testing"
	"time"

	"frontdesk/shared/table"
)

// A counting table tells of a version the number of puts, so that tests can say which they expect. A write
// that names the number means the version with it of the item that is there.
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
		// Outside of ctx, so that a test's Meter and its cancellation have nothing to do with it.
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

// testVersionsAreUnique makes items anew under one key, in each way there is, at one moment and after the
// clock was set back. Who has read one of them cannot put, check or delete another.
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
