package sqlite

import (
	"context"
	"database/sql"
	"time"

	"frontdesk/shared/table"
)

// The interval of sweeps, and the limit of items removed in one transaction.
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
		// An error is ignored: the next sweep tries again.
		_ = t.Sweep(ctx)
		select {
		case <-t.stop:
			return
		case <-ticker.C:
		}
	}
}

// Sweep removes expired items. The table calls it every minute.
func (t *Table) Sweep(ctx context.Context) error {
	for {
		gone, err := do(ctx, t, t.sweepItems)
		if err != nil || gone < sweepBatch {
			return err
		}
	}
}

// sweepItems removes up to sweepBatch expired items and returns their number.
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

// scanItems reads rows that end with the key, and closes them.
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
