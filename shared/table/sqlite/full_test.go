package sqlite

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"frontdesk/shared/table"
)

// TestFullDisk lets the file grow no further. Writes say so and change nothing, reads go on, and so do writes
// when there is room again.
func TestFullDisk(t *testing.T) {
	store, err := Open(filepath.Join(t.TempDir(), "table.db"), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	pages := func(most int) {
		t.Helper()
		statement := fmt.Sprintf("PRAGMA max_page_count = %d", most)
		if _, err := store.writer.ExecContext(context.Background(), statement); err != nil {
			t.Fatal(err)
		}
	}
	put := func(name string) error {
		item := table.Item{Key: table.Key{PK: "full", SK: name}, Blob: make([]byte, 100_000)}
		return store.Transact(t.Context(), table.Put(item))
	}
	if err := put("before"); err != nil {
		t.Fatal(err)
	}
	pages(1) // SQLite takes the pages that there are
	for range 2 {
		if err := put("full"); !errors.Is(err, table.ErrUnavailable) {
			t.Errorf("a write to a full disk: %v", err)
		}
	}
	for name, want := range map[string]error{"before": nil, "full": table.ErrNotFound} {
		if _, err := store.Get(t.Context(), table.Key{PK: "full", SK: name}); !errors.Is(err, want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	pages(1 << 20)
	if err := put("full"); err != nil {
		t.Errorf("with room again: %v", err)
	}
}
