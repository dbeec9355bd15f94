package counter

import (
	"fmt"
	"math"
	"math/bits"
	"time"
)

// Durations are counted in ranges, two for each power of two: from 1, 1.5, 2, 3, 4, 6, 8, 12 … milliseconds.
// So a few small numbers give quantiles with an error of a quarter at most.
const maxRange = 2*62 + 1

// rangeOf returns the range of a number of milliseconds.
func rangeOf(ms int64) int {
	if ms < 2 {
		return 0
	}
	power := bits.Len64(uint64(ms)) - 1
	return 2*power + int(ms>>(power-1)&1)
}

// bounds returns the limits of a range in milliseconds: from is part of it, to is not.
func bounds(i int) (from, to float64) {
	if i < 2 {
		return 0, 2
	}
	half := math.Ldexp(1, i/2-1)
	from = half * float64(2+i%2)
	return from, from + half
}

// Suffixes of the counts of a kind of durations.
const (
	sumOf   = ".ms"      // sum in milliseconds
	inTime  = ".in_time" // number within the target
	inRange = "/%02d"    // number in each range
)

// Took counts, on the UTC day of at, a duration of a kind and whether it was within target. A negative
// duration counts as 0.
func (c *Change) Took(at time.Time, kind string, d, target time.Duration) {
	d = max(0, d)
	c.CountOn(at, kind+sumOf, d.Milliseconds())
	c.CountOn(at, fmt.Sprintf(kind+inRange, rangeOf(d.Milliseconds())), 1)
	if d <= target {
		c.CountOn(at, kind+inTime, 1)
	}
}

// Durations is the distribution of a kind of durations.
type Durations struct {
	Count  int64
	InTime int64         // number within the target
	Sum    time.Duration // in whole milliseconds
	ranges [maxRange + 1]int64
}

// Durations returns the distribution of a kind that Took counted.
func (c Counts) Durations(kind string) Durations {
	d := Durations{InTime: c[kind+inTime], Sum: time.Duration(c[kind+sumOf]) * time.Millisecond}
	for i := range d.ranges {
		d.ranges[i] = c[fmt.Sprintf(kind+inRange, i)]
		d.Count += d.ranges[i]
	}
	return d
}

// Mean returns the average, 0 without durations.
func (d Durations) Mean() time.Duration {
	if d.Count == 0 {
		return 0
	}
	return d.Sum / time.Duration(d.Count)
}

// Quantile estimates the duration that the given part, from 0 to 1, did not exceed; 0.5 gives the median. It
// is 0 without durations.
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
