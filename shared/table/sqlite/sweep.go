package sqlite

import (
	"context"
	"database/sql"
	"time"

	"frontdesk/shared/table"
)

// How often the table is swept, and how many items go in one transaction.
const (
	sweepInterval = time.Minute
	sweepBatch    = 500
)

// sweepAlways sweeps until the table is closed.
func (t *Table) sweepAlways() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	ticker := time.NewTicker(sweepInterval)
	defer ticker.Stop()
	for {
		// What fails now is done at the next turn.
		_ = t.Sweep(ctx)
		select {
		case <-t.stop:
			return
		case <-ticker.C:
		}
	}
}

// Sweep clears away what has expired. It happens by itself every minute.
func (t *Table) Sweep(ctx context.Context) error {
	for {
		gone, err := do(ctx, t, t.sweepItems)
		if err != nil || gone < sweepBatch {
			return err
		}
	}
}

// sweepItems removes some of the items that have expired and returns how many.
func (t *Table) sweepItems() (int, error) {
	rows, err := t.writer.QueryContext(context.Background(),
		"SELECT "+columns+", pk, sk FROM items WHERE expires <= ? LIMIT ?", t.now().Unix(), sweepBatch)
	if err != nil {
		return 0, failure(err)
	}
	expired, err := scanItems(rows)
	if err != nil {
		return 0, err
	}
	for i := range expired {
		if err := t.replace(expired[i].Key, &expired[i], nil); err != nil {
			return 0, err
		}
	}
	return len(expired), nil
}

// scanItems returns the items of rows that end with their keys, and closes the rows.
func scanItems(rows *sql.Rows) ([]table.Item, error) {
	defer rows.Close()
	var items []table.Item
	for rows.Next() {
		var r row
		var key table.Key
		if err := rows.Scan(append(r.targets(), &key.PK, &key.SK)...); err != nil {
			return nil, failure(err)
		}
		item, err := r.item(key)
		if err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	if err := rows.Err(); err != nil {
		return nil, failure(err)
	}
	return items, nil
}
