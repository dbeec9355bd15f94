package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"time"

	"frontdesk/shared/table"
)

// Changes implements table.Feed. The changes of all keys are in order.
func (t *Table) Changes(ctx context.Context, after string, limit int) ([]table.Change, error) {
	place, err := parsePosition(after)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	rows, err := t.stmts.changes.QueryContext(context.WithoutCancel(ctx), place, limit)
	if err != nil {
		return nil, failure(err)
	}
	defer rows.Close()
	var changes []table.Change
	for rows.Next() {
		var position int64
		var old, new []byte
		if err := rows.Scan(&position, &old, &new); err != nil {
			return nil, failure(err)
		}
		change := table.Change{Position: strconv.FormatInt(position, 10)}
		if change.Old, err = readImage(old); err != nil {
			return nil, err
		}
		if change.New, err = readImage(new); err != nil {
			return nil, err
		}
		changes = append(changes, change)
	}
	if err := rows.Err(); err != nil {
		return nil, failure(err)
	}
	return changes, nil
}

// parsePosition returns the number of a position, 0 for "".
func parsePosition(position string) (int64, error) {
	if position == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(position, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("table: %q is no position of the feed", position)
	}
	return n, nil
}

// addChange adds a change to the feed, unless nothing changed or the feed does not carry it. nil means no
// item.
func (t *Table) addChange(old, new *table.Item) error {
	if same(old, new) || t.carries != nil && !t.carries(table.Change{Old: old, New: new}) {
		return nil
	}
	images := make([]any, 2)
	for i, item := range []*table.Item{old, new} {
		if item == nil {
			continue
		}
		stored := *item
		stored.Expires = item.Expires.UTC().Truncate(time.Second)
		image, err := json.Marshal(stored)
		if err != nil {
			return fmt.Errorf("table: %w", err)
		}
		images[i] = string(image)
	}
	if _, err := t.stmts.addChange.Exec(images...); err != nil {
		return failure(err)
	}
	t.feedGrew = true
	return nil
}

// readImage returns the item of an image, or nil for none.
func readImage(image []byte) (*table.Item, error) {
	if image == nil {
		return nil, nil
	}
	item := new(table.Item)
	if err := json.Unmarshal(image, item); err != nil {
		return nil, fmt.Errorf("table: image in the feed: %w", err)
	}
	return item, nil
}

// same reports whether two items are equal as stored.
func same(a, b *table.Item) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Version == b.Version && a.Expires.Unix() == b.Expires.Unix() &&
		a.Index1 == b.Index1 && a.Index2 == b.Index2 && a.Index3 == b.Index3 && a.Index4 == b.Index4 &&
		bytes.Equal(a.Doc, b.Doc) && bytes.Equal(a.Blob, b.Blob) && maps.Equal(a.Numbers, b.Numbers)
}

// A Reader is one reader of the feed, with its stored position. It survives the process.
type Reader struct {
	table *Table
	name  string
}

// Readers returns the readers with these names, and removes all others. A change is kept until every reader
// has saved its position or a later one. A new reader begins with the oldest change that is kept.
func (t *Table) Readers(ctx context.Context, names ...string) ([]*Reader, error) {
	text, err := json.Marshal(names)
	if err != nil {
		return nil, fmt.Errorf("table: %w", err)
	}
	_, err = do(ctx, t, func() (struct{}, error) {
		err := t.exec("DELETE FROM readers WHERE name NOT IN (SELECT value FROM json_each(?))", string(text))
		if err == nil {
			err = t.exec("INSERT INTO readers SELECT value, 0 FROM json_each(?) WHERE true ON CONFLICT DO "+
				"NOTHING", string(text))
		}
		return struct{}{}, err
	})
	readers := make([]*Reader, len(names))
	for i, name := range names {
		readers[i] = &Reader{t, name}
	}
	return readers, err
}

// Load returns the position that was saved last, or "".
func (r *Reader) Load(ctx context.Context) (string, error) {
	var position int64
	err := r.table.file.QueryRowContext(ctx, "SELECT position FROM readers WHERE name = ?",
		r.name).Scan(&position)
	if errors.Is(err, sql.ErrNoRows) || err == nil && position == 0 {
		return "", nil
	}
	if err != nil {
		return "", failure(err)
	}
	return strconv.FormatInt(position, 10), nil
}

// Save stores the reader's position and removes the changes that no reader needs any more.
func (r *Reader) Save(ctx context.Context, position string) error {
	n, err := parsePosition(position)
	if err != nil {
		return err
	}
	_, err = do(ctx, r.table, func() (struct{}, error) {
		err := r.table.exec("INSERT INTO readers VALUES (?, ?) ON CONFLICT DO UPDATE SET position = "+
			"excluded.position", r.name, n)
		if err == nil {
			err = r.table.exec("DELETE FROM changes WHERE position <= (SELECT min(position) FROM readers)")
		}
		return struct{}{}, err
	})
	return err
}

// Changed returns a channel that receives a value after the feed has grown, by this or another process. Its
// single receiver then reads all Changes. The channel buffers one value, so no change is missed; there may be
// extra values.
func (t *Table) Changed() <-chan struct{} { return t.changed }

// notify wakes the receiver of Changed.
func (t *Table) notify() {
	select {
	case t.changed <- struct{}{}:
	default:
	}
}

// watchInterval is how long a change by another process may go unnoticed.
const watchInterval = 100 * time.Millisecond

// watch notifies of changes by other processes.
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
		// data_version changes when another connection commits. Errors are ignored: every call sees them as
		// well.
		var version int64
		err := t.watcher.QueryRowContext(context.Background(), "PRAGMA data_version").Scan(&version)
		if err == nil && version != before {
			before = version
			t.notify()
		}
	}
}
