package sqlite

import (
	"context"
	"time"
)

// How often the table is swept, how many items go in one transaction, and how long the feed keeps a change.
const (
	sweepInterval = time.Minute
	sweepBatch    = 500
	keepChanges   = 24 * time.Hour
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

// Sweep clears away what has expired and the changes that are older than a day. It happens by itself every minute.
func (t *Table) Sweep(ctx context.Context) error {
	for {
		gone, err := do(ctx, t, t.sweepItems)
		if err != nil {
			return err
		}
		if gone < sweepBatch {
			break
		}
	}
	_, err := do(ctx, t, t.sweepChanges)
	return err
}

// sweepItems removes some of the items that have expired and returns how many.
func (t *Table) sweepItems() (int64, error) {
	result, err := t.writer.ExecContext(context.Background(),
		"DELETE FROM items WHERE rowid IN (SELECT rowid FROM items WHERE expires <= ? LIMIT ?)", t.now().Unix(), sweepBatch)
	if err != nil {
		return 0, failure(err)
	}
	return result.RowsAffected()
}

// sweepChanges notes how far the feed is now, and removes the changes that were there a day ago.
func (t *Table) sweepChanges() (struct{}, error) {
	now := t.now()
	old := now.Add(-keepChanges).Unix()
	for _, s := range []struct {
		text string
		args []any
	}{
		{"INSERT INTO marks (at, position) SELECT ?, coalesce(max(position), 0) FROM changes", []any{now.Unix()}},
		{"DELETE FROM changes WHERE position <= (SELECT max(position) FROM marks WHERE at <= ?)", []any{old}},
		{"DELETE FROM marks WHERE at <= ?", []any{old}},
	} {
		if err := t.exec(s.text, s.args...); err != nil {
			return struct{}{}, err
		}
	}
	return struct{}{}, nil
}
