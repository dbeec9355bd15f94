// Package sqlite keeps queues in a SQLite file, for one machine. Several processes may use one file. What was
// sent when Send returned is there after a crash.
package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"path/filepath"
	"sync"
	"time"

	_ "modernc.org/sqlite" // the driver
)

// schema is what a new file gets. A message's id is never given out again, since AUTOINCREMENT remembers the
// greatest. The times are milliseconds since 1970.
const schema = `
CREATE TABLE IF NOT EXISTS message (
	id       INTEGER PRIMARY KEY AUTOINCREMENT,
	queue    TEXT    NOT NULL,
	body     TEXT    NOT NULL,
	sent     INTEGER NOT NULL,
	visible  INTEGER NOT NULL, -- not received before
	receives INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX IF NOT EXISTS message_visible ON message (queue, visible);`

// A File holds any number of queues.
type File struct {
	db  *sql.DB
	now func() time.Time

	mu       sync.Mutex
	arrivals map[string]chan struct{} // by the queue's name; see arrival
}

// Open opens the file at a path, and makes it when there is none. The folder must exist. Delays and
// visibility are measured by now.
func Open(path string, now func() time.Time) (*File, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("queue: %w", err)
	}
	name := url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: url.Values{
		// Writers of other processes are waited for.
		"_pragma": {"busy_timeout(10000)", "journal_mode(WAL)", "synchronous(FULL)"},
		"_txlock": {"immediate"},
	}.Encode()}
	db, err := sql.Open("sqlite", name.String())
	if err != nil {
		return nil, fmt.Errorf("queue: open %s: %w", path, err)
	}
	// SQLite has one writer at a time, and nearly every use of a queue writes: one connection queues them up
	// fairly.
	db.SetMaxOpenConns(1)
	if _, err := db.Exec(schema); err != nil {
		db.Close()
		return nil, fmt.Errorf("queue: open %s: %w", path, err)
	}
	return &File{db: db, now: now, arrivals: map[string]chan struct{}{}}, nil
}

// Close closes the file. Its queues give errors afterwards.
func (f *File) Close() error { return f.db.Close() }

// arrival returns a channel that closes at the next notify of the queue.
func (f *File) arrival(queue string) <-chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	c, ok := f.arrivals[queue]
	if !ok {
		c = make(chan struct{})
		f.arrivals[queue] = c
	}
	return c
}

// notify wakes all who wait at the queue, in this process.
func (f *File) notify(queue string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if c, ok := f.arrivals[queue]; ok {
		close(c)
		delete(f.arrivals, queue)
	}
}

// write runs fn in a transaction.
func (f *File) write(ctx context.Context, fn func(*sql.Tx) error) error {
	tx, err := f.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // does nothing after Commit
	if err := fn(tx); err != nil {
		return err
	}
	return tx.Commit()
}
