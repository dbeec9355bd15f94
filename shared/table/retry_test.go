package table_test

import (
	"context"
	"errors"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"frontdesk/shared/table"
	"frontdesk/shared/table/sqlite"
)

// TestRetryUnderContention has many change one item at once, each by what it read. Nobody is refused and
// nothing is lost.
func TestRetryUnderContention(t *testing.T) {
	store, err := sqlite.Open(filepath.Join(t.TempDir(), "table.db"), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	key := table.Key{PK: "p", SK: "s"}
	if err := store.Transact(t.Context(), table.PutIfAbsent(table.Item{Key: key,
		Doc: []byte("0")})); err != nil {
		t.Fatal(err)
	}
	const writers = 50
	var all sync.WaitGroup
	for range writers {
		all.Go(func() {
			err := table.Retry(t.Context(), func() error {
				item, err := store.Get(t.Context(), key)
				if err != nil {
					return err
				}
				n, err := strconv.Atoi(string(item.Doc))
				if err != nil {
					return err
				}
				item.Doc = strconv.AppendInt(nil, int64(n+1), 10)
				return store.Transact(t.Context(), table.PutIfVersion(item))
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	item, err := store.Get(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(item.Doc); got != strconv.Itoa(writers) {
		t.Errorf("%d changes left %s", writers, got)
	}
}

func TestRetryEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		failed := &table.ConditionError{Writes: []int{0}}
		other := errors.New("other")
		ended, end := context.WithCancel(t.Context())
		end()
		for name, test := range map[string]struct {
			ctx    context.Context
			change func(call int) error
			calls  int
			want   error
		}{
			"at once":        {t.Context(), func(int) error { return nil }, 1, nil},
			"with its error": {t.Context(), func(int) error { return other }, 1, other},
			"after a conflict": {t.Context(),
				func(call int) error { return []error{failed, failed, nil}[call] }, 3, nil},
			"in the end":       {t.Context(), func(int) error { return failed }, 24, table.ErrBusy},
			"with its context": {ended, func(int) error { return failed }, 1, context.Canceled},
		} {
			calls := 0
			start := time.Now()
			err := table.Retry(test.ctx, func() error {
				calls++
				return test.change(calls - 1)
			})
			if calls != test.calls || !errors.Is(err, test.want) {
				t.Errorf("%s: %d calls, %v", name, calls, err)
			}
			if took := time.Since(start); took > 4*time.Second {
				t.Errorf("%s: it waited %s", name, took)
			}
		}
	})
}
