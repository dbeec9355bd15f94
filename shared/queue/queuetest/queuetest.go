// Package queuetest tests implementations of [queue.Queue] against the interface's comments.
package queuetest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"frontdesk/shared/queue"
)

// Options configure a queue. Zero fields mean the defaults.
type Options struct {
	Delay       time.Duration // default delay of messages
	Visibility  time.Duration // default visibility
	MaxReceives int           // deliveries before a message moves to the dead letters; 0 is no limit
}

// A Maker returns a new empty queue and, with Options.MaxReceives, the queue of its dead letters.
type Maker func(t *testing.T, o Options) (q, dead queue.Queue)

// Run runs the suite. It waits in real time, since delays and visibility pass in it.
func Run(t *testing.T, new Maker) {
	for name, test := range map[string]func(*testing.T, Maker){
		"Roundtrip":          testRoundtrip,
		"Metadata":           testMetadata,
		"Batches":            testBatches,
		"LargeBatch":         testLargeBatch,
		"Characters":         testCharacters,
		"Invalid":            testInvalid,
		"Delay":              testDelay,
		"OwnDelay":           testOwnDelay,
		"Redelivery":         testRedelivery,
		"OwnVisibility":      testOwnVisibility,
		"StaleReceipt":       testStaleReceipt,
		"LateDelete":         testLateDelete,
		"DeleteTwice":        testDeleteTwice,
		"ReleaseNow":         testReleaseNow,
		"ReleaseLater":       testReleaseLater,
		"ReleaseOfGone":      testReleaseOfGone,
		"WaitEndsEarly":      testWaitEndsEarly,
		"WaitEndsForDelayed": testWaitEndsForDelayed,
		"WaitLasts":          testWaitLasts,
		"WaitIsCancelled":    testWaitIsCancelled,
		"DeadLetters":        testDeadLetters,
		"Groups":             testGroups,
		"Consumers":          testConsumers,
		"CancelledContext":   testCancelledContext,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, new)
		})
	}
}

// hidden is a visibility that outlasts a test.
const hidden = time.Minute

func testRoundtrip(t *testing.T, new Maker) {
	q, _ := new(t, Options{})
	send(t, q, queue.Outgoing{Body: "one"}, queue.Outgoing{Body: "two"})
	got := receive(t, q, 2, hidden)
	if diff := cmp.Diff([]string{"one", "two"}, bodies(got), sorted); diff != "" {
		t.Errorf("received (-want +got):\n%s", diff)
	}
	expectNone(t, q)
	remove(t, q, got...)
	expectNone(t, q)
	if err := q.Send(t.Context()); err != nil {
		t.Errorf("Send of nothing: %v", err)
	}
	if err := q.Delete(t.Context()); err != nil {
		t.Errorf("Delete of nothing: %v", err)
	}
}

// testGroups checks that messages with and without a group are delivered alike.
func testGroups(t *testing.T, new Maker) {
	q, _ := new(t, Options{})
	send(t, q, queue.Outgoing{Body: "one", Group: "account/1"}, queue.Outgoing{Body: "two",
		Group: "account/2"},
		queue.Outgoing{Body: "three", Group: "account/1"}, queue.Outgoing{Body: "four"})
	got := receive(t, q, 4, hidden)
	if diff := cmp.Diff([]string{"four", "one", "three", "two"}, bodies(got), sorted); diff != "" {
		t.Errorf("received (-want +got):\n%s", diff)
	}
	for _, group := range []string{strings.Repeat("x", queue.MaxGroup+1), "a b", "é"} {
		if err := q.Send(t.Context(), queue.Outgoing{Body: "x", Group: group}); !errors.Is(err,
			queue.ErrInvalid) {
			t.Errorf("Send to the group %q = %v, want ErrInvalid", group, err)
		}
	}
}

func testMetadata(t *testing.T, new Maker) {
	q, _ := new(t, Options{})
	before := time.Now()
	send(t, q, queue.Outgoing{Body: "one"}, queue.Outgoing{Body: "two"})
	got := receive(t, q, 2, hidden)
	for _, m := range got {
		if m.ID == "" || m.Receipt == "" || m.Receives != 1 {
			t.Errorf("received %+v, want an id, a receipt and 1 as the count", m)
		}
		// The clocks may be read a little apart.
		if m.Sent.Before(before.Add(-time.Second)) || m.Sent.After(time.Now().Add(time.Second)) {
			t.Errorf("sent at %v, want after %v", m.Sent, before)
		}
	}
	if got[0].ID == got[1].ID || got[0].Receipt == got[1].Receipt {
		t.Errorf("two messages share an id or a receipt: %+v", got)
	}
}

func testBatches(t *testing.T, new Maker) {
	q, _ := new(t, Options{})
	var out []queue.Outgoing
	var want []string
	for i := range 23 {
		want = append(want, fmt.Sprintf("message %02d", i))
		out = append(out, queue.Outgoing{Body: want[i]})
	}
	send(t, q, out...)
	got, err := q.Receive(t.Context(), 50, hidden, time.Second)
	if err != nil || len(got) > queue.MaxReceive {
		t.Fatalf("Receive of 50 gave %d, %v, want at most %d", len(got), err, queue.MaxReceive)
	}
	got = append(got, receive(t, q, len(want)-len(got), hidden)...)
	if diff := cmp.Diff(want, bodies(got), sorted); diff != "" {
		t.Errorf("received (-want +got):\n%s", diff)
	}
	remove(t, q, got...)
	expectNone(t, q)
}

// testLargeBatch sends messages that need a request each.
func testLargeBatch(t *testing.T, new Maker) {
	q, _ := new(t, Options{})
	want := []string{
		strings.Repeat("a", queue.MaxBody),
		strings.Repeat("b", queue.MaxBody-10),
		strings.Repeat("é", queue.MaxBody/2),
	}
	send(t, q, queue.Outgoing{Body: want[0]}, queue.Outgoing{Body: want[1]}, queue.Outgoing{Body: want[2]})
	if got := bodies(receive(t, q, 3, hidden)); !cmp.Equal(got, want, sorted) {
		t.Errorf("received other bodies than were sent")
	}
}

func testCharacters(t *testing.T, new Maker) {
	q, _ := new(t, Options{})
	want := []string{
		" leading and trailing white space\t\r\n",
		`<&>"' and {"json": "\u0000"}`,
		"é ß 漢字 עברית 😀 \u007f\u0085\u2028\uFEFF\uFFFD\U0010FFFF",
	}
	var out []queue.Outgoing
	for _, body := range want {
		out = append(out, queue.Outgoing{Body: body})
	}
	send(t, q, out...)
	if diff := cmp.Diff(want, bodies(receive(t, q, len(want), hidden)), sorted); diff != "" {
		t.Errorf("received (-want +got):\n%s", diff)
	}
}

func testInvalid(t *testing.T, new Maker) {
	q, _ := new(t, Options{})
	for name, m := range map[string]queue.Outgoing{
		"empty":          {},
		"too long":       {Body: strings.Repeat("x", queue.MaxBody+1)},
		"control":        {Body: "a\x00b"},
		"escape":         {Body: "\x1b"},
		"non-character":  {Body: "\uFFFF"},
		"broken UTF-8":   {Body: "\xff"},
		"negative delay": {Body: "x", Delay: -time.Second},
		"long delay":     {Body: "x", Delay: queue.MaxDelay + time.Second},
	} {
		if err := q.Send(t.Context(), queue.Outgoing{Body: "fine"}, m); !errors.Is(err, queue.ErrInvalid) {
			t.Errorf("%s: Send = %v, want ErrInvalid", name, err)
		}
	}
	expectNone(t, q)
}

func testDelay(t *testing.T, new Maker) {
	q, _ := new(t, Options{})
	start := time.Now()
	send(t, q, queue.Outgoing{Body: "later", Delay: 1500 * time.Millisecond}, queue.Outgoing{Body: "now"})
	if diff := cmp.Diff([]string{"now"}, bodies(receive(t, q, 1, hidden))); diff != "" {
		t.Errorf("received first (-want +got):\n%s", diff)
	}
	expectNone(t, q)
	if diff := cmp.Diff([]string{"later"}, bodies(receive(t, q, 1, hidden))); diff != "" {
		t.Errorf("received then (-want +got):\n%s", diff)
	}
	expectElapsed(t, start, 2*time.Second)
}

func testOwnDelay(t *testing.T, new Maker) {
	q, _ := new(t, Options{Delay: time.Second})
	start := time.Now()
	send(t, q, queue.Outgoing{Body: "x"})
	expectNone(t, q)
	receive(t, q, 1, hidden)
	expectElapsed(t, start, time.Second)
	start = time.Now()
	send(t, q, queue.Outgoing{Body: "y", Delay: 3 * time.Second})
	receive(t, q, 1, hidden)
	expectElapsed(t, start, 3*time.Second)
}

func testOwnVisibility(t *testing.T, new Maker) {
	q, _ := new(t, Options{Visibility: 2 * time.Second})
	send(t, q, queue.Outgoing{Body: "x"})
	start := time.Now()
	receive(t, q, 1, 0)
	receive(t, q, 1, hidden)
	expectElapsed(t, start, 2*time.Second)
}

func testRedelivery(t *testing.T, new Maker) {
	q, _ := new(t, Options{})
	send(t, q, queue.Outgoing{Body: "x"})
	start := time.Now()
	first := receive(t, q, 1, time.Second)[0]
	for n := 2; n <= 4; n++ {
		again := receive(t, q, 1, time.Second)[0]
		expectElapsed(t, start, time.Duration(n-1)*time.Second)
		want := queue.Message{ID: first.ID, Body: "x", Receives: n, Sent: first.Sent}
		if diff := cmp.Diff(want, again, cmpopts.IgnoreFields(queue.Message{}, "Receipt")); diff != "" {
			t.Errorf("received again (-want +got):\n%s", diff)
		}
		if again.Receipt == first.Receipt {
			t.Error("two deliveries have one receipt")
		}
	}
}

// testStaleReceipt deletes and releases with the receipt of an earlier delivery while another receiver has
// the message.
func testStaleReceipt(t *testing.T, new Maker) {
	q, _ := new(t, Options{})
	send(t, q, queue.Outgoing{Body: "x"})
	stale := receive(t, q, 1, time.Second)[0]
	current := receive(t, q, 1, hidden)[0]
	if err := q.Delete(t.Context(), stale.Receipt); err != nil {
		t.Errorf("Delete by a stale receipt: %v", err)
	}
	if err := q.Release(t.Context(), stale.Receipt, 0); err != nil {
		t.Errorf("Release by a stale receipt: %v", err)
	}
	remove(t, q, current)
	expectNone(t, q)
}

// testLateDelete deletes with the latest receipt after the message became visible again.
func testLateDelete(t *testing.T, new Maker) {
	q, _ := new(t, Options{})
	send(t, q, queue.Outgoing{Body: "x"})
	m := receive(t, q, 1, hidden)[0]
	release(t, q, m, 0)
	remove(t, q, m)
	expectNone(t, q)
}

func testDeleteTwice(t *testing.T, new Maker) {
	q, _ := new(t, Options{})
	send(t, q, queue.Outgoing{Body: "x"})
	m := receive(t, q, 1, hidden)[0]
	remove(t, q, m)
	remove(t, q, m)
}

func testReleaseNow(t *testing.T, new Maker) {
	q, _ := new(t, Options{})
	send(t, q, queue.Outgoing{Body: "x"})
	m := receive(t, q, 1, hidden)[0]
	expectNone(t, q)
	release(t, q, m, 0)
	if got := receive(t, q, 1, hidden)[0]; got.Receives != 2 {
		t.Errorf("received for the %d. time, want 2", got.Receives)
	}
}

func testReleaseLater(t *testing.T, new Maker) {
	q, _ := new(t, Options{})
	send(t, q, queue.Outgoing{Body: "x"})
	m := receive(t, q, 1, hidden)[0]
	start := time.Now()
	release(t, q, m, 2*time.Second)
	expectNone(t, q)
	receive(t, q, 1, hidden)
	expectElapsed(t, start, 2*time.Second)
}

func testReleaseOfGone(t *testing.T, new Maker) {
	q, _ := new(t, Options{})
	send(t, q, queue.Outgoing{Body: "deleted"})
	m := receive(t, q, 1, hidden)[0]
	remove(t, q, m)
	release(t, q, m, 0)
	expectNone(t, q)
}

func testWaitEndsEarly(t *testing.T, new Maker) {
	q, _ := new(t, Options{})
	start := time.Now()
	sent := make(chan error, 1)
	go func() {
		time.Sleep(500 * time.Millisecond)
		sent <- q.Send(t.Context(), queue.Outgoing{Body: "x"})
	}()
	got, err := q.Receive(t.Context(), 1, hidden, 10*time.Second)
	if err != nil || len(got) != 1 {
		t.Errorf("Receive = %v, %v, want the message", got, err)
	}
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("received after %v, though it was sent after half a second", took)
	}
	if err := <-sent; err != nil {
		t.Error(err)
	}
}

// testWaitEndsForDelayed waits for a message that becomes visible during the wait.
func testWaitEndsForDelayed(t *testing.T, new Maker) {
	q, _ := new(t, Options{})
	send(t, q, queue.Outgoing{Body: "x", Delay: time.Second})
	start := time.Now()
	got, err := q.Receive(t.Context(), 1, hidden, 10*time.Second)
	if err != nil || len(got) != 1 {
		t.Errorf("Receive = %v, %v, want the message", got, err)
	}
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("received after %v, though it was visible after a second", took)
	}
}

func testWaitLasts(t *testing.T, new Maker) {
	q, _ := new(t, Options{})
	start := time.Now()
	got, err := q.Receive(t.Context(), 1, hidden, time.Second)
	if err != nil || len(got) != 0 {
		t.Errorf("Receive = %v, %v, want nothing", got, err)
	}
	expectElapsed(t, start, time.Second)
}

func testWaitIsCancelled(t *testing.T, new Maker) {
	q, _ := new(t, Options{})
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	start := time.Now()
	_, err := q.Receive(ctx, 1, hidden, 10*time.Second)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Receive = %v, want the end of the context", err)
	}
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("returned after %v", took)
	}
}

func testCancelledContext(t *testing.T, new Maker) {
	q, _ := new(t, Options{})
	send(t, q, queue.Outgoing{Body: "x"})
	m := receive(t, q, 1, hidden)[0]
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := q.Send(ctx, queue.Outgoing{Body: "y"}); !errors.Is(err, context.Canceled) {
		t.Errorf("Send = %v, want the end of the context", err)
	}
	if _, err := q.Receive(ctx, 1, hidden, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("Receive = %v, want the end of the context", err)
	}
	if err := q.Delete(ctx, m.Receipt); !errors.Is(err, context.Canceled) {
		t.Errorf("Delete = %v, want the end of the context", err)
	}
	if err := q.Release(ctx, m.Receipt, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("Release = %v, want the end of the context", err)
	}
	expectNone(t, q)
}

func testDeadLetters(t *testing.T, new Maker) {
	q, dead := new(t, Options{MaxReceives: 3, Visibility: time.Second})
	send(t, q, queue.Outgoing{Body: "poison"})
	for n := 1; n <= 3; n++ {
		if m := receive(t, q, 1, 0)[0]; m.Receives != n {
			t.Errorf("received for the %d. time, want %d", m.Receives, n)
		}
	}
	expectNone(t, dead)
	time.Sleep(1100 * time.Millisecond)
	expectNone(t, q) // moves the message to the dead letters
	got := receive(t, dead, 1, hidden)
	if diff := cmp.Diff([]string{"poison"}, bodies(got)); diff != "" {
		t.Errorf("dead letters (-want +got):\n%s", diff)
	}
	remove(t, dead, got...)
	expectNone(t, dead)
	expectNone(t, q)
}

// testConsumers runs several receivers that drop some messages, and checks that every message is handled.
func testConsumers(t *testing.T, new Maker) {
	q, _ := new(t, Options{})
	const messages, consumers = 200, 8
	handled := struct {
		sync.Mutex
		bodies map[string]int
	}{bodies: map[string]int{}}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()

	var wg sync.WaitGroup
	wg.Go(func() {
		for i := range messages {
			// The last message may be handled, and ctx cancelled, before Send returns.
			if err := q.Send(context.WithoutCancel(ctx), queue.Outgoing{Body: fmt.Sprint(i)}); err != nil {
				t.Error(err)
			}
		}
	})
	for range consumers {
		wg.Go(func() {
			for ctx.Err() == nil {
				got, err := q.Receive(ctx, 10, 2*time.Second, time.Second)
				if err != nil {
					if ctx.Err() == nil {
						t.Error(err)
					}
					return
				}
				for i, m := range got {
					if i%5 == 4 && m.Receives == 1 {
						continue // as if the consumer had crashed
					}
					if err := q.Delete(context.WithoutCancel(ctx), m.Receipt); err != nil {
						t.Error(err)
					}
					handled.Lock()
					handled.bodies[m.Body]++
					if len(handled.bodies) == messages {
						cancel()
					}
					handled.Unlock()
				}
			}
		})
	}
	wg.Wait()
	if len(handled.bodies) != messages {
		t.Errorf("%d messages of %d were handled", len(handled.bodies), messages)
	}
}
