package local_test

import (
	"database/sql"
	"path/filepath"
	"testing"
	"time"

	_ "modernc.org/sqlite"

	"frontdesk/infra/local"
)

// TestOpenStoreThatIsLocked opens a store while another process has just made its file and writes to it:
// SQLite refuses to turn the log on then, without waiting.
func TestOpenStoreThatIsLocked(t *testing.T) {
	dir := t.TempDir()
	other, err := sql.Open("sqlite", filepath.Join(dir, "queues.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	other.SetMaxOpenConns(1)
	if _, err := other.Exec("BEGIN IMMEDIATE; CREATE TABLE t (x)"); err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(200*time.Millisecond, func() { other.Exec("COMMIT") })
	store, err := local.OpenStore(dir, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	store.Close()
}
