package costs

import (
	"fmt"
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

// joined are the traces as they would be if the parts of a list were one.
func joined(traces map[string]*trace) map[string]*trace {
	all := map[string]*trace{}
	for key, t := range traces {
		if before, _, ok := strings.Cut(key, "/open-"); ok {
			key = before + "/open"
		}
		of := all[key]
		if of == nil {
			of = &trace{shared: map[string]float64{}, own: make([]float64, len(t.own))}
			all[key] = of
		}
		for sk, units := range t.shared {
			of.shared[sk] += units
		}
		for turn, units := range t.own {
			of.own[turn] += units
		}
	}
	return all
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
