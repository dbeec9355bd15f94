package tabletest

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"frontdesk/shared/table"
)

// tooLarge fails the test if err is not ErrTooLarge.
func tooLarge(t *testing.T, what string, err error) {
	t.Helper()
	if !errors.Is(err, table.ErrTooLarge) {
		t.Errorf("%s: %v, want ErrTooLarge", what, err)
	}
}

// testItemSize writes items of the maximum size and of one byte more.
func testItemSize(t *testing.T, f *fixture) {
	largest := put(key("x"), table.MaxItemSize)
	larger := put(key("x"), table.MaxItemSize+1)

	f.transact(t, table.PutIfAbsent(largest))
	equal(t, "largest", f.get(t, key("x")), &largest)
	f.transact(t, table.PutIfVersion(largest))
	tooLarge(t, "PutIfVersion", f.Table.Transact(t.Context(), table.PutIfVersion(larger),
		table.Put(table.Item{Key: key("y")})))
	tooLarge(t, "Add", f.Table.Transact(t.Context(), table.Put(table.Item{Key: key("y")}),
		table.Add(key("x"), "n", 1)))
	if _, err := f.Table.Update(t.Context(), table.Update{Key: key("x"),
		Add: map[string]int64{"n": 1}}); !errors.Is(err, table.ErrTooLarge) {
		t.Errorf("Update: %v, want ErrTooLarge", err)
	}
	largest.Version = 2
	equal(t, "items", f.query(t, table.Query{PK: "p"}).Items, []table.Item{largest})

	largest, larger = sized(key("x"), table.MaxItemSize), sized(key("x"), table.MaxItemSize+1)
	f.setAll(t, largest)
	tooLarge(t, "WriteAll", f.Table.WriteAll(t.Context(), table.Set(table.Item{Key: key("y")}),
		table.Set(larger)))
	equal(t, "items", f.query(t, table.Query{PK: "p"}).Items, []table.Item{largest})

	// Existing numbers count too, although the put does not name them.
	f.transact(t, table.Set(table.Item{Key: key("z"), Numbers: map[string]int64{"n": 1}}))
	tooLarge(t, "Put", f.Table.Transact(t.Context(), table.Put(sized(key("z"), table.MaxItemSize))))

	// The digits of a number count: one byte for two.
	full := table.Item{Key: key("w"), Numbers: map[string]int64{"n": 99}, Version: 1}
	full.Doc = []byte(strings.Repeat("x", len(largest.Doc)-len("n_n")-2))
	f.setAll(t, full)
	if _, err := f.Table.Update(t.Context(), table.Update{Key: key("w"),
		Add: map[string]int64{"n": 1}}); err != nil {
		t.Errorf("Update to 100: %v", err)
	}
	if _, err := f.Table.Update(t.Context(), table.Update{Key: key("w"),
		Add: map[string]int64{"n": 1}}); !errors.Is(err, table.ErrTooLarge) {
		t.Errorf("Update to 101: %v, want ErrTooLarge", err)
	}
}

// testTransactSize carries out transactions of the maximum sizes and larger ones.
func testTransactSize(t *testing.T, f *fixture) {
	puts := func(n, size int) []table.Write {
		writes := make([]table.Write, n)
		for i := range writes {
			writes[i] = table.Put(put(key(fmt.Sprintf("%03d", i)), size))
		}
		return writes
	}
	tooLarge(t, "101 writes", f.Table.Transact(t.Context(), puts(table.MaxTransact+1, 100)...))
	tooLarge(t, "11 items of 400 KB", f.Table.Transact(t.Context(), puts(11, table.MaxItemSize)...))
	equal(t, "items", f.query(t, table.Query{PK: "p"}).Items, []table.Item{})
	f.transact(t, puts(table.MaxTransact, 100)...)
	if got := len(f.query(t, table.Query{PK: "p"}).Items); got != table.MaxTransact {
		t.Errorf("%d items, want %d", got, table.MaxTransact)
	}
	f.transact(t, puts(10, table.MaxItemSize)...)
}

func testKeySize(t *testing.T, f *fixture) {
	longest := table.Key{PK: strings.Repeat("p", table.MaxPartitionKey),
		SK: strings.Repeat("s", table.MaxSortKey)}
	item := table.Item{Key: longest, Index1: longest, Index2: longest, Index3: longest, Index4: longest,
		Version: 1}
	f.transact(t, table.Put(item))
	equal(t, "Get", f.get(t, longest), &item)
	for _, index := range []table.Index{table.Primary, table.Index1, table.Index3, table.Index4} {
		f.awaitIndex(t, index, longest.PK, 1)
		q := table.Query{Index: index, PK: longest.PK, From: longest.SK, To: longest.SK}
		equal(t, "Query", f.query(t, q).Items, held(index, []table.Item{item}))
		q.After = table.Cursor(index, item)
		equal(t, "Query behind it", f.query(t, q).Items, []table.Item{})
	}
	for _, long := range []table.Key{{PK: longest.PK + "p", SK: "s"}, {PK: "p", SK: longest.SK + "s"}} {
		tooLarge(t, "key", f.Table.Transact(t.Context(), table.Put(table.Item{Key: long})))
		tooLarge(t, "key in WriteAll", f.Table.WriteAll(t.Context(), table.Set(table.Item{Key: long})))
		tooLarge(t, "key of an index", f.Table.Transact(t.Context(),
			table.Put(table.Item{Key: key("x"), Index2: long})))
	}
}
