package sqlite

import (
	"context"
	"fmt"

	"frontdesk/shared/table"
	"frontdesk/shared/table/internal/layout"
)

// Transact implements table.Table.
func (t *Table) Transact(ctx context.Context, writes ...table.Write) error {
	if len(writes) == 0 {
		return nil
	}
	writes, ended := table.Accompanied(ctx, writes)
	if err := layout.CheckTransact(writes); err != nil {
		ended(err)
		return err
	}
	done, err := do(ctx, t, func() (cost, error) { return t.transact(writes) })
	ended(err)
	if done.twice {
		table.Count(ctx, 0, 0)
	}
	table.Count(ctx, 0, layout.WriteUnits(done.uses))
	table.Observe(ctx, done.uses...)
	return err
}

// A cost is what a transaction would cost in DynamoDB.
type cost struct {
	uses  []table.Use
	twice bool // it would need a second request
}

// transact carries out the writes. It checks all conditions before it writes: a job must not fail after
// writing.
func (t *Table) transact(writes []table.Write) (cost, error) {
	now := t.now()
	var c cost
	olds, news := make([]*table.Item, len(writes)), make([]*table.Item, len(writes))
	var failed []int
	for i, w := range writes {
		var err error
		if olds[i], err = t.lookUp(w.Item.Key); err != nil {
			return cost{}, err
		}
		var holds bool
		if news[i], holds = outcome(w, olds[i], now); !holds {
			failed = append(failed, i)
		}
		c.twice = c.twice || layout.Misfits(w, olds[i], now)
	}
	if failed != nil {
		return cost{}, &table.ConditionError{Writes: failed}
	}
	for i, w := range writes {
		if news[i] != nil && layout.Size(*news[i]) > table.MaxItemSize {
			return cost{}, fmt.Errorf("%w: %v", table.ErrTooLarge, w.Item.Key)
		}
	}
	for i, w := range writes {
		c.uses = append(c.uses, layout.Writes(w.Item.Key, olds[i], news[i], 2)...)
		if w.Op == table.OpCheck {
			continue
		}
		if err := t.replace(w.Item.Key, olds[i], news[i]); err != nil {
			return cost{}, err
		}
	}
	return c, nil
}

// WriteAll implements table.Table.
func (t *Table) WriteAll(ctx context.Context, writes ...table.Write) error {
	if err := layout.CheckWriteAll(writes); err != nil {
		return err
	}
	return layout.InBatches(ctx, writes, layout.WriteBatch,
		func(ctx context.Context, writes []table.Write) error {
			uses, err := do(ctx, t, func() ([]table.Use, error) { return t.writeBatch(writes) })
			table.Count(ctx, 0, layout.WriteUnits(uses))
			table.Observe(ctx, uses...)
			return err
		})
}

// writeBatch carries out the writes of one request and returns their cost.
func (t *Table) writeBatch(writes []table.Write) ([]table.Use, error) {
	now := t.now()
	var uses []table.Use
	for _, w := range writes {
		old, err := t.lookUp(w.Item.Key)
		if err != nil {
			return nil, err
		}
		new, _ := outcome(w, old, now)
		if err := t.replace(w.Item.Key, old, new); err != nil {
			return nil, err
		}
		uses = append(uses, layout.Writes(w.Item.Key, old, new, 1)...)
	}
	return uses, nil
}

// Update implements table.Table.
func (t *Table) Update(ctx context.Context, u table.Update) (table.Item, error) {
	if err := layout.CheckUpdate(u); err != nil {
		return table.Item{}, err
	}
	if !layout.Possible(u.Key) {
		return table.Item{}, table.ErrNotFound
	}
	done, err := do(ctx, t, func() (updated, error) { return t.update(u) })
	table.Count(ctx, 0, layout.WriteUnits(done.uses))
	table.Observe(ctx, done.uses...)
	if err == nil && done.outOfBounds {
		err = &table.ConditionError{}
	}
	return done.item, err
}

// updated is the result of an Update and its cost.
type updated struct {
	item        table.Item
	uses        []table.Use
	outOfBounds bool // a bound did not hold, and nothing changed
}

// update carries out an update.
func (t *Table) update(u table.Update) (updated, error) {
	old, err := t.lookUp(u.Key)
	if err != nil {
		return updated{}, err
	}
	if old == nil || layout.Expired(*old, t.now()) {
		return updated{}, table.ErrNotFound
	}
	item := *old
	item.Numbers = layout.Added(old.Numbers, u.Add)
	if !layout.WithinBounds(table.Write{AtMost: u.AtMost}, item.Numbers) {
		return updated{item: *old, outOfBounds: true}, nil
	}
	for _, name := range u.Remove {
		delete(item.Numbers, name)
	}
	if layout.Size(item) > table.MaxItemSize {
		return updated{}, fmt.Errorf("%w: %v", table.ErrTooLarge, u.Key)
	}
	if err := t.replace(u.Key, old, &item); err != nil {
		return updated{}, err
	}
	if len(item.Numbers) == 0 {
		item.Numbers = nil
	}
	return updated{item: item, uses: layout.Writes(u.Key, old, &item, 1)}, nil
}

// lookUp returns what is stored under the key, expired or not. Only jobs of the writer call it.
func (t *Table) lookUp(key table.Key) (*table.Item, error) {
	return find(context.Background(), t.stmts.getToWrite, key)
}

// replace stores new in place of old and adds the change to the feed. nil means no item.
func (t *Table) replace(key table.Key, old, new *table.Item) error {
	var err error
	switch {
	case new != nil:
		var args []any
		if args, err = values(*new); err != nil {
			return err
		}
		_, err = t.stmts.put.Exec(append(args, key.PK, key.SK)...)
	case old != nil:
		_, err = t.stmts.delete.Exec(key.PK, key.SK)
	}
	if err != nil {
		return failure(err)
	}
	return t.addChange(old, new)
}
