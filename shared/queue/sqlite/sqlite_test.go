package sqlite_test

import (
	"path/filepath"
	"testing"
	"time"

	"frontdesk/shared/queue"
	"frontdesk/shared/queue/queuetest"
	"frontdesk/shared/queue/sqlite"
)

func TestQueue(t *testing.T) {
	// All queues share a file, as they do in use.
	file := open(t, filepath.Join(t.TempDir(), "queue.db"), time.Now)
	queuetest.Run(t, func(t *testing.T, o queuetest.Options) (q, dead queue.Queue) {
		return file.Queue(sqlite.Config{
			Name: t.Name(), Delay: o.Delay, Visibility: o.Visibility, MaxReceives: o.MaxReceives, DeadLetters: t.Name() + "-dead",
		}), file.Queue(sqlite.Config{Name: t.Name() + "-dead"})
	})
}

func open(t *testing.T, path string, now func() time.Time) *sqlite.File {
	t.Helper()
	file, err := sqlite.Open(path, now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := file.Close(); err != nil {
			t.Error(err)
		}
	})
	return file
}
