package counter

import (
	"fmt"
	"math"
	"math/bits"
	"time"
)

// How long something took is counted in a range of durations, of which there are two to each power of two:
// from 1, 1.5, 2, 3, 4, 6, 8, 12 … milliseconds on. So a dozen small numbers tell medians and the like, at
// most a quarter off.
const maxRange = 2*62 + 1

// rangeOf is the range that a number of milliseconds is in; bounds are its ends, the second beyond it.
func rangeOf(ms int64) int {
	if ms < 2 {
		return 0
	}
	power := bits.Len64(uint64(ms)) - 1
	return 2*power + int(ms>>(power-1)&1)
}

func bounds(i int) (from, to float64) {
	if i < 2 {
		return 0, 2
	}
	half := math.Ldexp(1, i/2-1)
	from = half * float64(2+i%2)
	return from, from + half
}

// The names of the numbers that durations are counted in, after that of the kind.
const (
	sumOf   = ".ms"      // the sum of them all in milliseconds
	inTime  = ".in_time" // how many took no longer than the target
	inRange = "/%02d"    // how many there are in each range
)

// Took counts, on the day that the moment is in, that something of a kind took so long, and whether that was
// within a target. A negative duration counts as none.
func (c *Change) Took(at time.Time, kind string, d, target time.Duration) {
	d = max(0, d)
	c.CountOn(at, kind+sumOf, d.Milliseconds())
	c.CountOn(at, fmt.Sprintf(kind+inRange, rangeOf(d.Milliseconds())), 1)
	if d <= target {
		c.CountOn(at, kind+inTime, 1)
	}
}

// Durations are how long things of a kind took.
type Durations struct {
	Count  int64
	InTime int64         // how many took no longer than the target
	Sum    time.Duration // to the millisecond
	ranges [maxRange + 1]int64
}

// Durations are those of a kind that were counted with Took.
func (c Counts) Durations(kind string) Durations {
	d := Durations{InTime: c[kind+inTime], Sum: time.Duration(c[kind+sumOf]) * time.Millisecond}
	for i := range d.ranges {
		d.ranges[i] = c[fmt.Sprintf(kind+inRange, i)]
		d.Count += d.ranges[i]
	}
	return d
}

// Mean is how long one took on average, 0 where there is none.
func (d Durations) Mean() time.Duration {
	if d.Count == 0 {
		return 0
	}
	return d.Sum / time.Duration(d.Count)
}

// Quantile estimates how long that part of them took at most, from 0 to 1: 0.5 gives the median. It is 0
// where there is none.
func (d Durations) Quantile(part float64) time.Duration {
	rank := max(1, math.Ceil(part*float64(d.Count)))
	for i, n := range d.ranges {
		if rank <= float64(n) {
			from, to := bounds(i)
			ms := from + (to-from)*(rank-0.5)/float64(n)
			return time.Duration(ms * float64(time.Millisecond))
		}
		rank -= float64(n)
	}
	return 0
}
