package sqlite_test

import (
	"path/filepath"
	"slices"
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

// TestNoisyGroup has one group send a thousand messages before another sends one, and receives as a worker
// does whose calls hang: nothing is deleted. The other's message comes next once the first is noisy.
func TestNoisyGroup(t *testing.T) {
	now := time.Date(2030, time.May, 1, 12, 0, 0, 0, time.UTC)
	file := open(t, filepath.Join(t.TempDir(), "queue.db"), func() time.Time { return now })
	q := file.Queue(sqlite.Config{Name: "q", Visibility: time.Minute})
	send := func(body, group string, n int) {
		t.Helper()
		messages := make([]queue.Outgoing, n)
		for i := range messages {
			messages[i] = queue.Outgoing{Body: body, Group: group}
		}
		if err := q.Send(t.Context(), messages...); err != nil {
			t.Fatal(err)
		}
	}
	receive := func(max int, want ...string) {
		t.Helper()
		got, err := q.Receive(t.Context(), max, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		var bodies []string
		for _, m := range got {
			bodies = append(bodies, m.Body)
		}
		slices.Sort(bodies)
		if bodies = slices.Compact(bodies); !slices.Equal(bodies, want) {
			t.Errorf("received %q, want %q", bodies, want)
		}
	}
	send("loud", "a", 1000)
	for range queue.NoisyGroup / 10 {
		receive(10, "loud")
	}
	send("calm", "b", 1)
	send("single", "", 1)
	receive(3, "calm", "loud", "single") // what is left of the batch is the noisy group's
	receive(10, "loud")                  // there is nothing else
	send("louder", "c", 100)
	for range 4 {
		receive(10, "louder")
	}
	receive(10, "louder") // of two noisy groups the one with less under way comes first
	receive(10, "loud")
	now = now.Add(2 * time.Minute) // all are visible again, and nothing is under way
	receive(10, "loud")
}
