package sqlite_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"frontdesk/shared/table"
	"frontdesk/shared/table/sqlite"
)

// childVariable makes the test binary write into the file of that path without end and print what was
// acknowledged.
const childVariable = "TABLE_TEST_FILE"

func TestMain(m *testing.M) {
	if path := os.Getenv(childVariable); path != "" {
		err := writeAlways(path)
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// writeAlways writes from several goroutines, in each way that there is. It prints the sort key of each item
// after it was acknowledged; the transactions make two items each and count them.
func writeAlways(path string) error {
	t, err := sqlite.Open(path, time.Now)
	if err != nil {
		return err
	}
	ctx := context.Background()
	if err := t.Transact(ctx, table.Add(counter, "transact", 0)); err != nil {
		return err
	}
	name := func(way, worker, i int) string { return fmt.Sprintf("%d/%d/%d/%d", way, worker, os.Getpid(), i) }
	item := func(sk string) table.Item { return table.Item{Key: table.Key{PK: "p", SK: sk}, Doc: []byte(sk)} }
	writer := func(worker int) func(context.Context) error {
		return func(ctx context.Context) error {
			for i := 0; ; i++ {
				one, two := name(0, worker, i), name(1, worker, i)
				if err := t.Transact(ctx, table.PutIfAbsent(item(one)), table.Put(item(two)),
					table.Add(counter, "transact", 2)); err != nil {
					return err
				}
				fmt.Printf("%s\n%s\n", one, two)
				all := name(2, worker, i)
				if err := t.WriteAll(ctx, table.Set(item(all))); err != nil {
					return err
				}
				fmt.Println(all)
				if _, err := t.Update(ctx, table.Update{Key: counter,
					Add: map[string]int64{"update": 1}}); err != nil {
					return err
				}
				fmt.Println("update")
			}
		}
	}
	return table.Parallel(ctx, writer(0), writer(1), writer(2), writer(3))
}

var counter = table.Key{PK: "counter", SK: "counter"}

// startWriter starts a process that writes, and returns it with what it prints.
func startWriter(t *testing.T, path string) (*exec.Cmd, *bufio.Scanner) {
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

// TestSurvivesKill kills a writing process again and again. What it acknowledged must be there, what a
// transaction wrote must be there as a whole, and the feed must tell of all of it.
func TestSurvivesKill(t *testing.T) {
	path := filepath.Join(t.TempDir(), "table.db")
	acknowledged := map[string]bool{}
	updates := int64(0)
	for range 5 {
		child, lines := startWriter(t, path)
		for n := 0; lines.Scan(); n++ {
			if lines.Text() == "update" {
				updates++
			} else {
				acknowledged[lines.Text()] = true
			}
			if n == 300 {
				child.Process.Kill()
			}
		}
	}
	tb := open(t, path, time.Now)
	page, err := tb.Query(t.Context(), table.Query{PK: "p"})
	if err != nil {
		t.Fatal(err)
	}
	there, ofTransactions := map[string]bool{}, int64(0)
	for _, item := range page.Items {
		there[item.SK] = true
		if !strings.HasPrefix(item.SK, "2/") {
			ofTransactions++
		}
	}
	if len(acknowledged) < 5*200 {
		t.Fatalf("only %d writes were acknowledged", len(acknowledged))
	}
	for sk := range acknowledged {
		if !there[sk] {
			t.Errorf("%s was acknowledged and is not there", sk)
		}
	}
	counts, err := tb.Get(t.Context(), counter)
	if err != nil {
		t.Fatal(err)
	}
	if got := counts.Numbers["transact"]; got != ofTransactions {
		t.Errorf("transactions counted %d items and made %d", got, ofTransactions)
	}
	if got := counts.Numbers["update"]; got < updates {
		t.Errorf("%d updates were acknowledged, %d are there", updates, got)
	}
	after := ""
	for {
		changes, err := tb.Changes(t.Context(), after, 1000)
		if err != nil {
			t.Fatal(err)
		}
		if len(changes) == 0 {
			break
		}
		for _, change := range changes {
			delete(there, change.New.SK)
		}
		after = changes[len(changes)-1].Position
	}
	if len(there) > 0 {
		t.Errorf("the feed does not tell of %d items", len(there))
	}
}

// TestTwoProcesses writes and reads beside another process that writes, and expects to be told of its
// changes.
func TestTwoProcesses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "table.db")
	tb := open(t, path, time.Now)
	child, lines := startWriter(t, path)
	for lines.Scan() && lines.Text() != "update" {
	}
	go func() {
		for lines.Scan() { // unread lines would hold the writer up
		}
	}()
	for range 200 {
		for {
			err := tb.Transact(t.Context(), table.Add(counter, "here", 1))
			if err == nil {
				break
			}
			if !errors.Is(err, table.ErrBusy) {
				t.Fatal(err)
			}
		}
	}
	item, err := tb.Get(t.Context(), counter)
	if err != nil {
		t.Fatal(err)
	}
	if item.Numbers["here"] != 200 || item.Numbers["update"] == 0 {
		t.Errorf("numbers are %v, want 200 from here and some from there", item.Numbers)
	}
	// With this process idle, the signals are about the other's writes.
	<-tb.Changed()
	for range 3 {
		select {
		case <-tb.Changed():
		case <-time.After(10 * time.Second):
			t.Fatal("no signal of the other process's changes")
		}
	}
	child.Process.Kill()
}
