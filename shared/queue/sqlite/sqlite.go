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
CREATE TABLE IF NOT EXISTS messages (
	id       INTEGER PRIMARY KEY AUTOINCREMENT,
	queue    TEXT    NOT NULL,
	grp      TEXT    NOT NULL, -- the group, "" for none
	body     TEXT    NOT NULL,
	sent     INTEGER NOT NULL,
	visible  INTEGER NOT NULL, -- not received before
	receives INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX IF NOT EXISTS messages_visible ON messages (queue, visible);
CREATE INDEX IF NOT EXISTS messages_grouped ON messages (queue, grp, visible);`

// A File holds any number of queues.
type File struct {
	db    *sql.DB
	now   func() time.Time
	stmts statements

	mu       sync.Mutex
	arrivals map[string]chan struct{} // by the queue's name; see arrival
	loads    map[string]*load         // by the queue's name
}

// statements are parsed once. The file has one connection, so they are at hand in its transactions too.
type statements struct {
	insert, first, bury, hide, hideGroups, groups, remove, release *sql.Stmt
}

// prepare parses the statements.
func (f *File) prepare() error {
	const returning = " RETURNING id, grp, body, sent, receives"
	// SQLite would parse a statement again each time that it is given a number for a LIMIT without the sign.
	for stmt, text := range map[**sql.Stmt]string{
		&f.stmts.insert: "INSERT INTO messages (queue, grp, body, sent, visible) VALUES (?, ?, ?, ?, ?)",
		&f.stmts.first:  "SELECT visible FROM messages WHERE queue = ? ORDER BY visible LIMIT 1",
		&f.stmts.bury: `UPDATE messages SET queue = ? WHERE receives >= ? AND id IN
			(SELECT id FROM messages WHERE queue = ? AND visible <= ? ORDER BY visible, id LIMIT +?)`,
		&f.stmts.hide: `UPDATE messages SET visible = ?, receives = receives + 1 WHERE id IN
			(SELECT id FROM messages WHERE queue = ? AND visible <= ? ORDER BY visible, id LIMIT +?)` + returning,
		&f.stmts.hideGroups: `UPDATE messages SET visible = ?, receives = receives + 1 WHERE id IN
			(SELECT id FROM messages WHERE queue = ? AND grp IN (SELECT value FROM json_each(?)) AND visible <= ?
			ORDER BY visible, id LIMIT +?)` + returning,
		// Each step looks up the next group in the index, however many messages there are of one.
		&f.stmts.groups: `WITH RECURSIVE each (grp) AS (
				SELECT min(grp) FROM messages WHERE queue = ?1
				UNION ALL
				SELECT (SELECT min(grp) FROM messages WHERE queue = ?1 AND grp > each.grp) FROM each WHERE each.grp IS NOT NULL)
			SELECT grp FROM each WHERE grp IS NOT NULL
				AND (SELECT min(visible) FROM messages WHERE queue = ?1 AND grp = each.grp) <= ?2`,
		&f.stmts.remove: "DELETE FROM messages WHERE id = ? AND receives = ? AND queue = ?",
		&f.stmts.release: `UPDATE messages SET visible = ?
			WHERE id = ? AND receives = ? AND queue = ? AND visible > ?`,
	} {
		var err error
		if *stmt, err = f.db.Prepare(text); err != nil {
			return err
		}
	}
	return nil
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
	f := &File{db: db, now: now, arrivals: map[string]chan struct{}{}, loads: map[string]*load{}}
	if _, err = db.Exec(schema); err == nil {
		err = f.prepare()
	}
	if err != nil {
		db.Close()
		return nil, fmt.Errorf("queue: open %s: %w", path, err)
	}
	return f, nil
}

// Close closes the file. Its queues give errors afterwards.
func (f *File) Close() error {
	// A connection with open statements would not end, and leave its log behind.
	s := f.stmts
	for _, stmt := range []*sql.Stmt{s.insert, s.first, s.bury, s.hide, s.hideGroups, s.groups, s.remove,
		s.release} {
		stmt.Close()
	}
	return f.db.Close()
}

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

// write runs fn in a transaction. It looks at ctx before and not any more afterwards: a context that may end
// costs the driver a goroutine for each statement.
func (f *File) write(ctx context.Context, fn func(*sql.Tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	tx, err := f.db.BeginTx(context.WithoutCancel(ctx), nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // does nothing after Commit
	if err := fn(tx); err != nil {
		return err
	}
	return tx.Commit()
}
