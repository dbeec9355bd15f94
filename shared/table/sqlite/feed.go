package sqlite

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"frontdesk/shared/table"
)

// selectChanges reads the feed behind a position.
const selectChanges = `SELECT position, pk, sk,
	old_doc, old_blob, old_numbers, old_version, old_expires, old_g1pk, old_g1sk, old_g2pk, old_g2sk,
	old_g3pk, old_g3sk,
	new_doc, new_blob, new_numbers, new_version, new_expires, new_g1pk, new_g1sk, new_g2pk, new_g2sk,
	new_g3pk, new_g3sk
	FROM changes WHERE position > ? ORDER BY position LIMIT ?`

// Changes implements table.Feed. The order is that of all writes, not only of those of a key.
func (t *Table) Changes(ctx context.Context, after string, limit int) ([]table.Change, error) {
	place := int64(0)
	if after != "" {
		var err error
		if place, err = strconv.ParseInt(after, 10, 64); err != nil {
			return nil, fmt.Errorf("table: %q is no position of the feed", after)
		}
	}
	rows, err := t.stmts.changes.QueryContext(ctx, place, limit)
	if err != nil {
		return nil, failure(err)
	}
	defer rows.Close()
	var changes []table.Change
	for rows.Next() {
		var position int64
		var key table.Key
		var old, new row
		targets := append([]any{&position, &key.PK, &key.SK}, old.targets()...)
		if err := rows.Scan(append(targets, new.targets()...)...); err != nil {
			return nil, failure(err)
		}
		change := table.Change{Position: strconv.FormatInt(position, 10)}
		if change.Old, err = old.itemOrNil(key); err != nil {
			return nil, err
		}
		if change.New, err = new.itemOrNil(key); err != nil {
			return nil, err
		}
		changes = append(changes, change)
	}
	if err := rows.Err(); err != nil {
		return nil, failure(err)
	}
	return changes, nil
}

// itemOrNil returns the item of the row, nil when it is all NULL.
func (r *row) itemOrNil(key table.Key) (*table.Item, error) {
	if !r.version.Valid {
		return nil, nil
	}
	item, err := r.item(key)
	return &item, err
}

// Changed receives a value soon after the table was changed, by whatever process. It has one receiver, who then reads
// all Changes that there are; the channel holds one value, so none is missed in the meantime. It may receive more often
// than the table changes.
func (t *Table) Changed() <-chan struct{} { return t.changed }

// notify lets the receiver of Changed know.
func (t *Table) notify() {
	select {
	case t.changed <- struct{}{}:
	default:
	}
}

// watchInterval is how long a change by another process may go unnoticed.
const watchInterval = 100 * time.Millisecond

// watch notifies of the changes by other processes.
func (t *Table) watch() {
	ticker := time.NewTicker(watchInterval)
	defer ticker.Stop()
	before := int64(0)
	for {
		select {
		case <-t.stop:
			return
		case <-ticker.C:
		}
		// The version changes when another connection commits. An error is one for every call and is seen there.
		var version int64
		err := t.watcher.QueryRowContext(context.Background(), "PRAGMA data_version").Scan(&version)
		if err == nil && version != before {
			before = version
			t.notify()
		}
	}
}
