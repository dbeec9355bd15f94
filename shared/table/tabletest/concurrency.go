package tabletest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"frontdesk/shared/table"
)

const (
	workers = 16 // concurrent goroutines
	turns   = 12 // repetitions of each
)

// concurrently runs do in every worker and waits for all.
func concurrently(do func(worker int)) {
	var wg sync.WaitGroup
	for worker := range workers {
		wg.Go(func() { do(worker) })
	}
	wg.Wait()
}

// insist repeats do until it is not refused for load.
func insist(do func() error) error {
	for {
		if err := do(); !errors.Is(err, table.ErrBusy) {
			return err
		}
	}
}

// testCounters adds to the same numbers concurrently and expects exact sums.
func testCounters(t *testing.T, f *fixture) {
	const bound = workers * turns / 3
	f.setAll(t, table.Item{Key: key("made")})
	var mu sync.Mutex
	bounded := 0
	concurrently(func(worker int) {
		for turn := range turns {
			if err := insist(func() error {
				return f.Table.Transact(t.Context(),
					table.Add(key("new"), "n", 1),
					table.Add(key("made"), "transact", int64(turn)),
					table.Put(table.Item{Key: key(fmt.Sprint("log ", worker, " ", turn))}))
			}); err != nil {
				t.Error(err)
			}
			if err := insist(func() error {
				_, err := f.Table.Update(t.Context(),
					table.Update{Key: key("made"), Add: map[string]int64{"update": 2, "both": -1}})
				return err
			}); err != nil {
				t.Error(err)
			}
			err := insist(func() error {
				return f.Table.Transact(t.Context(), table.AddAtMost(key("bounded"), "n", 1, bound))
			})
			switch {
			case err == nil:
				mu.Lock()
				bounded++
				mu.Unlock()
			case !table.ConditionErrorAt(err, 0):
				t.Error(err)
			}
		}
	})
	const n = workers * turns
	equal(t, "made by Add", f.get(t, key("new")),
		&table.Item{Key: key("new"), Numbers: map[string]int64{"n": n}, Version: 1})
	equal(t, "there before", f.get(t, key("made")), &table.Item{
		Key: key("made"), Numbers: map[string]int64{"transact": n * (turns - 1) / 2, "update": 2 * n,
			"both": -n}, Version: 1,
	})
	equal(t, "bounded", f.get(t, key("bounded")),
		&table.Item{Key: key("bounded"), Numbers: map[string]int64{"n": bound}, Version: 1})
	equal(t, "writes that kept the bound", bounded, bound)
	equal(t, "logs", len(f.query(t, table.Query{PK: "p", Prefix: "log "}).Items), n)
}

// testVersions changes one document concurrently, each time after reading it, and expects no change to be
// lost.
func testVersions(t *testing.T, f *fixture) {
	f.setAll(t, table.Item{Key: key("x"), Doc: []byte("[")})
	concurrently(func(int) {
		for turn := 0; turn < turns/2; {
			item, err := f.Table.Get(t.Context(), key("x"))
			if err != nil {
				t.Error(err)
				return
			}
			item.Doc = append(item.Doc, '.')
			err = insist(func() error { return f.Table.Transact(t.Context(), table.PutIfVersion(item)) })
			switch {
			case err == nil:
				turn++
			case !table.ConditionErrorAt(err, 0):
				t.Error(err)
				return
			}
		}
	})
	const n = workers * (turns / 2)
	got := f.get(t, key("x"))
	equal(t, "version", got.Version, int64(1+n))
	equal(t, "length", len(got.Doc), 1+n)
}

// testTransfers moves amounts between accounts and expects the sum to stay the same, and no account below
// zero.
func testTransfers(t *testing.T, f *fixture) {
	const accounts = 4
	account := func(n int) table.Key { return key(fmt.Sprint(n % accounts)) }
	for n := range accounts {
		f.setAll(t, table.Item{Key: account(n), Numbers: map[string]int64{"amount": 5}})
	}
	concurrently(func(worker int) {
		for turn := range turns {
			from, to := worker+turn, worker*3+turn*2+1
			if account(from) == account(to) {
				to++
			}
			err := insist(func() error {
				return f.Table.Transact(t.Context(),
					table.AddAtLeast(account(from), "amount", -2, 0), table.Add(account(to), "amount", 2))
			})
			if err != nil && !table.ConditionErrorAt(err, 0) {
				t.Error(err)
			}
		}
	})
	sum := int64(0)
	for n := range accounts {
		amount := f.get(t, account(n)).Numbers["amount"]
		if amount < 0 {
			t.Errorf("account %d has %d", n, amount)
		}
		sum += amount
	}
	equal(t, "sum", sum, int64(accounts*5))
}

// testWriteSkew runs two transactions that each delete an item if the other's exists, and expects one item
// to be left.
func testWriteSkew(t *testing.T, f *fixture) {
	for round := range 25 {
		a, b := key(fmt.Sprint(round, "a")), key(fmt.Sprint(round, "b"))
		f.setAll(t, table.Item{Key: a}, table.Item{Key: b})
		_ = table.Parallel(t.Context(),
			func(context.Context) error {
				return insist(func() error {
					return f.Table.Transact(t.Context(), table.Check(b),
						table.Delete(a))
				})
			},
			func(context.Context) error {
				return insist(func() error {
					return f.Table.Transact(t.Context(), table.Check(a),
						table.Delete(b))
				})
			})
		left, err := f.Table.BatchGet(t.Context(), a, b)
		if err != nil {
			t.Fatal(err)
		}
		if len(left) != 1 {
			t.Fatalf("%d items are left, want 1", len(left))
		}
	}
}

// testEndedContext expects calls with an ended context to fail.
func testEndedContext(t *testing.T, f *fixture) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, call := range map[string]func() error{
		"Get":      func() error { _, err := f.Table.Get(ctx, key("a")); return err },
		"BatchGet": func() error { _, err := f.Table.BatchGet(ctx, key("a")); return err },
		"Query":    func() error { _, err := f.Table.Query(ctx, table.Query{PK: "p"}); return err },
		"Update":   func() error { _, err := f.Table.Update(ctx, table.Update{Key: key("a")}); return err },
		"Transact": func() error { return f.Table.Transact(ctx, table.Put(table.Item{Key: key("a")})) },
		"WriteAll": func() error { return f.Table.WriteAll(ctx, table.Set(table.Item{Key: key("a")})) },
		"Changes":  func() error { _, err := f.Feed.Changes(ctx, "", 1); return err },
	} {
		if err := call(); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v, want context.Canceled", name, err)
		}
	}
	equal(t, "item", f.get(t, key("a")), (*table.Item)(nil))
}
