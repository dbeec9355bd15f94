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

// What is assumed of a busy hour, and of how DynamoDB splits a partition that is too busy.
const (
	turnGap   = 30  // seconds between two turns of a visitor
	splitTime = 60  // seconds for which a partition is too busy before it is split
	warmUp    = 600 // seconds after which nothing is to throttle
	hour      = 3600
)

// A trace is what visitors' turns took of one partition key, recorded turn by turn: of items that all of them
// use, and of items of their own, which lie in the order in which their visitors came.
type trace struct {
	shared map[string]float64 // write units of a turn, by the item's sort key
	own    []float64          // write units of a visitor's n-th turn
}

// throttles simulates a busy hour at a rate of turns in a second, and reports whether DynamoDB refuses writes
// of the partition key after the warm-up. A partition that is too busy is split in the middle of its writes;
// one item cannot be split.
func (t trace) throttles(rate float64) bool {
	for _, units := range t.shared {
		if rate*units > partitionWrites {
			return true
		}
	}
	visitors := rate / float64(max(1, len(t.own)))
	bounds := []int{-hour} // where partitions begin, by when the visitor came
	busy := []int{0}       // for how many seconds each was too busy
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

// partition is the one that a visitor's item is in.
func partition(bounds []int, came int) int {
	p, found := slices.BinarySearch(bounds, came)
	if !found {
		p--
	}
	return max(0, p)
}

// greatestRate is the greatest rate of turns at which none of the traces throttles, in tens, and a partition
// key that throttles beyond it.
func greatestRate(traces map[string]*trace) (rate float64, next string) {
	for rate = 10; ; rate += 10 {
		for key, t := range traces {
			if t.throttles(rate) {
				return rate - 10, key
			}
		}
	}
}

// rewriting are the traces as they would be if each turn wrote its conversation into the list of open ones,
// as a list that holds more than keys has it.
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

// A fleet is many agents, each of which has so many turns in a second.
type fleet struct {
	agents int
	rate   float64
	traces map[string]*trace // of one agent, whose workspace has no other
}

// settles simulates a new table on demand, which has four partitions, from the moment that all agents are
// in use. Keys lie on it by a hash; a partition that is too busy is split where half of its writes lie on
// either side. What a visitor writes of their own is spread evenly: perTurn is what a turn writes in all. It
// returns after how many seconds no partition is too busy any more, and how many there are then; or a key
// that is too busy by itself.
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

// units are the write units of a turn.
func (t trace) units() (sum float64) {
	for _, units := range t.shared {
		sum += units
	}
	for _, units := range t.own {
		sum += units / float64(len(t.own))
	}
	return sum
}

// traces are what was recorded of the partition keys that several visitors used, each of whom had so many
// turns.
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

// A turn is one that was recorded.
type turn struct{ visitor, turn int }

// record notes what a turn writes, by partition key and sort key.
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
