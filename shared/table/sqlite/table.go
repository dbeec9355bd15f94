// Package sqlite is the Table in a file of SQLite, for one machine. Several processes may use one file. What
// was acknowledged is there after the process was killed.
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

// Table is a table.Table and a table.Feed in one file. The Meter is told what the call would cost in
// DynamoDB, in requests and in units.
//
// Every minute it clears away what has expired.
type Table struct {
	now     func() time.Time
	file    *sql.DB
	writer  *sql.Conn // used by the goroutine of write alone
	watcher *sql.Conn // used by the goroutine of watch alone
	stmts   statements

	carries  func(table.Change) bool // whether the feed carries a change; nil for all
	feedGrew bool                    // whether the transaction under way added to the feed; the writer's

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

// BatchGetStale implements table.Table. Nothing is stale here; it counts the units that it takes in DynamoDB.
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

// read returns the item under the key, nil where there is none, and the bytes of what lies there, expired or
// not.
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

// find returns what lies under the key, expired or not, and nil where nothing does. It looks at ctx before it
// reads and not any more afterwards: a context that may end costs the driver a goroutine for each statement.
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

// queryOnce reads as much as one request of DynamoDB does.
func (t *Table) queryOnce(ctx context.Context, q table.Query) ([]table.Item, bool, error) {
	args, err := queryArgs(q)
	if err != nil {
		return nil, false, err
	}
	if err := ctx.Err(); err != nil {
		return nil, false, err
	}
	// As in find: at most a megabyte is read.
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

// failure returns the error of package table for one of SQLite: ErrBusy when another process kept the file
// locked, ErrUnavailable when the disk is full or fails.
func failure(err error) error {
	var e *sqlite.Error
	if errors.As(err, &e) {
		switch e.Code() & 0xff { // without what more an extended code says
		case sqlite3.SQLITE_BUSY:
			return fmt.Errorf("%w: %w", table.ErrBusy, err)
		case sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR:
			return fmt.Errorf("%w: %w", table.ErrUnavailable, err)
		}
	}
	return fmt.Errorf("table: %w", err)
}
