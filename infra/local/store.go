package local

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	queuedb "frontdesk/shared/queue/sqlite"
	tabledb "frontdesk/shared/table/sqlite"
)

// A Store is the embedded store: the table and the queues, as files in one folder. Other processes may have
// it open at the same time.
type Store struct {
	Table  *tabledb.Table
	Queues *queuedb.File

	dir string
}

// OpenStore opens the store in a folder, and creates it with the key of its secrets if it is missing. Only
// the owner can read its files. The options are those of the table.
func OpenStore(dir string, now func() time.Time, options ...tabledb.Option) (*Store, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	if _, err := secretsKey(dir); err != nil {
		return nil, err
	}
	for _, name := range []string{"table.db", "queues.db", "workers.lock", "secrets.key"} {
		if err := private(filepath.Join(dir, name)); err != nil {
			return nil, err
		}
	}
	items, err := patiently(func() (*tabledb.Table, error) {
		return tabledb.Open(filepath.Join(dir, "table.db"), now, options...)
	})
	if err != nil {
		return nil, fmt.Errorf("the store in %s: %w", dir, err)
	}
	queues, err := patiently(
		func() (*queuedb.File, error) { return queuedb.Open(filepath.Join(dir, "queues.db"), now) })
	if err != nil {
		return nil, errors.Join(fmt.Errorf("the store in %s: %w", dir, err), items.Close())
	}
	return &Store{items, queues, dir}, nil
}

// patience is the maximum time that a file may be locked while it is opened.
const patience = 10 * time.Second

// patiently opens a file that may be locked. SQLite waits for locks by itself, except while several
// processes switch a new file to write-ahead logging.
func patiently[F any](open func() (F, error)) (F, error) {
	for deadline := time.Now().Add(patience); ; time.Sleep(5 * time.Millisecond) {
		file, err := open()
		var fault *sqlite.Error
		if !errors.As(err, &fault) || fault.Code()&0xff != sqlite3.SQLITE_BUSY || time.Now().After(deadline) {
			return file, err
		}
	}
}

// SecretsKey returns the current text of the keys that the store's secrets are sealed with. It is the Read
// of secret.Keys.
func (s *Store) SecretsKey(context.Context) (string, error) { return secretsKey(s.dir) }

// SetSecretsKey replaces the text of the keys atomically.
func (s *Store) SetSecretsKey(_ context.Context, text string) error {
	return replaceSecretsKey(s.dir, text)
}

// Close closes the files. Acknowledged writes are safe without it.
func (s *Store) Close() {
	s.Queues.Close()
	s.Table.Close()
}
