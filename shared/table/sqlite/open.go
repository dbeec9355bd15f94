package sqlite

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"time"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"frontdesk/shared/table"
)

// schema creates the tables of a new file.
//
//go:embed schema.sql
var schema string

// schemaVersion is the user_version of the files that this program can open.
const schemaVersion = 4

// connections is the limit of connections: the writer's, the watcher's, and those of readers.
const connections = 10

// pragmas are the settings of every connection. With WAL and synchronous=NORMAL a commit survives a crash of
// the process, though perhaps not a power failure, and the file is never corrupted. The log is checkpointed
// every 16 MB, for which one commit waits for the disk.
var pragmas = []string{
	"busy_timeout(10000)", "journal_mode(WAL)", "synchronous(NORMAL)", "cache_size(-16000)",
	"wal_autocheckpoint(4000)", "journal_size_limit(67108864)",
}

// An Option configures Open.
type Option func(*Table)

// FeedOnly restricts the feed to the changes for which carries returns true. It applies to the writes of this
// process.
func FeedOnly(carries func(table.Change) bool) Option { return func(t *Table) { t.carries = carries } }

// Open opens the table in the file at path, and creates the file, readable only by its owner, if there is
// none. now is the clock for expiry. The caller must close the table.
func Open(path string, now func() time.Time, options ...Option) (*Table, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("table: %w", err)
	}
	if err := create(path); err != nil {
		return nil, fmt.Errorf("table: %w", err)
	}
	t := &Table{
		now:     now,
		jobs:    make(chan job),
		changed: make(chan struct{}, 1),
		stop:    make(chan struct{}),
	}
	for _, option := range options {
		option(t)
	}
	if err := t.open(path); err != nil {
		t.closeFile()
		return nil, fmt.Errorf("table: %s: %w", path, err)
	}
	t.background.Go(t.write)
	t.background.Go(t.watch)
	t.background.Go(t.sweepAlways)
	return t, nil
}

// create creates an empty file if there is none. It does not open an existing file: closing it would release
// the POSIX locks that this process holds on it.
func create(path string) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return file.Close()
}

func (t *Table) open(path string) error {
	dsn := url.URL{Scheme: "file", Path: filepath.ToSlash(path),
		RawQuery: url.Values{"_pragma": pragmas}.Encode()}
	var err error
	if t.file, err = sql.Open("sqlite", dsn.String()); err != nil {
		return err
	}
	t.file.SetMaxOpenConns(connections)
	t.file.SetMaxIdleConns(connections)
	for _, conn := range []**sql.Conn{&t.writer, &t.watcher} {
		if *conn, err = t.file.Conn(context.Background()); err != nil {
			return err
		}
	}
	if err := t.makeSchema(); err != nil {
		return err
	}
	return t.prepare()
}

// makeSchema creates the tables of a new file in one transaction.
func (t *Table) makeSchema() error {
	if err := t.exec("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	if err := t.makeSchemaOnce(); err != nil {
		t.exec("ROLLBACK")
		return err
	}
	return t.exec("COMMIT")
}

// makeSchemaOnce creates the tables if the file has none.
func (t *Table) makeSchemaOnce() error {
	var version int
	if err := t.writer.QueryRowContext(context.Background(),
		"PRAGMA user_version").Scan(&version); err != nil {
		return failure(err)
	}
	switch version {
	case 0:
		return t.exec(schema + fmt.Sprintf("; PRAGMA user_version = %d", schemaVersion))
	case schemaVersion:
		return nil
	}
	return fmt.Errorf("the file has version %d, this program works on version %d", version, schemaVersion)
}

// Close stops the background work and closes the file. Calls in progress fail.
func (t *Table) Close() error {
	close(t.stop)
	t.background.Wait()
	return t.closeFile()
}

func (t *Table) closeFile() error {
	// A connection with open statements would stay open and leave its write-ahead log behind.
	for _, stmt := range t.stmts.all {
		if stmt != nil {
			stmt.Close()
		}
	}
	for _, conn := range []*sql.Conn{t.writer, t.watcher} {
		if conn != nil {
			conn.Close()
		}
	}
	if t.file == nil {
		return nil
	}
	return t.file.Close()
}
