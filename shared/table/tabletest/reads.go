package tabletest

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"frontdesk/shared/table"
	"frontdesk/shared/table/internal/layout"
)

// testMissing expects not to find anything under keys without an item, including keys that no item can have.
func testMissing(t *testing.T, f *fixture) {
	for _, key := range []table.Key{
		key("nothing"),
		{},
		{PK: "p"},
		{SK: "s"},
		{PK: "p", SK: "not \xff UTF-8"},
		{PK: strings.Repeat("p", table.MaxPartitionKey+1), SK: "s"},
		{PK: "p", SK: strings.Repeat("s", table.MaxSortKey+1)},
	} {
		t.Run(clip(fmt.Sprintf("%.20q", key)), func(t *testing.T) {
			if _, err := f.Table.Get(t.Context(), key); !errors.Is(err, table.ErrNotFound) {
				t.Errorf("Get: %v, want ErrNotFound", err)
			}
			if _, err := f.Table.Update(t.Context(),
				table.Update{Key: key, Add: map[string]int64{"n": 1}}); !errors.Is(err, table.ErrNotFound) {
				t.Errorf("Update: %v, want ErrNotFound", err)
			}
			if got, err := f.Table.BatchGet(t.Context(), key); err != nil || len(got) != 0 {
				t.Errorf("BatchGet = %v, %v, want nothing", got, err)
			}
			for _, index := range append(layout.Indexes[:], table.Primary) {
				if got := f.query(t, table.Query{Index: index, PK: key.PK}); len(got.Items) != 0 ||
					got.Next != "" {
					t.Errorf("Query = %v, want nothing", got)
				}
			}
		})
	}
}

func testBatchGet(t *testing.T, f *fixture) {
	const n = 250
	var keys []table.Key
	want := map[table.Key]table.Item{}
	var items []table.Item
	for i := range n {
		item := table.Item{Key: table.Key{PK: fmt.Sprint("p", i%7), SK: fmt.Sprint(i)}, Doc: doc(i),
			Version: 1}
		keys = append(keys, item.Key)
		if i%10 != 0 {
			items = append(items, item)
			want[item.Key] = item
		}
	}
	f.setAll(t, items...)
	got, err := f.Table.BatchGet(t.Context(), keys...)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "items", got, want)

	if got, err = f.Table.BatchGetStale(t.Context(), keys...); err != nil {
		t.Fatal(err)
	}
	equal(t, "items that may be stale, and here are not", got, want)

	got, err = f.Table.BatchGet(t.Context(), keys[1], keys[1], table.Key{}, keys[1], keys[0])
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "items of keys named twice", got, map[table.Key]table.Item{keys[1]: want[keys[1]]})
}

// samples are texts that are hard to encode, in byte order.
var samples = []string{
	"\x00", "\x00\x00", "\t\n", " ", "!", `"`, "%", "'", "*", "0", "10", "9", "?", "A", "Z", "\\", "_", "a",
	"a\x00", "aa", "e\u0301", "z", "\x7f", "\u0080", "ß", "é", "Ω", "я", "\u200fעברית", "漢字", "\ufffd",
	"\uffff",
	"👩\u200d👩\u200d👧\u200d👦", "😀", "\U0010ffff",
}

// testText expects every text and all bytes to be returned unchanged.
func testText(t *testing.T, f *fixture) {
	var all []byte
	for i := range 256 {
		all = append(all, byte(i))
	}
	for _, sample := range samples {
		t.Run(fmt.Sprintf("%q", sample), func(t *testing.T) {
			item := table.Item{
				Key: table.Key{PK: sample, SK: sample}, Doc: []byte(sample),
				Blob:    append([]byte(sample), all...),
				Numbers: map[string]int64{sample: -1, "n" + sample: 1<<63 - 1, "m": -1 << 63},
				Index1:  table.Key{PK: sample, SK: sample}, Index2: table.Key{PK: sample + "2", SK: sample},
				Index3: table.Key{PK: sample + "3", SK: sample},
				Index4: table.Key{PK: sample + "4", SK: sample}, Version: 1,
			}
			f.transact(t, table.PutIfAbsent(item))
			equal(t, "Get", f.get(t, item.Key), &item)
			equal(t, "Query", f.query(t, table.Query{PK: sample, Prefix: table.SortPrefix(sample)}).Items,
				[]table.Item{item})
			f.awaitIndex(t, table.Index2, sample+"2", 1)
			equal(t, "Query of an index",
				f.query(t, table.Query{Index: table.Index2, PK: sample + "2"}).Items, []table.Item{item})
			f.awaitIndex(t, table.Index3, sample+"3", 1)
			equal(t, "Query of the narrow index",
				f.query(t, table.Query{Index: table.Index3, PK: sample + "3"}).Items, held(table.Index3,
					[]table.Item{item}))
			item.Version, item.Index1, item.Numbers = 2, table.Key{}, maps.Clone(item.Numbers)
			f.transact(t, table.Put(item), table.Add(key("count"), sample, 1))
			item.Numbers["added "+sample] = 1
			got, err := f.Table.Update(t.Context(),
				table.Update{Key: item.Key, Add: map[string]int64{"added " + sample: 1}})
			if err != nil {
				t.Fatal(err)
			}
			equal(t, "Update", got, item)
			batch, err := f.Table.BatchGet(t.Context(), item.Key)
			if err != nil {
				t.Fatal(err)
			}
			equal(t, "BatchGet", batch, map[table.Key]table.Item{item.Key: item})
		})
	}
	t.Run("empty", func(t *testing.T) {
		item := table.Item{Key: key("empty"), Doc: []byte{}, Blob: []byte{}, Numbers: map[string]int64{}}
		f.transact(t, table.Put(item))
		if got := f.get(t, item.Key); got == nil || got.Doc != nil || got.Blob != nil || got.Numbers != nil {
			t.Errorf("Get = %#v, want nil for what is empty", got)
		}
	})
}

// testOrder expects sort keys in byte order.
func testOrder(t *testing.T, f *fixture) {
	var items []table.Item
	for _, sample := range samples {
		items = append(items, table.Item{Key: key(
			sample), Index1: table.Key{PK: "g", SK: sample}, Version: 1})
	}
	f.setAll(t, items...)
	equal(t, "Query", f.query(t, table.Query{PK: "p"}).Items, items)
	f.awaitIndex(t, table.Index1, "g", len(items))
	equal(t, "Query of an index", f.query(t, table.Query{Index: table.Index1, PK: "g"}).Items, items)
	slices.Reverse(items)
	equal(t, "Query backwards", f.query(t, table.Query{PK: "p", Descending: true}).Items, items)
}
