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
			Name: t.Name(), Delay: o.Delay, Visibility: o.Visibility, MaxReceives: o.MaxReceives,
			DeadLetters: t.Name() + "-dead",
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

// TestManyDeadLetters has more messages end than one Receive looks at, before one that does not.
func TestManyDeadLetters(t *testing.T) {
	now := time.Date(2030, time.May, 1, 12, 0, 0, 0, time.UTC)
	file := open(t, filepath.Join(t.TempDir(), "queue.db"), func() time.Time { return now })
	q := file.Queue(sqlite.Config{Name: "q", MaxReceives: 1, DeadLetters: "dead"})
	const poison = 25
	for range poison {
		if err := q.Send(t.Context(), queue.Outgoing{Body: "poison"}); err != nil {
			t.Fatal(err)
		}
	}
	for received := 0; received < poison; {
		got, err := q.Receive(t.Context(), 10, time.Minute, 0)
		if err != nil || len(got) == 0 {
			t.Fatalf("Receive = %v, %v", got, err)
		}
		received += len(got)
	}
	now = now.Add(2 * time.Minute)
	if err := q.Send(t.Context(), queue.Outgoing{Body: "good"}); err != nil {
		t.Fatal(err)
	}
	if got, err := q.Receive(t.Context(), 10, time.Minute, 0); err != nil || len(got) != 1 ||
		got[0].Body != "good" {
		t.Errorf("Receive = %v, %v, want the one that is good", got, err)
	}
	dead := 0
	for letters := file.Queue(sqlite.Config{Name: "dead"}); ; {
		got, err := letters.Receive(t.Context(), 10, time.Minute, 0)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) == 0 {
			break
		}
		dead += len(got)
	}
	if dead != poison {
		t.Errorf("%d dead letters, want %d", dead, poison)
	}
}
