package costs

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"frontdesk/shared/table"
)

// Limits of one partition of DynamoDB, per second. A busy partition is split, down to a single item, so the
// table's load spreads over its items. The end of a list does not spread: an index is ordered by creation,
// so all new entries are in one partition.
const (
	partitionWrites = 1000
	partitionReads  = 3000
)

// A Place is the smallest unit that DynamoDB cannot split: an item of the table, or a partition key of an
// index, whose end is written.
type Place struct {
	Index table.Index
	Key   string
}

// placeOf returns the place of an item by its key.
func placeOf(index table.Index, key table.Key) Place {
	if index == table.Primary {
		return Place{index, key.PK + " " + key.SK}
	}
	return Place{index, key.PK}
}

// A Load is the use of a place by the turns of a chat.
type Load struct {
	Place
	WriteUnits, ReadUnits float64
	visitors              map[int]bool // the visitors whose turns used it
}

// Most returns the maximum rate of turns per second that the place allows.
func (l Load) Most() float64 {
	return min(partitionWrites/max(l.WriteUnits, 1e-9), partitionReads/max(l.ReadUnits, 1e-9))
}

// recordTurns lets visitors chat with one agent, a number of turns each, and records the writes.
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

// A heat records which places the calls to the table use.
type heat struct {
	turn turn // the current turn

	mu    sync.Mutex
	loads map[Place]*Load
	uses  map[string]map[string]map[turn]float64 // write units by partition key, sort key and turn
}

// written returns the write units of all turns.
func (h *heat) written() (sum float64) {
	for _, l := range h.loads {
		sum += l.WriteUnits
	}
	return sum
}

// shared returns the loads of the places that several visitors used, per turn, the busiest first. What
// belongs to a single visitor spreads over the table.
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

// add records a call.
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
