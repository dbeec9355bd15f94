package costs

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"frontdesk/shared/table"
)

// What one partition of DynamoDB takes in a second. A busy partition is split, down to a single item, so what
// the table has is spread by its items. Only new things at the end of a list are not: an index is in the
// order in which things were made, so all that are new belong to one partition.
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

// recordTurns has visitors chat with one agent, so many turns each, and notes what that takes.
func recordTurns(
	ctx context.Context, templateFile string, store table.Table, visitors, turns int,
) (*heat, error) {
	heat := &heat{loads: map[Place]*Load{}, uses: map[string]map[string]map[turn]float64{}}
	service, _, err := Serve(templateFile, store)
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
	ctx = table.WithObserver(ctx, heat.add)
	for visitor := range visitors {
		delete(p.kept, "session")
		for n := range turns {
			heat.turn = turn{visitor, n}
			body := `{"message": "When do you open on Saturday?"}`
			if n > 0 {
				body = `{"message": "Are dogs welcome?", "session_id": "{session}"}`
			}
			if err := p.do(ctx, service, step{method: "POST", path: "/agents/{agent}/chat/", body: body,
				keep: map[string]string{"session": "session_id"}}); err != nil {
				return nil, err
			}
		}
	}
	return heat, nil
}

// A heat notes which places calls to the table use.
type heat struct {
	turn turn // the one that is under way

	mu    sync.Mutex
	loads map[Place]*Load
	uses  map[string]map[string]map[turn]float64 // write units by partition key, sort key and turn
}

// written is what all turns wrote, in write units.
func (h *heat) written() (sum float64) {
	for _, l := range h.loads {
		sum += l.WriteUnits
	}
	return sum
}

// shared returns the loads of the places that several visitors used, for each of so many turns, the busiest
// first. What belongs to one visitor alone is spread over the table.
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

// add notes what a call took.
func (h *heat) add(uses ...table.Use) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, use := range uses {
		p := placeOf(use.Index, use.Key)
		l := h.loads[p]
		if l == nil {
			l = &Load{Place: p, visitors: map[int]bool{}}
			h.loads[p] = l
		}
		l.WriteUnits += use.WriteUnits
		l.ReadUnits += use.ReadUnits
		l.visitors[h.turn.visitor] = true
		h.record(use)
	}
}
