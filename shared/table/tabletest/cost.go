package tabletest

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"frontdesk/shared/table"
	"frontdesk/shared/table/internal/layout"
)

// testCost compares the cost of calls with DynamoDB's documentation. Each call works on the items of those
// before it.
func testCost(t *testing.T, f *fixture) {
	one := table.Cost{Trips: 1, Requests: 1}
	reads := func(units float64) table.Cost { c := one; c.ReadUnits = units; return c }
	writes := func(units float64) table.Cost { c := one; c.WriteUnits = units; return c }
	get := func(sk string) func(context.Context) error {
		return func(ctx context.Context) error { _, _ = f.Table.Get(ctx, key(sk)); return nil }
	}
	query := func(q table.Query) func(context.Context) error {
		return func(ctx context.Context) error { _, err := f.Table.Query(ctx, q); return err }
	}
	transact := func(writes ...table.Write) func(context.Context) error {
		return func(ctx context.Context) error { return f.Table.Transact(ctx, writes...) }
	}
	failing := func(writes ...table.Write) func(context.Context) error {
		return func(ctx context.Context) error {
			if err := f.Table.Transact(ctx, writes...); !table.IsConditionError(err) {
				return fmt.Errorf("a transaction whose condition does not hold: %w", err)
			}
			return nil
		}
	}
	writeAll := func(writes ...table.Write) func(context.Context) error {
		return func(ctx context.Context) error { return f.Table.WriteAll(ctx, writes...) }
	}
	update := func(u table.Update) func(context.Context) error {
		return func(ctx context.Context) error { _, err := f.Table.Update(ctx, u); return err }
	}
	indexed := func(sk string, size int, g1, g2, g3 string) table.Item {
		item := table.Item{Key: key(sk), Version: 1}
		if g1 != "" {
			item.Index1 = table.Key{PK: "g", SK: g1}
		}
		if g2 != "" {
			item.Index2 = table.Key{PK: "g", SK: g2}
		}
		if g3 != "" {
			item.Index3 = table.Key{PK: "g", SK: g3}
		}
		item.Doc = []byte(strings.Repeat("x", size-layout.Size(item)-len(layout.Doc)))
		return item
	}
	manyNarrow := many(2000)
	for i := range manyNarrow {
		manyNarrow[i].Item.Index3 = table.Key{PK: "narrow", SK: "s"}
	}
	pageOf := func(n, size int) []table.Write {
		var all []table.Write
		for i := range n {
			item := sized(table.Key{PK: "page", SK: table.PadID(int64(i))}, size)
			all = append(all, table.Set(item))
		}
		return all
	}
	steps := []struct {
		name     string
		call     func(context.Context) error
		want     table.Cost
		rough    bool // RoughUnits excuses a difference
		advances time.Duration
	}{
		{name: "Set of 1 KB", call: writeAll(table.Set(sized(key("1k"), 1024))), want: writes(1)},
		{name: "Set of a byte more", call: writeAll(table.Set(sized(key("1k+"), 1025))), want: writes(2)},
		{name: "Set of a smaller one", call: writeAll(table.Set(sized(key("1k+"), 100))), want: writes(2)},
		{name: "Sets", call: writeAll(table.Set(sized(key("4k"), 4096)), table.Set(sized(key("4k+"), 4097))),
			want: writes(9)},
		{name: "Set of 400 KB", call: writeAll(table.Set(sized(key("400k"), 400<<10))), want: writes(400)},
		{name: "Delete", call: writeAll(table.Delete(key("400k"))), want: writes(400)},
		{name: "Delete of nothing", call: writeAll(table.Delete(key("400k"))), want: writes(1), rough: true},

		{name: "Get of 4 KB", call: get("4k"), want: reads(1)},
		{name: "Get of a byte more", call: get("4k+"), want: reads(2)},
		{name: "Get of nothing", call: get("nothing"), want: reads(1)},
		{name: "Get of no key", call: get(""), want: table.Cost{}},
		{name: "BatchGet", call: func(ctx context.Context) error {
			_, err := f.Table.BatchGet(ctx, key("4k"), key("4k+"), key("1k"))
			return err
		}, want: reads(4)},
		{name: "BatchGetStale", call: func(ctx context.Context) error {
			_, err := f.Table.BatchGetStale(ctx, key("4k"), key("4k+"), key("1k"), key("no"))
			return err
		}, want: table.Cost{Trips: 1, Requests: 1, ReadUnits: 2.5}, rough: true},
		{name: "BatchGet of nothing", call: func(ctx context.Context) error {
			_, err := f.Table.BatchGet(ctx, key("no"), key("nothing"))
			return err
		}, want: reads(2), rough: true},
		{name: "BatchGet of 250", call: func(ctx context.Context) error {
			var keys []table.Key
			for i := range 250 {
				keys = append(keys, key(fmt.Sprint("absent ", i)))
			}
			_, err := f.Table.BatchGet(ctx, keys...)
			return err
		}, want: table.Cost{Trips: 1, Requests: 3, ReadUnits: 250}, rough: true},

		// 100+1024+4096+4097 bytes.
		{name: "Query", call: query(table.Query{PK: "p"}), want: reads(3)},
		{name: "stale Query", call: query(table.Query{PK: "p", Stale: true}), want: reads(1.5)},
		{name: "Query of a part", call: query(table.Query{PK: "p", From: "4k", To: "4k"}), want: reads(1)},
		{name: "Query of nothing", call: query(table.Query{PK: "nothing"}), want: reads(1), rough: true},
		{name: "Query of no key", call: query(table.Query{}), want: table.Cost{}},
		{name: "write two pages", call: writeAll(pageOf(300, 4096)...),
			want: table.Cost{Trips: 2, Requests: 12, WriteUnits: 1200}},
		{name: "Query of two pages", call: query(table.Query{PK: "page"}),
			want: table.Cost{Trips: 2, Requests: 2, ReadUnits: 300}},
		{name: "Query with a Limit", call: query(table.Query{PK: "page", Limit: 10}), want: reads(10)},
		{name: "1,000 writes", call: writeAll(many(1000)...),
			want: table.Cost{Trips: 5, Requests: 40, WriteUnits: 1000}},

		{name: "Set in two indexes", call: writeAll(table.Set(indexed("i", 1500, "1", "2", ""))),
			want: writes(6)},
		{name: "Set of the same", call: writeAll(table.Set(indexed("i", 1500, "1", "2", ""))),
			want: writes(2)},
		{name: "Set of another size", call: writeAll(table.Set(indexed("i", 500, "1", "2", ""))),
			want: writes(6)},
		{name: "Set of another place", call: writeAll(table.Set(indexed("i", 500, "9", "2", ""))),
			want: writes(4)},
		{name: "Set out of an index", call: writeAll(table.Set(indexed("i", 500, "9", "", ""))),
			want: writes(3)},
		{name: "Query of an index", call: query(table.Query{Index: table.Index1, PK: "g"}), want: reads(0.5)},
		{name: "Set in the narrow index", call: writeAll(table.Set(indexed("k", 1500, "", "", "1"))),
			want: writes(3)},
		{name: "Set of a change beside it", call: writeAll(table.Set(indexed("k", 2500, "", "", "1"))),
			want: writes(3)},
		{name: "Set of another place in it", call: writeAll(table.Set(indexed("k", 2500, "", "", "2"))),
			want: writes(5)},
		{name: "Update in the narrow index", call: update(table.Update{Key: key("k"),
			Add: map[string]int64{"n": 1}}), want: writes(3)},
		{name: "Set out of the narrow index", call: writeAll(table.Set(indexed("k", 500, "", "", ""))),
			want: writes(4)},
		{name: "write thousands in it", call: writeAll(manyNarrow...),
			want: table.Cost{Trips: 10, Requests: 80, WriteUnits: 4000}},
		// 36 bytes each: 12 of names, 24 of values.
		{name: "Query of the narrow index", call: query(table.Query{Index: table.Index3, PK: "narrow"}),
			want: reads(9)},
		{name: "Update in an index", call: update(table.Update{Key: key("i"), Add: map[string]int64{"n": 1}}),
			want: writes(2)},
		{name: "Update that changes nothing",
			call: update(table.Update{Key: key("i"), Add: map[string]int64{"n": 0}}), want: writes(1)},
		{name: "Update of 4 KB", call: update(table.Update{Key: key("4k"), Add: map[string]int64{"n": 1}}),
			want: writes(5)},
		{name: "Update of nothing", call: func(ctx context.Context) error {
			_, _ = f.Table.Update(ctx, table.Update{Key: key("nothing")})
			return nil
		}, want: one},

		{name: "Transact", call: transact(table.Put(put(key("t1"), 1024)),
			table.PutIfAbsent(put(key("t2"), 1025)),
			table.Check(key("1k")), table.Add(key("t3"), "n", 1), table.Delete(key("nothing"))),
			want: writes(2 + 4 + 2 + 2 + 2), rough: true},
		{name: "Transact of a large check", call: transact(table.Check(key("4k+"))), want: writes(10),
			rough: true},
		{name: "Transact in indexes", call: transact(table.Put(indexed("j", 1500, "1", "2", ""))),
			want: writes(4 + 2 + 2), rough: true},
		{name: "Transact of another place", call: transact(table.Put(indexed("j", 500, "3", "2", ""))),
			want: writes(4 + 3 + 2), rough: true},
		{name: "Transact that fails", call: failing(table.Put(table.Item{Key: key("t1")}),
			table.Check(key("nothing"))), want: one},
		{name: "PutIfVersion", call: transact(table.PutIfVersion(table.Item{Key: key("t3"), Version: 1})),
			want: writes(2), rough: true},
		{name: "Put with numbers on an item",
			call: transact(table.Put(table.Item{Key: key("t3"), Numbers: map[string]int64{"n": 1}})),
			want: writes(2), rough: true},
		{name: "Put with numbers on nothing",
			call: transact(table.Put(table.Item{Key: key("t4"), Numbers: map[string]int64{"n": 1}})),
			want: table.Cost{Trips: 2, Requests: 2, WriteUnits: 2}, rough: true},
		{name: "Put expiring", call: transact(table.Put(table.Item{Key: key("t5"),
			Expires: f.clock.Now().Add(time.Hour)})), want: writes(2), rough: true},
		{name: "Put on an expired one", call: transact(table.Put(table.Item{Key: key("t5")})),
			want: table.Cost{Trips: 2, Requests: 2, WriteUnits: 2}, rough: true, advances: time.Hour},
		{name: "no Transact", call: transact(), want: table.Cost{}},

		{name: "Together", call: func(ctx context.Context) error {
			return table.Parallel(ctx, get("1k"), func(ctx context.Context) error {
				_ = get("1k")(ctx)
				return get("4k+")(ctx)
			})
		}, want: table.Cost{Trips: 2, Requests: 3, ReadUnits: 4}},
	}
	for _, step := range steps {
		f.clock.advance(step.advances)
		ctx, meter := table.WithMeter(t.Context())
		if err := step.call(ctx); err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		got, want := meter.Cost(), step.want
		if step.rough && f.RoughUnits {
			got.ReadUnits, got.WriteUnits, want.ReadUnits, want.WriteUnits = 0, 0, 0, 0
		}
		equal(t, step.name, got, want)
	}
}

// testCostOfNumbers writes items of 1 KB, and of one byte more, with numbers of every kind. The cost shows
// how many bytes a number takes.
func testCostOfNumbers(t *testing.T, f *fixture) {
	for _, n := range []int64{
		0, 1, 9, 10, 12, 99, 100, 101, 110, 120, 123, 990, 1000, 1010, 1200, 1234, 9900, 10_000, 10_100,
		12_000, 12_345, 1_000_000,
		1_700_000_000, 1_700_000_010, 123_456_789_012_345_678, 1<<63 - 1, -1, -12, -100, -123, -990, -1 << 63,
	} {
		item := table.Item{Key: key("x"), Numbers: map[string]int64{"n": n}, Version: 1}
		room := 1024 - layout.Size(item) - len(layout.Doc)
		for over, want := range []float64{1, 2} {
			item.Doc = []byte(strings.Repeat("x", room+over))
			if err := f.Table.WriteAll(t.Context(), table.Delete(item.Key)); err != nil {
				t.Fatal(err)
			}
			ctx, meter := table.WithMeter(t.Context())
			if err := f.Table.WriteAll(ctx, table.Set(item)); err != nil {
				t.Fatal(err)
			}
			equal(t, fmt.Sprintf("units with the number %d and %d bytes over", n, over),
				meter.Cost().WriteUnits, want)
		}
	}
}
