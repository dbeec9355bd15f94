package delivery_test

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"frontdesk/shared/delivery"
	"frontdesk/shared/table"
	"frontdesk/shared/table/sqlite"
)

// A clock is moved by tests.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) move(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// budgets runs a test on each kind of budget.
func budgets(t *testing.T, test func(t *testing.T, b delivery.Budget, c *clock)) {
	start := func() *clock { return &clock{now: time.Date(2026, 3, 2, 9, 30, 0, 0, time.UTC)} }
	t.Run("local", func(t *testing.T) {
		c := start()
		test(t, &delivery.LocalBudget{Now: c.Now}, c)
	})
	t.Run("table", func(t *testing.T) {
		c := start()
		test(t, &delivery.TableBudget{Table: open(t, c), Now: c.Now}, c)
	})
}

func open(t *testing.T, c *clock) table.Table {
	t.Helper()
	store, err := sqlite.Open(filepath.Join(t.TempDir(), "table.db"), c.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	return store
}

func hook(account, id int64) delivery.Receiver {
	return delivery.Receiver{AccountID: account, AgentID: 1, WebhookID: id}
}

// take expects a loan of so many lanes.
func take(t *testing.T, b delivery.Budget, to delivery.Receiver, l delivery.Limits, n,
	want int) delivery.Loan {
	t.Helper()
	loan, err := b.Take(t.Context(), to, l, n)
	if err != nil || loan.Lanes != want {
		t.Fatalf("Take of %d for %+v = %+v, %v, want %d lanes", n, to, loan, err, want)
	}
	return loan
}

func giveBack(t *testing.T, b delivery.Budget, loan delivery.Loan, n int) {
	t.Helper()
	for range n {
		if err := b.Return(t.Context(), loan); err != nil {
			t.Fatal(err)
		}
	}
}

func TestBudget(t *testing.T) {
	budgets(t, func(t *testing.T, b delivery.Budget, _ *clock) {
		l := delivery.Limits{AtOnce: 8, PerReceiver: 6, PerMinute: 1000}
		one, two := hook(1, 1), hook(1, 2)
		first := take(t, b, one, l, 10, delivery.MaxLanes)
		take(t, b, one, l, 10, 1) // 6 to the receiver
		take(t, b, one, l, 1, 0)
		second := take(t, b, two, l, 3, 2) // 8 of the workspace
		for i := range int64(delivery.Reserve) {
			take(t, b, hook(1, 3+i), l, 5, 1) // nothing is under way to these
		}
		take(t, b, hook(1, 1000), l, 5, 0) // the reserve is used up
		take(t, b, two, l, 1, 0)           // two has attempts under way
		take(t, b, hook(2, 1), l, 1, 1)    // another workspace has its own
		giveBack(t, b, first, first.Lanes)
		giveBack(t, b, second, second.Lanes)
		take(t, b, one, l, 4, 0) // one has an attempt under way, and the reserve is for those without
		take(t, b, two, l, 4, 1)
	})
}

func TestBudgetOfMinute(t *testing.T) {
	budgets(t, func(t *testing.T, b delivery.Budget, c *clock) {
		l := delivery.Limits{AtOnce: 100, PerReceiver: 100, PerMinute: 12}
		for _, n := range []int{7, 5} {
			giveBack(t, b, take(t, b, hook(1, 1), l, n, 5), 5)
		}
		take(t, b, hook(1, 1), l, 1, 0)
		take(t, b, hook(1, 2), l, 1, 0)
		c.move(time.Minute)
		take(t, b, hook(1, 1), l, 1, 1)
	})
}

// TestTableBudgetForgets has workers die with what they took, and expects it to be free after two windows,
// and the item to stay small.
func TestTableBudgetForgets(t *testing.T) {
	c := &clock{now: time.Date(2026, 3, 2, 9, 30, 0, 0, time.UTC)}
	store := open(t, c)
	b := &delivery.TableBudget{Table: store, Now: c.Now}
	l := delivery.Limits{AtOnce: 5, PerReceiver: 5, PerMinute: 1000}
	for i := range int64(100) {
		take(t, b, hook(1, i), l, 5, 5)
		take(t, b, hook(1, i), l, 5, 0)
		c.move(delivery.Lease)
		take(t, b, hook(1, i), l, 5, 0)
		c.move(delivery.Lease)
	}
	item, err := store.Get(t.Context(), delivery.BudgetKey(1))
	if err != nil || len(item.Numbers) > 100 {
		t.Errorf("the item has %d numbers, %v", len(item.Numbers), err)
	}
}

// TestLocalBudgetWaits has attempts to one receiver end while others wait for room. They are served in order,
// the later ones after more than the patience. A Take for a receiver that hangs gives up after the patience.
func TestLocalBudgetWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const patience, attempt = 250 * time.Millisecond, 200 * time.Millisecond
		b := &delivery.LocalBudget{Now: time.Now, Patience: patience}
		l := delivery.Limits{AtOnce: 100, PerReceiver: 1, PerMinute: 1000}
		answers, hangs := hook(1, 1), hook(1, 2)
		take(t, b, hangs, l, 1, 1)
		begun := time.Now()
		var order []int
		var callers sync.WaitGroup
		for i := range 4 {
			callers.Go(func() {
				loan := take(t, b, answers, l, 1, 1)
				order = append(order, i)
				time.Sleep(attempt)
				b.Ended(loan)
				giveBack(t, b, loan, 1)
			})
			synctest.Wait() // it has begun before the next one
		}
		take(t, b, hangs, l, 1, 0)
		if waited := time.Since(begun); waited != patience {
			t.Errorf("waited %v for a receiver that hangs, want %v", waited, patience)
		}
		callers.Wait()
		if !slices.Equal(order, []int{0, 1, 2, 3}) || time.Since(begun) != 4*attempt {
			t.Errorf("served %v within %v", order, time.Since(begun))
		}
	})
}

// TestLocalBudgetGivesUp has attempts to a receiver end without room for one that waits behind many others.
// It gives up after a while, and when its context ends.
func TestLocalBudgetGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &delivery.LocalBudget{Now: time.Now, Patience: time.Second}
		l := delivery.Limits{AtOnce: 100, PerReceiver: 1, PerMinute: 1000}
		for range 10 {
			go func() {
				if loan, err := b.Take(t.Context(), hook(1, 1), l, 1); err == nil && loan.Lanes == 1 {
					for range 3 {
						time.Sleep(900 * time.Millisecond)
						b.Ended(loan)
					}
					giveBack(t, b, loan, 1)
				}
			}()
		}
		synctest.Wait()
		begun := time.Now()
		take(t, b, hook(1, 1), l, 1, 0)
		if waited := time.Since(begun); waited != 2*time.Second {
			t.Errorf("waited %v, want 2 s", waited)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		if _, err := b.Take(ctx, hook(1, 1), l, 1); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Take with a context that ends = %v", err)
		}
		time.Sleep(time.Minute)
		take(t, b, hook(1, 1), l, 1, 1) // those who gave up hold nothing
	})
}
