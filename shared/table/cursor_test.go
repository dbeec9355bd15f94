package table_test

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"frontdesk/shared/table"
)

func TestBounds(t *testing.T) {
	for _, test := range []struct {
		query    table.Query
		from, to string
	}{
		{table.Query{}, "", ""},
		{table.Query{From: "a", To: "b"}, "a", "b"},
		{table.Query{Prefix: "a/"}, "a/", "a/\xff"},
	} {
		from, to := test.query.Bounds()
		if from != test.from || to != test.to {
			t.Errorf("Bounds of %+v = %q, %q, want %q, %q", test.query, from, to, test.from, test.to)
		}
	}
}

func TestCursor(t *testing.T) {
	item := table.Item{
		Key: table.Key{PK: "p", SK: "<s>\x00é"}, Index1: table.Key{PK: "g", SK: "1"},
		Index2: table.Key{PK: "h", SK: "2"},
		Index3: table.Key{PK: "i", SK: "3"},
	}
	type start struct {
		SK   string
		Base table.Key
	}
	for index, want := range map[table.Index]start{
		table.Primary: {SK: item.SK},
		table.Index1:  {SK: "1", Base: item.Key},
		table.Index2:  {SK: "2", Base: item.Key},
		table.Index3:  {SK: "3", Base: item.Key},
	} {
		text := table.Cursor(index, item)
		if strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			t.Errorf("%q does not go into an address as it is", text)
		}
		sk, base, err := table.Query{Index: index, After: text}.Start()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, start{sk, base}); diff != "" {
			t.Errorf("start in index %d (-want +got):\n%s", index, diff)
		}
	}
}

// FuzzStart expects that whatever cursor a caller makes up, the query stays within its bounds and its index.
func FuzzStart(f *testing.F) {
	item := table.Item{Key: table.Key{PK: "p", SK: "m"}, Index1: table.Key{PK: "g", SK: "m"}}
	for _, text := range []string{
		table.Cursor(table.Primary, item), table.Cursor(table.Index1, item), "", "e30", "bnVsbA",
		"eyJzIjoxfQ", "eyJzIjoiAP8ifQ", "!",
	} {
		f.Add(text, 0, "a", "z", "")
		f.Add(text, 1, "", "", "m")
	}
	f.Fuzz(func(t *testing.T, text string, index int, from, to, prefix string) {
		q := table.Query{Index: table.Index(index & 1), From: from, To: to, After: text}
		if prefix != "" {
			q.From, q.To, q.Prefix = "", "", table.SortPrefix(prefix)
		}
		sk, base, err := q.Start()
		if err != nil {
			if !errors.Is(err, table.ErrBadCursor) {
				t.Errorf("Start: %v, want ErrBadCursor", err)
			}
			return
		}
		if sk == "" || len(sk) > table.MaxSortKey || !utf8.ValidString(sk) {
			t.Errorf("sort key %q cannot be", sk)
		}
		if sk < q.From || q.To != "" && sk > q.To || !strings.HasPrefix(sk, string(q.Prefix)) {
			t.Errorf("sort key %q is outside %+v", sk, q)
		}
		if none := (table.Key{}); (base == none) != (q.Index == table.Primary) {
			t.Errorf("base %v in index %d", base, q.Index)
		}
		// The place can be said again.
		again := table.Item{Key: table.Key{PK: "p", SK: sk}}
		if q.Index != table.Primary {
			again = table.Item{Key: base, Index1: table.Key{PK: "g", SK: sk}}
		}
		q.After = table.Cursor(q.Index, again)
		if sk2, base2, err := q.Start(); err != nil || sk2 != sk || base2 != base {
			t.Errorf("Start of the same place = %q, %v, %v, want %q, %v", sk2, base2, err, sk, base)
		}
	})
}
