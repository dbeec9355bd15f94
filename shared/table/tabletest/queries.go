package tabletest

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"frontdesk/shared/table"
	"frontdesk/shared/table/internal/layout"
)

// bounds are the bounds of test queries, for the sort keys "a/00" to "c/19".
var bounds = []table.Query{
	{},
	{From: "b/"},
	{From: "b/05"},
	{From: "b/05x"},
	{To: "b/05"},
	{To: "b/05x"},
	{From: "a/18", To: "b/02"},
	{From: "b/05", To: "b/05"},
	{From: "b/05x", To: "b/05y"},
	{From: "b", To: "a"},
	{From: "d"},
	{Prefix: "b/"},
	{Prefix: "b/1"},
	{Prefix: "b/10"},
	{Prefix: "b/100"},
	{Prefix: "c"},
}

// within returns the expected items of a query, in order. It is the contract, implemented in memory.
func within(items []table.Item, q table.Query) []table.Item {
	var found []table.Item
	for _, item := range items {
		key := item.In(q.Index)
		if key.PK == q.PK && key.SK >= q.From && (q.To == "" || key.SK <= q.To) &&
			strings.HasPrefix(key.SK, string(q.Prefix)) {
			found = append(found, item)
		}
	}
	slices.SortFunc(found, func(a, b table.Item) int {
		order := cmp.Compare(a.In(q.Index).SK, b.In(q.Index).SK)
		if q.Descending {
			return -order
		}
		return order
	})
	return found
}

// held returns the items as an index returns them.
func held(index table.Index, items []table.Item) []table.Item {
	if !index.Narrow() {
		return items
	}
	keys := make([]table.Item, len(items))
	for i, item := range items {
		keys[i].Key = item.Key
		if index == table.Index3 {
			keys[i].Index3 = item.Index3
		} else {
			keys[i].Index4 = item.Index4
		}
	}
	return keys
}

// queries calls do with all combinations of query options.
func queries(index table.Index, pk string, do func(table.Query)) {
	for _, q := range bounds {
		for _, descending := range []bool{false, true} {
			for _, limit := range []int{0, 1, 7, 60, 100} {
				q.Index, q.PK, q.Descending, q.Limit = index, pk, descending, limit
				do(q)
			}
		}
	}
}

// pages reads all pages of a query.
func pages(t *testing.T, f *fixture, q table.Query) []table.Item {
	t.Helper()
	var all []table.Item
	for {
		page := f.query(t, q)
		if q.Limit > 0 && len(page.Items) > q.Limit {
			t.Fatalf("Query(%+v) returned %d items", q, len(page.Items))
		}
		all = append(all, page.Items...)
		if page.Next == "" {
			return all
		}
		if q.Limit == 0 {
			t.Fatalf("Query(%+v) has a next page", q)
		}
		if len(page.Items) != q.Limit {
			t.Fatalf("Query(%+v) returned %d items and a next page", q, len(page.Items))
		}
		q.After = page.Next
	}
}

func testQuery(t *testing.T, f *fixture) {
	var items []table.Item
	for _, first := range []string{"a", "b", "c"} {
		for i := range 20 {
			items = append(items, table.Item{Key: key(fmt.Sprintf("%s/%02d", first, i)), Doc: doc(i),
				Version: 1})
		}
	}
	others := []table.Item{{Key: table.Key{PK: "o", SK: "b/05"}}, {Key: table.Key{PK: "p2", SK: "b/05"}},
		{Key: table.Key{PK: "p\x00", SK: "b/05"}}}
	f.setAll(t, append(others, items...)...)
	queries(table.Primary, "p", func(q table.Query) {
		want := within(items, q)
		equal(t, fmt.Sprintf("%+v", q), pages(t, f, q), want)
		q.Stale = true
		equal(t, fmt.Sprintf("%+v", q), pages(t, f, q), want)
	})
}

// testQueryIndex reads indexes in which items share their keys. Items with one sort key may come in any
// order, but each comes once.
func testQueryIndex(t *testing.T, f *fixture) {
	var items []table.Item
	for _, first := range []string{"a", "b", "c"} {
		for i := range 20 {
			sk := fmt.Sprintf("%s/%02d", first, i/4*4) // four of each
			item := table.Item{Key: table.Key{PK: fmt.Sprint(first, i%3), SK: fmt.Sprint(i)}, Doc: doc(i),
				Version: 1}
			item.Index1 = table.Key{PK: "g", SK: sk}
			if i%2 == 0 {
				item.Index2 = table.Key{PK: "g", SK: sk}
			}
			if i%5 == 0 {
				item.Index3 = table.Key{PK: "g", SK: sk}
			}
			if i%10 == 0 {
				item.Index4 = table.Key{PK: "g", SK: sk}
			}
			items = append(items, item)
		}
	}
	others := []table.Item{{Key: key("none")}, {Key: key("other"), Index1: table.Key{PK: "h", SK: "b/04"}}}
	f.setAll(t, append(others, items...)...)
	byKey := func(a, b table.Item) int {
		return cmp.Or(cmp.Compare(a.PK, b.PK), cmp.Compare(a.SK, b.SK))
	}
	for index, n := range map[table.Index]int{
		table.Index1: 60, table.Index2: 30, table.Index3: 12, table.Index4: 6,
	} {
		f.awaitIndex(t, index, "g", n)
		queries(index, "g", func(q table.Query) {
			got, want := pages(t, f, q), held(index, within(items, q))
			for i := 1; i < len(got); i++ {
				before, after := got[i-1].In(index).SK, got[i].In(index).SK
				if before != after && (before > after) != q.Descending {
					t.Errorf("%+v: %q comes before %q", q, before, after)
				}
			}
			slices.SortFunc(got, byKey)
			slices.SortFunc(want, byKey)
			equal(t, fmt.Sprintf("%+v", q), got, want)
		})
	}
}

// testCursor reads forwards and backwards from every position of every order.
func testCursor(t *testing.T, f *fixture) {
	const n = 12
	var items []table.Item
	for i := range n {
		items = append(items, table.Item{
			Key: table.Key{PK: "p", SK: fmt.Sprintf("%02d", i)}, Version: 1,
			Index1: table.Key{PK: "p", SK: "same"}, Index2: table.Key{PK: "p", SK: fmt.Sprint(i / 5)},
			Index3: table.Key{PK: "p", SK: fmt.Sprint(i / 3)},
			Index4: table.Key{PK: "p", SK: fmt.Sprint(i / 4)},
		})
	}
	f.setAll(t, items...)
	for _, index := range append(layout.Indexes[:], table.Primary) {
		f.awaitIndex(t, index, "p", n)
		all := f.query(t, table.Query{Index: index, PK: "p"}).Items
		backwards := slices.Clone(all)
		slices.Reverse(backwards)
		equal(t, "backwards", f.query(t, table.Query{Index: index, PK: "p", Descending: true}).Items,
			backwards)
		for i, item := range all {
			q := table.Query{Index: index, PK: "p", After: table.Cursor(index, item)}
			equal(t, fmt.Sprintf("index %d after item %d", index, i), f.query(t, q).Items, all[i+1:])
			q.Limit = 3
			equal(t, fmt.Sprintf("index %d after item %d, three", index, i), f.query(t, q).Items,
				all[i+1:min(i+4, n)])
			q.Limit, q.Descending = 0, true
			equal(t, fmt.Sprintf("index %d before item %d", index, i), f.query(t, q).Items, backwards[n-i:])
			q.Limit = 3
			equal(t, fmt.Sprintf("index %d before item %d, three", index, i), f.query(t, q).Items,
				backwards[n-i:min(n-i+3, n)])
		}
	}
}

// testCursorOfDeleted continues after a deleted item, and after a position that never had one.
func testCursorOfDeleted(t *testing.T, f *fixture) {
	var items []table.Item
	for i := range 6 {
		items = append(items, table.Item{
			Key: key(fmt.Sprint(i)), Version: 1, Index1: table.Key{PK: "g", SK: "same"},
			Index2: table.Key{PK: "g", SK: fmt.Sprint(i)},
			Index3: table.Key{PK: "g", SK: fmt.Sprint(i)},
			Index4: table.Key{PK: "h", SK: fmt.Sprint(i)},
		})
	}
	f.setAll(t, items...)
	for _, index := range append(layout.Indexes[:], table.Primary) {
		pk := items[0].In(index).PK
		f.awaitIndex(t, index, pk, 6)
		all := f.query(t, table.Query{Index: index, PK: pk}).Items
		page := f.query(t, table.Query{Index: index, PK: pk, Limit: 3})
		gone := f.get(t, all[2].Key)
		f.transact(t, table.Delete(gone.Key))
		f.awaitIndex(t, index, pk, 5)
		equal(t, fmt.Sprintf("index %d", index),
			f.query(t, table.Query{Index: index, PK: pk, After: page.Next}).Items, all[3:])
		back := table.Query{Index: index, PK: pk, After: page.Next, Descending: true}
		equal(t, fmt.Sprintf("index %d backwards", index), f.query(t, back).Items,
			[]table.Item{all[1], all[0]})
		f.setAll(t, *gone)
	}
	never := table.Cursor(table.Primary, table.Item{Key: key("2x")})
	equal(t, "where none was", f.query(t, table.Query{PK: "p", After: never}).Items, items[3:])
}

func testBadCursor(t *testing.T, f *fixture) {
	item := table.Item{Key: key("m"), Index1: table.Key{PK: "p", SK: "m"},
		Index2: table.Key{PK: "p", SK: "m"}}
	f.setAll(t, item)
	primary, index := table.Cursor(table.Primary, item), table.Cursor(table.Index1, item)
	long := table.Cursor(table.Primary, table.Item{Key: key(strings.Repeat("m", table.MaxSortKey+1))})
	for name, q := range map[string]table.Query{
		"of an index":            {After: index},
		"of the table":           {Index: table.Index1, After: primary},
		"of the table, index 2":  {Index: table.Index2, After: primary},
		"of the table, index 3":  {Index: table.Index3, After: primary},
		"no base64":              {After: "!"},
		"no JSON":                {After: "AAAA"},
		"of nothing":             {After: "e30"},
		"cut":                    {After: primary[:len(primary)-2]},
		"too long":               {After: long},
		"above the bounds":       {To: "l", After: primary},
		"below the bounds":       {From: "n", After: primary},
		"outside the prefix":     {Prefix: "n", After: primary},
		"outside a longer one":   {Prefix: "mm", After: primary},
		"below, backwards":       {From: "n", After: primary, Descending: true},
		"below in an index":      {Index: table.Index1, From: "n", After: index},
		"text of another origin": {After: "2"},
	} {
		t.Run(name, func(t *testing.T) {
			q.PK = "p"
			page, err := f.Table.Query(t.Context(), q)
			if !errors.Is(err, table.ErrBadCursor) {
				t.Errorf("Query = %v, %v, want ErrBadCursor", page, err)
			}
		})
	}
	t.Run("at the bounds", func(t *testing.T) {
		for _, q := range []table.Query{{From: "m"}, {To: "m"}, {Prefix: "m"},
			{From: "m", To: "m", Descending: true}} {
			q.PK, q.After = "p", primary
			equal(t, fmt.Sprintf("%+v", q), f.query(t, q).Items, []table.Item{})
		}
	})
}

// testLargeQuery reads more than DynamoDB returns in one request.
func testLargeQuery(t *testing.T, f *fixture) {
	var items []table.Item
	for i := range 20 {
		item := sized(key(fmt.Sprintf("%02d", i)), 120<<10)
		item.Index1 = table.Key{PK: "g", SK: item.SK}
		items = append(items, item)
	}
	f.setAll(t, items...)
	f.awaitIndex(t, table.Index1, "g", len(items))
	for _, limit := range []int{0, 11, 20, 100} {
		equal(t, fmt.Sprint("limit ", limit), pages(t, f, table.Query{PK: "p", Limit: limit}), items)
		equal(t, fmt.Sprint("index, limit ", limit),
			pages(t, f, table.Query{Index: table.Index1, PK: "g", Limit: limit}), items)
	}
}
