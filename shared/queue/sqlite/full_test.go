package sqlite

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"frontdesk/shared/queue"
)

// TestFullDisk lets the file grow no further. What was sent before stays, what is not sent says so, and
// receiving goes on when there is room again.
func TestFullDisk(t *testing.T) {
	file, err := Open(filepath.Join(t.TempDir(), "queues.db"), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	q := file.Queue(Config{Name: "full"})
	pages := func(most int) {
		t.Helper()
		statement := fmt.Sprintf("PRAGMA max_page_count = %d", most)
		if _, err := file.db.ExecContext(context.Background(), statement); err != nil {
			t.Fatal(err)
		}
	}
	body := strings.Repeat("x", 100_000)
	send := func() error { return q.Send(t.Context(), queue.Outgoing{Body: body}) }
	if err := send(); err != nil {
		t.Fatal(err)
	}
	pages(1) // SQLite takes the pages that there are
	for range 2 {
		if err := send(); err == nil {
			t.Error("a message was sent to a full disk")
		}
	}
	pages(1 << 20)
	if err := send(); err != nil {
		t.Errorf("with room again: %v", err)
	}
	got, err := q.Receive(t.Context(), queue.MaxReceive, time.Minute, 0)
	if err != nil || len(got) != 2 {
		t.Errorf("Receive = %d messages, %v, want the two that were sent", len(got), err)
	}
}
