package costs

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"frontdesk/shared/table"
)

// What one partition of DynamoDB takes in a second. A busy partition is split, down to a single item, so what
// the table has is spread by its items. Only new things at the end of a list are not: an index is in the order
// in which things were made, so all that are new belong to one partition.
const (
	partitionWrites = 1000
	partitionReads  = 3000
)

// A Place is what DynamoDB keeps in one partition at the worst: an item of the table, or the end of a list,
// which is a partition key of an index.
type Place struct {
	Index table.Index
	Key   string
}

// placeOf is the place of an item by its key there.
func placeOf(index table.Index, key table.Key) Place {
	if index == table.Primary {
		return Place{index, key.PK + " " + key.SK}
	}
	return Place{index, key.PK}
}

// A Load is how busy a turn of a chat makes a place.
type Load struct {
	Place
	WriteUnits, ReadUnits float64
	visitors              map[int]bool // whose turns used it
}

// Most is the greatest rate of turns, in a second, that the place takes.
func (l Load) Most() float64 {
	return min(partitionWrites/max(l.WriteUnits, 1e-9), partitionReads/max(l.ReadUnits, 1e-9))
}

// MeasureLoads has visitors chat with one agent, so many turns each, and returns the loads of the places that
// several of them used, the busiest first. What belongs to one visitor alone is spread over the table. Units
// are those of the items' sizes, about.
func MeasureLoads(
	ctx context.Context, templateFile string, store table.Table, visitors, turns int,
) ([]Load, error) {
	heat := &heat{Table: store, loads: map[Place]*Load{}}
	service, _, err := Serve(templateFile, heat)
	if err != nil {
		return nil, err
	}
	to, err := newWorkspace(ctx, store, "enterprise")
	if err != nil {
		return nil, err
	}
	p := newPlay(to)
	for _, s := range []step{
		{method: "POST", path: "/agents/", body: `{"name": "Ada", "booking_enabled": true}`,
			keep: map[string]string{"agent": "id"}},
		{method: "POST", path: "/agents/{agent}/activate/"},
		{method: "POST", path: "/agents/{agent}/knowledge/",
			body: fmt.Sprintf(`{"title": "Shop", "content": %q}`, document)},
	} {
		if err := p.do(ctx, service, s); err != nil {
			return nil, err
		}
	}
	clear(heat.loads)
	for visitor := range visitors {
		heat.visitor = visitor
		delete(p.kept, "session")
		for turn := range turns {
			body := `{"message": "When do you open on Saturday?"}`
			if turn > 0 {
				body = `{"message": "Are dogs welcome?", "session_id": "{session}"}`
			}
			if err := p.do(ctx, service, step{method: "POST", path: "/agents/{agent}/chat/", body: body,
				keep: map[string]string{"session": "session_id"}}); err != nil {
				return nil, err
			}
		}
	}
	return heat.shared(visitors * turns), nil
}

// A heat is a table that notes which places its calls use.
type heat struct {
	table.Table
	visitor int

	mu    sync.Mutex
	loads map[Place]*Load
}

// shared returns the loads of the places that several visitors used, for each of so many turns.
func (h *heat) shared(turns int) []Load {
	var loads []Load
	for _, l := range h.loads {
		if len(l.visitors) > 1 {
			l.WriteUnits /= float64(turns)
			l.ReadUnits /= float64(turns)
			loads = append(loads, *l)
		}
	}
	slices.SortFunc(loads, func(a, b Load) int {
		return cmp.Or(cmp.Compare(a.Most(), b.Most()), cmp.Compare(a.Key, b.Key))
	})
	return loads
}

// add notes what a call took of a place.
func (h *heat) add(p Place, writes, reads float64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	l := h.loads[p]
	if l == nil {
		l = &Load{Place: p, visitors: map[int]bool{}}
		h.loads[p] = l
	}
	l.WriteUnits += writes
	l.ReadUnits += reads
	l.visitors[h.visitor] = true
}

// Get implements table.Table.
func (h *heat) Get(ctx context.Context, key table.Key) (table.Item, error) {
	item, err := h.Table.Get(ctx, key)
	h.add(placeOf(table.Primary, key), 0, blocks(size(item), 4096))
	return item, err
}

// BatchGet implements table.Table.
func (h *heat) BatchGet(ctx context.Context, keys ...table.Key) (map[table.Key]table.Item, error) {
	items, err := h.Table.BatchGet(ctx, keys...)
	for _, key := range keys {
		h.add(placeOf(table.Primary, key), 0, blocks(size(items[key]), 4096))
	}
	return items, err
}

// Query implements table.Table.
func (h *heat) Query(ctx context.Context, q table.Query) (table.Page, error) {
	page, err := h.Table.Query(ctx, q)
	read := 0
	for _, item := range page.Items {
		read += size(item)
	}
	units := blocks(read, 4096)
	if q.Stale || q.Index != table.Primary {
		units /= 2
	}
	h.add(placeOf(q.Index, table.Key{PK: q.PK, SK: q.From + string(q.Prefix)}), 0, units)
	return page, err
}

// Update implements table.Table.
func (h *heat) Update(ctx context.Context, u table.Update) (item table.Item, err error) {
	err = h.write(ctx, 1, []table.Key{u.Key}, func() error {
		item, err = h.Table.Update(ctx, u)
		return err
	})
	return item, err
}

// Transact implements table.Table.
func (h *heat) Transact(ctx context.Context, writes ...table.Write) error {
	return h.write(ctx, 2, keysOf(writes), func() error { return h.Table.Transact(ctx, writes...) })
}

// WriteAll implements table.Table.
func (h *heat) WriteAll(ctx context.Context, writes ...table.Write) error {
	return h.write(ctx, 1, keysOf(writes), func() error { return h.Table.WriteAll(ctx, writes...) })
}

func keysOf(writes []table.Write) []table.Key {
	var keys []table.Key
	for _, w := range writes {
		keys = append(keys, w.Item.Key)
	}
	return keys
}

// write makes a write of items, each unit of which the table counts so often, and notes what it took.
func (h *heat) write(ctx context.Context, factor float64, keys []table.Key, do func() error) error {
	before, err := h.Table.BatchGet(ctx, keys...)
	if err != nil {
		return err
	}
	if err := do(); err != nil {
		return err
	}
	after, err := h.Table.BatchGet(ctx, keys...)
	if err != nil {
		return err
	}
	for _, key := range keys {
		old, new := before[key], after[key]
		units := blocks(max(size(old), size(new)), 1024)
		h.add(placeOf(table.Primary, key), factor*units, 0)
		for _, index := range []table.Index{table.Index1, table.Index2, table.Index3} {
			from, to := old.In(index), new.In(index)
			if from != to && from.PK != "" {
				h.add(placeOf(index, from), units, 0)
			}
			if to.PK != "" && (from != to || index != table.Index3) {
				h.add(placeOf(index, to), units, 0)
			}
		}
	}
	return nil
}

// size is how many bytes an item has, about.
func size(item table.Item) int {
	n := len(item.PK) + len(item.SK) + len(item.Doc) + len(item.Blob) + 60
	for name := range maps.Keys(item.Numbers) {
		n += len(name) + 8
	}
	return n
}

// blocks is how many blocks of so many bytes the size takes, at least one.
func blocks(size, block int) float64 { return float64(max(1, (size+block-1)/block)) }
