package queuetest

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp/cmpopts"

	"frontdesk/shared/queue"
)

// sorted compares slices of strings regardless of order.
var sorted = cmpopts.SortSlices(func(a, b string) bool { return a < b })

// patience is how late a due message may arrive.
const patience = 15 * time.Second

func send(t *testing.T, q queue.Queue, messages ...queue.Outgoing) {
	t.Helper()
	if err := q.Send(t.Context(), messages...); err != nil {
		t.Fatal(err)
	}
}

// receive receives n messages, in several calls if needed.
func receive(t *testing.T, q queue.Queue, n int, visibility time.Duration) []queue.Message {
	t.Helper()
	var got []queue.Message
	for end := time.Now().Add(patience); len(got) < n; {
		if time.Now().After(end) {
			t.Fatalf("received %d messages, want %d", len(got), n)
		}
		more, err := q.Receive(t.Context(), min(n-len(got), queue.MaxReceive), visibility, 5*time.Second)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, more...)
	}
	return got
}

func remove(t *testing.T, q queue.Queue, messages ...queue.Message) {
	t.Helper()
	var receipts []string
	for _, m := range messages {
		receipts = append(receipts, m.Receipt)
	}
	if err := q.Delete(t.Context(), receipts...); err != nil {
		t.Fatal(err)
	}
}

func release(t *testing.T, q queue.Queue, m queue.Message, delay time.Duration) {
	t.Helper()
	if err := q.Release(t.Context(), m.Receipt, delay); err != nil {
		t.Fatal(err)
	}
}

// expectNone fails the test if a message can be received now.
func expectNone(t *testing.T, q queue.Queue) {
	t.Helper()
	got, err := q.Receive(t.Context(), 10, hidden, 0)
	if err != nil || len(got) > 0 {
		t.Errorf("Receive = %v, %v, want nothing", got, err)
	}
}

// expectElapsed fails the test unless about d has passed since start. The queues' clocks are more exact than
// 0.1 s.
func expectElapsed(t *testing.T, start time.Time, d time.Duration) {
	t.Helper()
	if took := time.Since(start); took < d-100*time.Millisecond || took > d+patience {
		t.Errorf("it took %v, want about %v", took, d)
	}
}

func bodies(messages []queue.Message) []string {
	var all []string
	for _, m := range messages {
		all = append(all, m.Body)
	}
	return all
}
