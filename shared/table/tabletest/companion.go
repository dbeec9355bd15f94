package tabletest

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"frontdesk/shared/table"
)

// testCompanion adds a write to the first Transact of a context that succeeds.
func testCompanion(t *testing.T, f *fixture) {
	ctx, companion := table.WithCompanion(t.Context(),
		table.PutIfAbsent(table.Item{Key: key("companion"), Doc: doc(1)}))
	written := func() []string {
		t.Helper()
		found, err := f.Table.BatchGet(t.Context(), key("a"), key("b"), key("companion"))
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, name := range []string{"a", "b", "companion"} {
			if _, ok := found[key(name)]; ok {
				names = append(names, name)
			}
		}
		return names
	}
	if err := f.Table.Transact(ctx, table.Put(table.Item{Key: key("a")}),
		table.Check(key("missing"))); !table.ConditionErrorAt(err, 1) {
		t.Errorf("Transact whose condition fails: %v", err)
	}
	if names := written(); names != nil || companion.CarriedOut() {
		t.Errorf("after a failure there is %q, and the companion says %t", names, companion.CarriedOut())
	}
	if err := f.Table.Transact(table.Alone(ctx), table.PutIfAbsent(table.Item{Key: key("c")})); err != nil ||
		companion.CarriedOut() {
		t.Errorf("Transact alone: %v, and the companion says %t", err, companion.CarriedOut())
	}
	if names := written(); names != nil {
		t.Errorf("after a Transact alone there is %q", names)
	}
	for i, name := range []string{"a", "b"} { // with b the companion's condition would fail
		if err := f.Table.Transact(ctx, table.PutIfAbsent(table.Item{Key: key(name)})); err != nil ||
			!companion.CarriedOut() {
			t.Errorf("Transact %d: %v, and the companion says %t", i, err, companion.CarriedOut())
		}
	}
	if diff := cmp.Diff([]string{"a", "b", "companion"}, written()); diff != "" {
		t.Errorf("written: %s", diff)
	}

	ctx, companion = table.WithCompanion(t.Context(),
		table.PutIfAbsent(table.Item{Key: key("companion"), Doc: doc(1)}))
	err := f.Table.Transact(ctx, table.Delete(key("a")), table.Delete(key("b")))
	if !table.ConditionErrorAt(err, 2) || companion.CarriedOut() || len(written()) != 3 {
		t.Errorf("a companion whose condition fails: %v, and there is %q", err, written())
	}
}
