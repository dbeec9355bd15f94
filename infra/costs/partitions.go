package costs

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"frontdesk/shared/table"
)

// Assumptions about a busy hour, and about how DynamoDB splits a busy partition.
const (
	turnGap   = 30  // seconds between the turns of a visitor
	splitTime = 60  // seconds of overload before a partition is split
	warmUp    = 600 // seconds after which nothing may throttle
	hour      = 3600
)

// A trace is what the turns of visitors write to one partition key: to items that all of them share, and to
// items of their own, which are ordered by when their visitors came.
type trace struct {
	shared map[string]float64 // write units of a turn, by the item's sort key
	own    []float64          // write units of a visitor's n-th turn
}

// throttles simulates a busy hour at a number of turns per second, and reports whether DynamoDB refuses
// writes to the partition key after the warm-up. An overloaded partition is split in the middle of its
// writes; a single item cannot be split.
func (t trace) throttles(rate float64) bool {
	for _, units := range t.shared {
		if rate*units > partitionWrites {
			return true
		}
	}
	visitors := rate / float64(max(1, len(t.own)))
	bounds := []int{-hour} // where partitions begin, by the time when the visitor came
	busy := []int{0}       // seconds of overload of each
	for now := range hour {
		writes := make([]float64, len(bounds))
		for turn, units := range t.own {
			writes[partition(bounds, now-turn*turnGap)] += visitors * units
		}
		for p := range writes {
			if writes[p] <= partitionWrites {
				busy[p] = 0
				continue
			}
			if now >= warmUp {
				return true
			}
			if busy[p]++; busy[p] >= splitTime {
				half := max(bounds[p]+1, now-len(t.own)/2*turnGap)
				bounds, busy = slices.Insert(bounds, p+1, half), slices.Insert(busy, p+1, 0)
				busy[p] = 0
				break
			}
		}
	}
	return false
}

// partition returns the partition of a visitor's item.
func partition(bounds []int, came int) int {
	p, found := slices.BinarySearch(bounds, came)
	if !found {
		p--
	}
	return max(0, p)
}

// greatestRate returns the maximum rate of turns, in steps of ten, at which no trace throttles, and a
// partition key that throttles beyond it.
func greatestRate(traces map[string]*trace) (rate float64, next string) {
	for rate = 10; ; rate += 10 {
		for key, t := range traces {
			if t.throttles(rate) {
				return rate - 10, key
			}
		}
	}
}

// rewriting returns the traces as if each turn wrote its conversation into the list of open ones, as it
// would if the list held more than keys.
func rewriting(traces map[string]*trace) map[string]*trace {
	all := maps.Clone(traces)
	for key, t := range traces {
		if !strings.HasSuffix(key, "/open") {
			continue
		}
		of := &trace{shared: t.shared, own: slices.Clone(t.own)}
		for turn := range of.own {
			of.own[turn] = max(of.own[turn], 1)
		}
		all[key] = of
	}
	return all
}

// A fleet is many agents with the same number of turns per second each.
type fleet struct {
	agents int
	rate   float64
	traces map[string]*trace // of one agent whose workspace has no other
}

// settles simulates a new on-demand table, which has four partitions, from the moment that all agents are
// used. Keys are placed by a hash; an overloaded partition is split where half of its writes are on either
// side. What visitors write to their own items is spread evenly; perTurn is the total of a turn. It returns
// the number of seconds until no partition is overloaded and the number of partitions then, or a key that
// is overloaded by itself.
func (f fleet) settles(perTurn float64) (seconds, partitions int, hot string) {
	type place struct{ at, units float64 }
	var places []place
	random := rand.New(rand.NewPCG(1, 2))
	spread := perTurn
	for key, t := range f.traces {
		if t.throttles(f.rate) {
			return 0, 0, key
		}
		units := t.units()
		spread -= units
		for range f.agents {
			places = append(places, place{random.Float64(), units * f.rate})
		}
	}
	const visitors = 10_000
	for range visitors {
		places = append(places, place{random.Float64(), spread * f.rate * float64(f.agents) / visitors})
	}
	slices.SortFunc(places, func(a, b place) int { return cmp.Compare(a.at, b.at) })
	all := make([][]place, 4)
	for _, p := range places {
		n := int(p.at * 4)
		all[n] = append(all[n], p)
	}
	for ; ; seconds += splitTime {
		var next [][]place
		for _, part := range all {
			sum := 0.0
			for _, p := range part {
				sum += p.units
			}
			if sum <= partitionWrites || len(part) < 2 {
				next = append(next, part)
				continue
			}
			half, n := 0.0, 0
			for ; n < len(part)-1 && half < sum/2; n++ {
				half += part[n].units
			}
			next = append(next, part[:n], part[n:])
		}
		if len(next) == len(all) {
			return seconds, len(all), ""
		}
		all = next
	}
}

// units returns the write units of a turn.
func (t trace) units() (sum float64) {
	for _, units := range t.shared {
		sum += units
	}
	for _, units := range t.own {
		sum += units / float64(len(t.own))
	}
	return sum
}

// traces returns what was recorded for the partition keys that several visitors used, each with the same
// number of turns.
func (h *heat) traces(visitors, turns int) map[string]*trace {
	all := map[string]*trace{}
	for key, uses := range h.uses {
		of := &trace{shared: map[string]float64{}, own: make([]float64, turns)}
		users := map[int]bool{}
		for sk, use := range uses {
			ofItem := map[int]bool{}
			for by := range use {
				users[by.visitor], ofItem[by.visitor] = true, true
			}
			for by, units := range use {
				if len(ofItem) > 1 {
					of.shared[sk] += units / float64(visitors*turns)
				} else {
					of.own[by.turn] += units / float64(visitors)
				}
			}
		}
		if len(users) > 1 {
			all[key] = of
		}
	}
	return all
}

// A turn is a recorded turn.
type turn struct{ visitor, turn int }

// record records the writes of a turn, by partition key and sort key.
func (h *heat) record(use table.Use) {
	if use.WriteUnits == 0 {
		return
	}
	key := fmt.Sprint(int(use.Index), " ", use.Key.PK)
	if h.uses[key] == nil {
		h.uses[key] = map[string]map[turn]float64{}
	}
	if h.uses[key][use.Key.SK] == nil {
		h.uses[key][use.Key.SK] = map[turn]float64{}
	}
	h.uses[key][use.Key.SK][h.turn] += use.WriteUnits
}
