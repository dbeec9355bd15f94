// Package sqlite implements table.Table in a SQLite file, for one machine. Several processes may share a
// file. Acknowledged writes survive a crash of the process.
package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"frontdesk/shared/table"
	"frontdesk/shared/table/internal/layout"
)

// Table implements table.Table and table.Feed in one file. The Meter gets what a call would cost in DynamoDB.
// Expired items are removed every minute.
type Table struct {
	now     func() time.Time
	file    *sql.DB
	writer  *sql.Conn // used only by the goroutine of write
	watcher *sql.Conn // used only by the goroutine of watch
	stmts   statements

	carries  func(table.Change) bool // selects the changes for the feed; nil for all
	feedGrew bool                    // the current transaction added to the feed; used by the writer

	jobs       chan job
	changed    chan struct{}
	stop       chan struct{}
	background sync.WaitGroup
}

var (
	_ table.Table = (*Table)(nil)
	_ table.Feed  = (*Table)(nil)
)

// Get implements table.Table.
func (t *Table) Get(ctx context.Context, key table.Key) (table.Item, error) {
	if !layout.Possible(key) {
		return table.Item{}, table.ErrNotFound
	}
	item, size, err := t.read(ctx, key)
	if err != nil {
		return table.Item{}, err
	}
	units := layout.ReadUnits(size, false)
	table.Count(ctx, units, 0)
	table.Observe(ctx, table.Use{Key: key, ReadUnits: units})
	if item == nil {
		return table.Item{}, table.ErrNotFound
	}
	return *item, nil
}

// BatchGet implements table.Table.
func (t *Table) BatchGet(ctx context.Context, keys ...table.Key) (map[table.Key]table.Item, error) {
	return t.batchGet(ctx, keys, false)
}

// BatchGetStale implements table.Table. It is always consistent here, and counts the units of DynamoDB.
func (t *Table) BatchGetStale(ctx context.Context, keys ...table.Key) (map[table.Key]table.Item, error) {
	return t.batchGet(ctx, keys, true)
}

func (t *Table) batchGet(
	ctx context.Context, keys []table.Key, stale bool,
) (map[table.Key]table.Item, error) {
	var mu sync.Mutex
	found := make(map[table.Key]table.Item, len(keys))
	err := layout.InBatches(ctx, layout.Distinct(keys), layout.ReadBatch,
		func(ctx context.Context, keys []table.Key) error {
			units := 0.0
			for _, key := range keys {
				item, size, err := t.read(ctx, key)
				if err != nil {
					return err
				}
				taken := layout.ReadUnits(size, stale)
				units += taken
				table.Observe(ctx, table.Use{Key: key, ReadUnits: taken})
				if item != nil {
					mu.Lock()
					found[key] = *item
					mu.Unlock()
				}
			}
			table.Count(ctx, units, 0)
			return nil
		})
	if err != nil {
		return nil, err
	}
	return found, nil
}

// read returns the unexpired item under the key, or nil, and the bytes of what is stored, expired or not.
func (t *Table) read(ctx context.Context, key table.Key) (item *table.Item, size int, err error) {
	item, err = find(ctx, t.stmts.get, key)
	if err != nil || item == nil {
		return nil, 0, err
	}
	size = layout.Size(*item)
	if layout.Expired(*item, t.now()) {
		return nil, size, nil
	}
	return item, size, nil
}

// find returns what is stored under the key, expired or not, or nil. It checks ctx only before the read: with
// a cancellable context the driver starts a goroutine for each statement.
func find(ctx context.Context, get *sql.Stmt, key table.Key) (*table.Item, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var r row
	err := get.QueryRowContext(context.WithoutCancel(ctx), key.PK, key.SK).Scan(r.targets()...)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, failure(err)
	}
	item, err := r.item(key)
	if err != nil {
		return nil, err
	}
	return &item, nil
}

// Query implements table.Table.
func (t *Table) Query(ctx context.Context, q table.Query) (table.Page, error) {
	return layout.Collect(ctx, q, t.now(), t.queryOnce)
}

// queryOnce reads as much as one request of DynamoDB would.
func (t *Table) queryOnce(ctx context.Context, q table.Query) ([]table.Item, bool, error) {
	args, err := queryArgs(q)
	if err != nil {
		return nil, false, err
	}
	if err := ctx.Err(); err != nil {
		return nil, false, err
	}
	// As in find. It reads a megabyte at most.
	rows, err := t.stmts.query[variant(q)].QueryContext(context.WithoutCancel(ctx), args...)
	if err != nil {
		return nil, false, failure(err)
	}
	defer rows.Close()
	var items []table.Item
	size, more := 0, false
	for !more && rows.Next() {
		var r row
		var key table.Key
		if err := rows.Scan(append(r.targets(), &key.PK, &key.SK)...); err != nil {
			return nil, false, failure(err)
		}
		item, err := r.item(key)
		if err != nil {
			return nil, false, err
		}
		items = append(items, item)
		size += layout.SizeIn(q.Index, item)
		more = size >= layout.PageSize || len(items) == q.Limit
	}
	if err := rows.Err(); err != nil {
		return nil, false, failure(err)
	}
	units := layout.ReadUnits(size, q.Stale || q.Index != table.Primary)
	table.Count(ctx, units, 0)
	place := table.Key{PK: q.PK, SK: cmp.Or(string(q.Prefix), q.From)}
	table.Observe(ctx, table.Use{Index: q.Index, Key: place, ReadUnits: units})
	return items, more, nil
}

// failure converts an error of SQLite: ErrBusy if another process held the lock, ErrUnavailable if the disk
// is full or fails.
func failure(err error) error {
	var e *sqlite.Error
	if errors.As(err, &e) {
		switch e.Code() & 0xff { // without the extended code
		case sqlite3.SQLITE_BUSY:
			return fmt.Errorf("%w: %w", table.ErrBusy, err)
		case sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR:
			return fmt.Errorf("%w: %w", table.ErrUnavailable, err)
		}
	}
	return fmt.Errorf("table: %w", err)
}
