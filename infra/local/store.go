package local

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	queuedb "frontdesk/shared/queue/sqlite"
	tabledb "frontdesk/shared/table/sqlite"
)

// A Store is the embedded store: the table and the queues, as files in one folder. Other processes may have it open at
// the same time.
type Store struct {
	Table  *tabledb.Table
	Queues *queuedb.File
}

// OpenStore opens the store in a folder, which it makes where it is absent.
func OpenStore(dir string, now func() time.Time) (*Store, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	items, err := tabledb.Open(filepath.Join(dir, "table.db"), now)
	if err != nil {
		return nil, fmt.Errorf("the store in %s: %w", dir, err)
	}
	queues, err := queuedb.Open(filepath.Join(dir, "queues.db"), now)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("the store in %s: %w", dir, err), items.Close())
	}
	return &Store{items, queues}, nil
}

// Close closes the files. What was acknowledged is in them without it.
func (s *Store) Close() {
	s.Queues.Close()
	s.Table.Close()
}
