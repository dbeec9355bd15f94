package sqlite_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"frontdesk/shared/queue"
	"frontdesk/shared/queue/sqlite"
)

// childVariable makes the test binary send numbered messages into the file of that path, without end, and
// print the number of each that was acknowledged.
const childVariable = "QUEUE_TEST_FILE"

func TestMain(m *testing.M) {
	if path := os.Getenv(childVariable); path != "" {
		file, err := sqlite.Open(path, time.Now)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		q := file.Queue(sqlite.Config{Name: "q"})
		for i := 0; ; i++ {
			if err := q.Send(context.Background(), queue.Outgoing{Body: fmt.Sprint(i)}); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			fmt.Println(i)
		}
	}
	os.Exit(m.Run())
}

// startSender starts a process that sends, and returns it with what it prints.
func startSender(t *testing.T, path string) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), childVariable+"="+path)
	child.Stderr = os.Stderr
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		child.Process.Kill()
		child.Wait()
	})
	return child, bufio.NewScanner(out)
}

// TestSurvivesKill kills a sender again and again and expects all that it was told is sent.
func TestSurvivesKill(t *testing.T) {
	path := filepath.Join(t.TempDir(), "queue.db")
	acknowledged := map[string]int{}
	for range 3 {
		child, lines := startSender(t, path)
		for n := 0; lines.Scan(); n++ {
			acknowledged[lines.Text()]++
			if n == 50 {
				child.Process.Kill()
			}
		}
	}
	q := open(t, path, time.Now).Queue(sqlite.Config{Name: "q"})
	for {
		got, err := q.Receive(t.Context(), 10, time.Minute, 0)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) == 0 {
			break
		}
		for _, m := range got {
			acknowledged[m.Body]--
		}
	}
	for body, missing := range acknowledged {
		if missing > 0 {
			t.Errorf("message %s was acknowledged %d times more than it is there", body, missing)
		}
	}
}

// TestTwoProcesses receives what another process sends at the same time.
func TestTwoProcesses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "queue.db")
	q := open(t, path, time.Now).Queue(sqlite.Config{Name: "q"})
	startSender(t, path)
	for n := 0; n < 100; {
		got, err := q.Receive(t.Context(), 10, time.Minute, 10*time.Second)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) == 0 {
			t.Fatalf("nothing came after %d messages", n)
		}
		for _, m := range got {
			if err := q.Delete(t.Context(), m.Receipt); err != nil {
				t.Fatal(err)
			}
		}
		n += len(got)
	}
}

// TestWakesAtOnce expects a waiting receiver to get what the same process sends without its turn of looking.
func TestWakesAtOnce(t *testing.T) {
	file := open(t, filepath.Join(t.TempDir(), "queue.db"), time.Now)
	q := file.Queue(sqlite.Config{Name: "q"})
	other := file.Queue(sqlite.Config{Name: "q"})
	best := time.Hour
	for range 5 { // a busy machine may be late at times
		sent := make(chan time.Time, 1)
		go func() {
			time.Sleep(20 * time.Millisecond)
			sent <- time.Now()
			other.Send(context.WithoutCancel(t.Context()), queue.Outgoing{Body: "x"})
		}()
		got, err := q.Receive(t.Context(), 1, time.Minute, 5*time.Second)
		if err != nil || len(got) != 1 {
			t.Fatalf("Receive = %v, %v, want the message", got, err)
		}
		best = min(best, time.Since(<-sent))
	}
	if best > 100*time.Millisecond {
		t.Errorf("received %v after it was sent", best)
	}
}

// TestClock delays by the clock that the file was given.
func TestClock(t *testing.T) {
	now := time.Date(2030, time.May, 1, 12, 0, 0, 0, time.UTC)
	file := open(t, filepath.Join(t.TempDir(), "queue.db"), func() time.Time { return now })
	q := file.Queue(sqlite.Config{Name: "q"})
	if err := q.Send(t.Context(), queue.Outgoing{Body: "x", Delay: queue.MaxDelay}); err != nil {
		t.Fatal(err)
	}
	sent := now
	for _, step := range []struct {
		pass time.Duration
		want int
	}{
		{queue.MaxDelay - time.Millisecond, 0},
		{time.Millisecond, 1},
		{queue.MaxVisibility - time.Millisecond, 0},
		{time.Millisecond, 1},
	} {
		now = now.Add(step.pass)
		got, err := q.Receive(t.Context(), 10, queue.MaxVisibility, 0)
		if err != nil || len(got) != step.want {
			t.Fatalf("Receive at %v = %v, %v, want %d messages", now, got, err, step.want)
		}
		for _, m := range got {
			if !m.Sent.Equal(sent) {
				t.Errorf("sent at %v, want %v", m.Sent, sent)
			}
		}
	}
}

// TestDelayOfAFraction sends in the middle of a millisecond: the delay is over when it is, and not before.
func TestDelayOfAFraction(t *testing.T) {
	now := time.Date(2030, time.May, 1, 12, 0, 0, 999_500, time.UTC)
	file := open(t, filepath.Join(t.TempDir(), "queue.db"), func() time.Time { return now })
	q := file.Queue(sqlite.Config{Name: "q"})
	if err := q.Send(t.Context(), queue.Outgoing{Body: "x", Delay: 2 * time.Second}); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		pass time.Duration
		want int
	}{{2*time.Second - 1, 0}, {time.Millisecond + 1, 1}} {
		now = now.Add(step.pass)
		if got, err := q.Receive(t.Context(), 10, time.Minute, 0); err != nil || len(got) != step.want {
			t.Fatalf("Receive at %v = %v, %v, want %d messages", now, got, err, step.want)
		}
	}
}

// TestRecover has a process take up what another had received when it ended. What waits for its delay waits
// on.
func TestRecover(t *testing.T) {
	path := filepath.Join(t.TempDir(), "queue.db")
	crashed := open(t, path, time.Now).Queue(sqlite.Config{Name: "q"})
	for body, delay := range map[string]time.Duration{"received": 0, "delayed": time.Minute} {
		if err := crashed.Send(t.Context(), queue.Outgoing{Body: body, Delay: delay}); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := crashed.Receive(t.Context(), 10, time.Hour, 0); err != nil || len(got) != 1 {
		t.Fatalf("Receive = %v, %v, want one message", got, err)
	}
	file := open(t, path, time.Now)
	q := file.Queue(sqlite.Config{Name: "q"})
	if got, err := q.Receive(t.Context(), 10, time.Hour, 0); err != nil || len(got) != 0 {
		t.Fatalf("before Recover: Receive = %v, %v, want nothing", got, err)
	}
	if err := file.Recover(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got, err := q.Receive(t.Context(), 10, time.Hour, 0); err != nil || len(got) != 1 ||
		got[0].Body != "received" || got[0].Receives != 2 {
		t.Fatalf("after Recover: Receive = %v, %v, want what was received, a second time", got, err)
	}
}

// TestQueuesAreApart expects that a message is in its own queue only, and a receipt good for that one only.
func TestQueuesAreApart(t *testing.T) {
	file := open(t, filepath.Join(t.TempDir(), "queue.db"), time.Now)
	a, b := file.Queue(sqlite.Config{Name: "a"}), file.Queue(sqlite.Config{Name: "b"})
	if err := a.Send(t.Context(), queue.Outgoing{Body: "x"}); err != nil {
		t.Fatal(err)
	}
	if got, err := b.Receive(t.Context(), 1, time.Minute, 0); err != nil || len(got) != 0 {
		t.Fatalf("Receive from the other = %v, %v, want nothing", got, err)
	}
	got, err := a.Receive(t.Context(), 1, time.Second, 0)
	if err != nil || len(got) != 1 {
		t.Fatalf("Receive = %v, %v, want the message", got, err)
	}
	if err := b.Delete(t.Context(), got[0].Receipt); err != nil {
		t.Fatal(err)
	}
	if again, err := a.Receive(t.Context(), 1, time.Minute, 5*time.Second); err != nil || len(again) != 1 {
		t.Errorf("Receive = %v, %v, want the message again", again, err)
	}
}

func TestBadReceipt(t *testing.T) {
	q := open(t, filepath.Join(t.TempDir(), "queue.db"), time.Now).Queue(sqlite.Config{Name: "q"})
	for _, receipt := range []string{"", "1", "1.", "x.1", "1.x"} {
		if err := q.Delete(t.Context(), receipt); err == nil {
			t.Errorf("Delete(%q) gave no error", receipt)
		}
		if err := q.Release(t.Context(), receipt, 0); err == nil {
			t.Errorf("Release(%q) gave no error", receipt)
		}
	}
}

func TestOpen(t *testing.T) {
	// Characters that mean something in the address of a database.
	path := filepath.Join(t.TempDir(), "a b?c#d%20.db")
	open(t, path, time.Now)
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
	if file, err := sqlite.Open(filepath.Join(t.TempDir(), "missing", "queue.db"), time.Now); err == nil {
		file.Close()
		t.Error("Open in a folder that does not exist gave no error")
	} else if !strings.Contains(err.Error(), "missing") {
		t.Errorf("the error does not name the file: %v", err)
	}
}

func BenchmarkSend(b *testing.B) {
	file, err := sqlite.Open(filepath.Join(b.TempDir(), "queue.db"), time.Now)
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	q := file.Queue(sqlite.Config{Name: "q"})
	for b.Loop() {
		if err := q.Send(b.Context(), queue.Outgoing{Body: "x"}); err != nil {
			b.Fatal(err)
		}
	}
}
