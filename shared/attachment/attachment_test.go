package attachment_test

import (
	"bytes"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"frontdesk/shared/attachment"
	"frontdesk/shared/table"
	"frontdesk/shared/table/sqlite"
)

func TestStore(t *testing.T) {
	now := time.Date(2026, 3, 2, 9, 30, 0, 0, time.UTC)
	items, err := sqlite.Open(filepath.Join(t.TempDir(), "table.db"), func() time.Time { return now })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { items.Close() })
	store := attachment.Store{Table: items, Now: func() time.Time { return now }}
	large := bytes.Repeat([]byte("0123456789"), attachment.MaxSize/10)
	for id, content := range map[string][]byte{"a": []byte("x"), "ab": large} {
		for range 2 {
			if err := store.Put(t.Context(), 5, 6, id, content); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := store.Get(t.Context(), 5, 6, id); err != nil || !bytes.Equal(got, content) {
			t.Errorf("%s: %d bytes, %v", id, len(got), err)
		}
		if _, err := store.Get(t.Context(), 5, 7, id); !errors.Is(err, table.ErrNotFound) {
			t.Errorf("of another agent: %v", err)
		}
	}
	now = now.Add(91 * 24 * time.Hour)
	if _, err := store.Get(t.Context(), 5, 6, "a"); !errors.Is(err, table.ErrNotFound) {
		t.Errorf("after its time: %v", err)
	}
}
