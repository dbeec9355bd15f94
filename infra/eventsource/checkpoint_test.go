package eventsource

import (
	"os"
	"path/filepath"
	"testing"
)

func TestFileCheckpoint(t *testing.T) {
	dir := t.TempDir()
	checkpoint := FileCheckpoint(filepath.Join(dir, "outbox"))
	if position, err := checkpoint.Load(t.Context()); err != nil || position != "" {
		t.Errorf("Load = %q, %v, want none at first", position, err)
	}
	for _, want := range []string{"shard-1:0001", "2", ""} {
		if err := checkpoint.Save(t.Context(), want); err != nil {
			t.Fatal(err)
		}
		if position, err := checkpoint.Load(t.Context()); err != nil || position != want {
			t.Errorf("Load = %q, %v, want %q", position, err, want)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("the folder has %v, %v, want the file alone", entries, err)
	}
	if err := FileCheckpoint(filepath.Join(dir, "missing", "outbox")).Save(t.Context(), "1"); err == nil {
		t.Error("Save in a folder that does not exist gave no error")
	}
}
