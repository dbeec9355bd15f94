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

// schema makes the tables in a new file.
//
//go:embed schema.sql
var schema string

// schemaVersion is the user_version of a file that this program works on.
const schemaVersion = 4

// connections is how many there are to the file: the writer's, the watcher's, and those of readers.
const connections = 10

// pragmas are the settings of every connection. In WAL mode a commit that is not synchronised survives the
// death of the process, though perhaps not the loss of power, and the file is never damaged. The log is
// written back, which makes one commit wait for the disk, every 16 MB.
var pragmas = []string{
	"busy_timeout(10000)", "journal_mode(WAL)", "synchronous(NORMAL)", "cache_size(-16000)",
	"wal_autocheckpoint(4000)", "journal_size_limit(67108864)",
}

// An Option changes how Open opens a table.
type Option func(*Table)

// FeedOnly has the feed carry only the changes for which the function returns true. It applies to what this
// process writes. Without it the feed carries every change.
func FeedOnly(carries func(table.Change) bool) Option { return func(t *Table) { t.carries = carries } }

// Open opens the table in the file of that path, which it makes, readable to this user alone, where there is
// none. The clock now tells what has expired. The caller closes the table.
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

// create makes an empty file where there is none. One that is there is not opened: closing it again would
// give up the locks that this process holds on it.
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

// makeSchema makes the tables in a new file.
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

// makeSchemaOnce makes the tables where the file has none.
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

// Close ends the work in the background and closes the file. Calls that are under way fail.
func (t *Table) Close() error {
	close(t.stop)
	t.background.Wait()
	return t.closeFile()
}

func (t *Table) closeFile() error {
	// A connection with open statements would not end, and leave its log behind.
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
