package tabletest

import (
	"errors"
	"testing"
	"time"

	"frontdesk/shared/table"
)

// testWrites tries every kind of write on a missing, an existing and an expired item.
func testWrites(t *testing.T, f *fixture) {
	numbers := map[string]int64{"n": 3}
	item := table.Item{
		Key: key("x"), Doc: doc(1), Blob: []byte{1}, Numbers: numbers,
		Index1: table.Key{PK: "g", SK: "1"}, Index2: table.Key{PK: "h", SK: "2"},
	}
	// The existing item has been put twice, so its version is 2.
	there := item
	there.Version = 2
	next := table.Item{Key: key("x"), Doc: doc(2), Numbers: map[string]int64{"n": 100, "m": 1},
		Index2: table.Key{PK: "i", SK: "3"}}
	replaced := next
	replaced.Numbers, replaced.Version = numbers, 3
	made := next
	made.Version = 1
	bare := table.Item{Key: key("x"), Version: 1}
	withNumbers := func(item table.Item, numbers map[string]int64) *table.Item {
		item.Numbers = numbers
		return &item
	}
	expires := f.clock.Now().Add(time.Hour)
	expiring := func(item table.Item) *table.Item {
		item.Expires = expires
		return &item
	}
	versioned := func(item table.Item, version int64) table.Item {
		item.Version = version
		return item
	}
	addExpiring := table.Add(key("x"), "n", 1)
	addExpiring.Item.Expires = expires

	type outcome struct {
		fails bool
		item  *table.Item // expected afterwards if it does not fail
	}
	fails := outcome{fails: true}
	gone := outcome{}
	becomes := func(item *table.Item) outcome { return outcome{item: item} }

	tests := []struct {
		name           string
		write          table.Write
		absent, exists outcome
	}{
		{"Put", table.Put(next), becomes(&made), becomes(&replaced)},
		{"Put without numbers", table.Put(*withNumbers(next, nil)), becomes(withNumbers(made, nil)),
			becomes(&replaced)},
		{"Put expiring", table.Put(*expiring(next)), becomes(expiring(made)), becomes(expiring(replaced))},
		{"Put of nothing but a key", table.Put(bare), becomes(&bare),
			becomes(&table.Item{Key: key("x"), Version: 3, Numbers: numbers})},
		{"PutIfAbsent", table.PutIfAbsent(next), becomes(&made), fails},
		{"PutIfVersion", table.PutIfVersion(versioned(next, 2)), fails, becomes(&replaced)},
		{"PutIfVersion of an old one", table.PutIfVersion(versioned(next, 1)), fails, fails},
		{"PutIfVersion of version 0", table.PutIfVersion(next), fails, fails},
		{"Set", table.Set(next), becomes(&made), becomes(&made)},
		{"Delete", table.Delete(key("x")), gone, gone},
		{"DeleteIfVersion", table.DeleteIfVersion(key("x"), 2), fails, gone},
		{"DeleteIfVersion of an old one", table.DeleteIfVersion(key("x"), 1), fails, fails},
		{"DeleteIfExists", table.DeleteIfExists(key("x")), fails, gone},
		{"Check", table.Check(key("x")), fails, becomes(&there)},
		{"CheckVersion", table.CheckVersion(key("x"), 2), fails, becomes(&there)},
		{"CheckVersion of an old one", table.CheckVersion(key("x"), 1), fails, fails},
		{"Add", table.Add(key("x"), "n", 4),
			becomes(withNumbers(bare, map[string]int64{"n": 4})),
			becomes(withNumbers(there, map[string]int64{"n": 7}))},
		{"Add to another number", table.Add(key("x"), "m", -4),
			becomes(withNumbers(bare, map[string]int64{"m": -4})),
			becomes(withNumbers(there, map[string]int64{"n": 3, "m": -4}))},
		{"Add 0", table.Add(key("x"), "m", 0),
			becomes(withNumbers(bare, map[string]int64{"m": 0})),
			becomes(withNumbers(there, map[string]int64{"n": 3, "m": 0}))},
		{"Add expiring", addExpiring,
			becomes(expiring(*withNumbers(bare, map[string]int64{"n": 1}))),
			becomes(expiring(*withNumbers(there, map[string]int64{"n": 4})))},
		{"Add existing", table.Add(key("x"), "n", 4).Existing(), fails,
			becomes(withNumbers(there, map[string]int64{"n": 7}))},
		{"AddAtMost just within", table.AddAtMost(key("x"), "n", 4, 7),
			becomes(withNumbers(bare, map[string]int64{"n": 4})),
			becomes(withNumbers(there, map[string]int64{"n": 7}))},
		{"AddAtMost over", table.AddAtMost(key("x"), "n", 4, 6),
			becomes(withNumbers(bare, map[string]int64{"n": 4})), fails},
		{"AddAtMost over from nothing", table.AddAtMost(key("x"), "n", 4, 3), fails, fails},
		{"AddAtMost of another number", table.AddAtMost(key("x"), "m", 4, 4),
			becomes(withNumbers(bare, map[string]int64{"m": 4})),
			becomes(withNumbers(there, map[string]int64{"n": 3, "m": 4}))},
		{"AddAtMost of another number over", table.AddAtMost(key("x"), "m", 4, 3), fails, fails},
		{"AddAtMost far away", table.AddAtMost(key("x"), "n", -1<<63, 1<<63-1),
			becomes(withNumbers(bare, map[string]int64{"n": -1 << 63})),
			becomes(withNumbers(there, map[string]int64{"n": -1<<63 + 3}))},
		{"AddAtLeast just within", table.AddAtLeast(key("x"), "n", -3, 0), fails,
			becomes(withNumbers(there, map[string]int64{"n": 0}))},
		{"AddAtLeast below", table.AddAtLeast(key("x"), "n", -4, 0), fails, fails},
		{"AddAtLeast from nothing", table.AddAtLeast(key("x"), "n", 4, 4),
			becomes(withNumbers(bare, map[string]int64{"n": 4})),
			becomes(withNumbers(there, map[string]int64{"n": 7}))},
		{"AddAtMost existing", table.AddAtMost(key("x"), "n", 4, 7).Existing(), fails,
			becomes(withNumbers(there, map[string]int64{"n": 7}))},
	}
	try := func(t *testing.T, write table.Write, want outcome, before *table.Item) {
		t.Helper()
		err := f.Table.Transact(t.Context(), write)
		if !want.fails {
			if err != nil {
				t.Fatalf("Transact: %v", err)
			}
			equal(t, "item", f.get(t, key("x")), want.item)
			return
		}
		var failed *table.ConditionError
		if !errors.As(err, &failed) {
			t.Fatalf("Transact = %v, want a Failed", err)
		}
		equal(t, "failed", failed.Writes, []int{0})
		equal(t, "item", f.get(t, key("x")), before)
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Run("absent", func(t *testing.T) {
				f.transact(t, table.Delete(key("x")))
				try(t, test.write, test.absent, nil)
			})
			t.Run("exists", func(t *testing.T) {
				f.transact(t, table.Set(item))
				f.transact(t, table.Put(item))
				try(t, test.write, test.exists, &there)
			})
			t.Run("expired", func(t *testing.T) {
				// The clock has passed the item's expiry but not the hour of the test.
				old := item
				old.Expires = f.clock.Now().Add(time.Minute)
				f.transact(t, table.Set(old))
				f.transact(t, table.Put(old))
				f.clock.advance(time.Minute)
				defer f.clock.advance(-time.Minute)
				try(t, test.write, test.absent, nil)
			})
		})
	}
}

// testFailedPlaces expects a Failed to name exactly the writes whose condition failed.
func testFailedPlaces(t *testing.T, f *fixture) {
	f.setAll(t,
		table.Item{Key: key("a"), Doc: doc(1)},
		table.Item{Key: key("b"), Numbers: map[string]int64{"n": 5}},
		table.Item{Key: key("old"), Expires: f.clock.Now()},
	)
	tests := []struct {
		name   string
		writes []table.Write
		want   []int
	}{
		{"first", []table.Write{table.PutIfAbsent(table.Item{Key: key("a")}),
			table.Put(table.Item{Key: key("c")})}, []int{0}},
		{"last", []table.Write{table.Put(table.Item{Key: key("c")}),
			table.PutIfAbsent(table.Item{Key: key("a")})}, []int{1}},
		{"all", []table.Write{
			table.PutIfAbsent(table.Item{Key: key("a")}),
			table.AddAtMost(key("b"), "n", 1, 5),
			table.Check(key("c")),
			table.DeleteIfExists(key("d")),
			table.PutIfVersion(table.Item{Key: key("e"), Version: 1}),
			table.CheckVersion(key("old"), 1),
		}, []int{0, 1, 2, 3, 4, 5}},
		{"among others", []table.Write{
			table.Put(table.Item{Key: key("old"), Doc: doc(1)}),
			table.Check(key("a")),
			table.Check(key("c")),
			table.Add(key("b"), "n", 1),
			table.Delete(key("e")),
			table.AddAtLeast(key("f"), "n", -1, 0),
			table.Set(table.Item{Key: key("g")}),
		}, []int{2, 5}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			err := f.Table.Transact(t.Context(), test.writes...)
			var failed *table.ConditionError
			if !errors.As(err, &failed) {
				t.Fatalf("Transact = %v, want a Failed", err)
			}
			equal(t, "places", failed.Writes, test.want)
			for i := range test.writes {
				at := false
				for _, w := range test.want {
					at = at || w == i
				}
				if table.ConditionErrorAt(err, i) != at {
					t.Errorf("ConditionErrorAt(%d) = %v", i, !at)
				}
			}
		})
	}
}

// testNothingWritten expects a failed Transact to change nothing.
func testNothingWritten(t *testing.T, f *fixture) {
	f.setAll(t, table.Item{Key: key("a"), Doc: doc(1), Numbers: map[string]int64{"n": 1}},
		table.Item{Key: key("b"), Doc: doc(1)})
	before := f.query(t, table.Query{PK: "p"}).Items
	for place := range 6 {
		writes := []table.Write{
			table.Put(table.Item{Key: key("a"), Doc: doc(2)}),
			table.Delete(key("b")),
			table.PutIfAbsent(table.Item{Key: key("c")}),
			table.Add(key("d"), "n", 1),
			table.Set(table.Item{Key: key("e")}),
		}
		writes = append(writes[:place], append([]table.Write{table.Check(key("nothing"))},
			writes[place:]...)...)
		if err := f.Table.Transact(t.Context(), writes...); !table.ConditionErrorAt(err, place) {
			t.Fatalf("Transact = %v, want a Failed at %d", err, place)
		}
		equal(t, "items", f.query(t, table.Query{PK: "p"}).Items, before)
	}
}

func testUpdate(t *testing.T, f *fixture) {
	item := table.Item{
		Key: key("x"), Doc: doc(1), Blob: []byte{0}, Index1: table.Key{PK: "g", SK: "1"},
		Expires: f.clock.Now().Add(time.Hour), Numbers: map[string]int64{"a": 1, "b": 2}, Version: 2,
	}
	steps := []struct {
		name   string
		update table.Update
		want   map[string]int64
	}{
		{"nothing", table.Update{}, map[string]int64{"a": 1, "b": 2}},
		{"add", table.Update{Add: map[string]int64{"a": 5, "c": -1}},
			map[string]int64{"a": 6, "b": 2, "c": -1}},
		{"remove", table.Update{Remove: []string{"b", "nothing"}}, map[string]int64{"a": 6, "c": -1}},
		{"both", table.Update{Add: map[string]int64{"a": 1}, Remove: []string{"c"}},
			map[string]int64{"a": 7}},
		{"add 0", table.Update{Add: map[string]int64{"a": 0, "z": 0}}, map[string]int64{"a": 7, "z": 0}},
		{"remove the last", table.Update{Remove: []string{"a", "z"}}, nil},
		{"large", table.Update{Add: map[string]int64{"a": 1<<63 - 1}}, map[string]int64{"a": 1<<63 - 1}},
	}
	f.transact(t, table.Set(item))
	f.transact(t, table.Put(item))
	for _, step := range steps {
		t.Run(step.name, func(t *testing.T) {
			step.update.Key = item.Key
			want := item
			want.Numbers = step.want
			got, err := f.Table.Update(t.Context(), step.update)
			if err != nil {
				t.Fatal(err)
			}
			equal(t, "answer", got, want)
			equal(t, "item", f.get(t, item.Key), &want)
		})
	}
	t.Run("at most", func(t *testing.T) {
		counted := table.Item{Key: key("counted"), Numbers: map[string]int64{"a": 1, "b": 1}, Version: 1}
		f.transact(t, table.Set(counted))
		update := table.Update{Key: counted.Key, Add: map[string]int64{"a": 1, "b": 1, "c": 1},
			AtMost: map[string]int64{"a": 2, "c": 1}}
		if _, err := f.Table.Update(t.Context(), update); err != nil {
			t.Fatal(err)
		}
		counted.Numbers = map[string]int64{"a": 2, "b": 2, "c": 1}
		got, err := f.Table.Update(t.Context(), update)
		if !table.IsConditionError(err) {
			t.Errorf("Update = %v, want a ConditionError", err)
		}
		equal(t, "answer", got, counted)
		equal(t, "item", f.get(t, counted.Key), &counted)
	})
	t.Run("absent", func(t *testing.T) {
		_, err := f.Table.Update(t.Context(), table.Update{Key: key("y"), Add: map[string]int64{"a": 1},
			AtMost: map[string]int64{"a": 1}})
		if !errors.Is(err, table.ErrNotFound) {
			t.Errorf("Update = %v, want ErrNotFound", err)
		}
		equal(t, "item", f.get(t, key("y")), (*table.Item)(nil))
	})
	t.Run("expired", func(t *testing.T) {
		f.clock.advance(time.Hour)
		_, err := f.Table.Update(t.Context(), table.Update{Key: key("x"), Add: map[string]int64{"a": 1}})
		if !errors.Is(err, table.ErrNotFound) {
			t.Errorf("Update = %v, want ErrNotFound", err)
		}
	})
}

func testWriteAll(t *testing.T, f *fixture) {
	const n = 1000
	writes := make([]table.Write, n)
	for i := range writes {
		writes[i] = table.Set(table.Item{Key: key(table.PadID(int64(i))), Doc: doc(i),
			Numbers: map[string]int64{"n": int64(i)}})
	}
	for range 2 { // the second time on an existing item
		if err := f.Table.WriteAll(t.Context(), writes...); err != nil {
			t.Fatal(err)
		}
		got := f.query(t, table.Query{PK: "p"}).Items
		if len(got) != n {
			t.Fatalf("%d items are there, want %d", len(got), n)
		}
		for i, item := range got {
			want := writes[i].Item
			want.Version = 1
			equal(t, "item", item, want)
		}
	}
	for i := range writes {
		if i%2 == 0 {
			writes[i] = table.Delete(writes[i].Item.Key)
		}
	}
	if err := f.Table.WriteAll(t.Context(), append(writes, table.Delete(key("nothing")))...); err != nil {
		t.Fatal(err)
	}
	if got := len(f.query(t, table.Query{PK: "p"}).Items); got != n/2 {
		t.Errorf("%d items are there after every second was deleted, want %d", got, n/2)
	}
}

// testMistakes expects misuse to return an error other than the defined ones, and to write nothing.
func testMistakes(t *testing.T, f *fixture) {
	item := table.Item{Key: key("a")}
	transact := func(writes ...table.Write) func() error {
		return func() error { return f.Table.Transact(t.Context(), writes...) }
	}
	writeAll := func(writes ...table.Write) func() error {
		return func() error { return f.Table.WriteAll(t.Context(), writes...) }
	}
	update := func(u table.Update) func() error {
		return func() error {
			u.Key = key("there")
			_, err := f.Table.Update(t.Context(), u)
			return err
		}
	}
	query := func(q table.Query) func() error {
		return func() error {
			_, err := f.Table.Query(t.Context(), q)
			return err
		}
	}
	f.transact(t, table.Set(table.Item{Key: key("there")}))
	before := f.query(t, table.Query{PK: "p"}).Items
	for name, do := range map[string]func() error{
		"one key twice in Transact":     transact(table.Put(item), table.Check(item.Key)),
		"one key twice in WriteAll":     writeAll(table.Set(item), table.Delete(item.Key)),
		"one key far apart in WriteAll": writeAll(append(many(60), table.Set(many(1)[0].Item))...),
		"condition in WriteAll":         writeAll(table.PutIfAbsent(item)),
		"Put in WriteAll":               writeAll(table.Put(item)),
		"no partition key":              transact(table.Put(table.Item{Key: table.Key{SK: "a"}})),
		"no sort key":                   transact(table.Put(table.Item{Key: table.Key{PK: "p"}})),
		"half a key in an index": transact(table.Put(table.Item{Key: key("a"),
			Index1: table.Key{PK: "g"}})),
		"expiring in the narrow index": transact(table.Put(table.Item{Key: key("a"), Index3: key("g"),
			Expires: f.clock.Now().Add(time.Hour)})),
		"other half of a key": transact(table.Put(table.Item{Key: key("a"),
			Index2: table.Key{SK: "g"}})),
		"key that is not UTF-8":      transact(table.Put(table.Item{Key: key("a\xff")})),
		"document that is not UTF-8": transact(table.Put(table.Item{Key: key("a"), Doc: []byte("\xff")})),
		"check of nothing":           transact(table.Write{Op: table.OpCheck, Item: item}),
		"number without a name":      transact(table.Add(key("a"), "", 1)),
		"number added and removed": update(table.Update{Add: map[string]int64{"a": 1},
			Remove: []string{"a"}}),
		"number removed twice":           update(table.Update{Remove: []string{"a", "a"}}),
		"query by prefix and bound":      query(table.Query{PK: "p", Prefix: "a", From: "a"}),
		"query by prefix and last bound": query(table.Query{PK: "p", Prefix: "a", To: "a"}),
	} {
		t.Run(name, func(t *testing.T) {
			err := do()
			if err == nil {
				t.Fatal("no error")
			}
			for _, meaning := range []error{table.ErrNotFound, table.ErrTooLarge, table.ErrBusy,
				table.ErrBadCursor} {
				if errors.Is(err, meaning) {
					t.Errorf("the error is %v", meaning)
				}
			}
			if table.IsConditionError(err) {
				t.Error("the error is a Failed")
			}
			equal(t, "items", f.query(t, table.Query{PK: "p"}).Items, before)
		})
	}
	t.Run("nothing to do", func(t *testing.T) {
		if err := f.Table.Transact(t.Context()); err != nil {
			t.Errorf("Transact: %v", err)
		}
		if err := f.Table.WriteAll(t.Context()); err != nil {
			t.Errorf("WriteAll: %v", err)
		}
		if got, err := f.Table.BatchGet(t.Context()); err != nil || len(got) != 0 {
			t.Errorf("BatchGet = %v, %v", got, err)
		}
	})
}

// many returns n writes.
func many(n int) []table.Write {
	writes := make([]table.Write, n)
	for i := range writes {
		writes[i] = table.Set(table.Item{Key: key(table.PadID(int64(i)))})
	}
	return writes
}
