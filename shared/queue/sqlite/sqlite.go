// Package sqlite implements queues in a SQLite file on one machine. Several processes may share a file.
// Messages are durable when Send returns.
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

// schema creates the tables of a new file. AUTOINCREMENT makes sure that ids are never reused. Times are Unix
// milliseconds.
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

// A File contains any number of queues. It is safe for concurrent use.
type File struct {
	db    *sql.DB
	now   func() time.Time
	stmts statements

	mu       sync.Mutex
	arrivals map[string]chan struct{} // by queue name; see arrival
	loads    map[string]*load         // by queue name
}

// statements are prepared once. The file has one connection, so its transactions can use them too.
type statements struct {
	insert, first, bury, hide, hideGroups, groups, remove, release *sql.Stmt
}

// prepare prepares the statements.
func (f *File) prepare() error {
	const returning = " RETURNING id, grp, body, sent, receives"
	// "LIMIT +?" avoids that SQLite prepares a statement again for each value of a bare LIMIT parameter.
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
		// Each step finds the next group in the index, however many messages a group has.
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

// Open opens the file at path, and creates it if it does not exist. The directory must exist. Delays and
// visibility are measured by now.
func Open(path string, now func() time.Time) (*File, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("queue: %w", err)
	}
	name := url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: url.Values{
		// Wait up to 10 s for writers of other processes.
		"_pragma": {"busy_timeout(10000)", "journal_mode(WAL)"}, // write sets synchronous
		"_txlock": {"immediate"},
	}.Encode()}
	db, err := sql.Open("sqlite", name.String())
	if err != nil {
		return nil, fmt.Errorf("queue: open %s: %w", path, err)
	}
	// SQLite allows one writer at a time, and nearly all uses of a queue write: one connection serves them in
	// order.
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

// Close closes the file. Its queues return errors afterwards.
func (f *File) Close() error {
	// A connection with open statements would stay open and leave its write-ahead log behind.
	s := f.stmts
	for _, stmt := range []*sql.Stmt{s.insert, s.first, s.bury, s.hide, s.hideGroups, s.groups, s.remove,
		s.release} {
		stmt.Close()
	}
	return f.db.Close()
}

// arrival returns a channel that the next notify of the queue closes.
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

// notify wakes all receivers of the queue in this process.
func (f *File) notify(queue string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if c, ok := f.arrivals[queue]; ok {
		close(c)
		delete(f.arrivals, queue)
	}
}

// A durability says what a transaction survives. Both survive a crash of the process.
type durability string

const (
	// untilPowerFails is enough for messages that are received or deleted: if the power fails, they are
	// received again.
	untilPowerFails durability = "NORMAL"
	// always waits for the disk. New messages need it, since their sender may record elsewhere that it sent
	// them.
	always durability = "FULL"
)

// write runs fn in a transaction. It checks ctx only before: with a cancellable context the driver starts a
// goroutine for each statement.
func (f *File) write(ctx context.Context, d durability, fn func(*sql.Tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	ctx = context.WithoutCancel(ctx)
	conn, err := f.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, "PRAGMA synchronous = "+string(d)); err != nil {
		return err
	}
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // no-op after Commit
	if err := fn(tx); err != nil {
		return err
	}
	return tx.Commit()
}
