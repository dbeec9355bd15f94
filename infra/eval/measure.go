package main

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// A calibration counts answers by the confidence they were given with: all, and those that were right.
type calibration [10]struct{ all, right int }

func (c *calibration) add(confidence float64, right bool) {
	at := min(int(confidence*10), 9)
	c[at].all++
	if right {
		c[at].right++
	}
}

func (c *calibration) table() string {
	var b strings.Builder
	for i, n := range c {
		if n.all > 0 {
			fmt.Fprintf(&b, "  %.1f to %.1f: %5d answers, %3.0f %% right\n", float64(i)/10, float64(i+1)/10,
				n.all, 100*ratio(n.right, n.all))
		}
	}
	return b.String()
}

// leastSure is the confidence from which on an answer is to be right in nearly all cases.
const leastSure = 0.8

// sure is how many of the answers from leastSure on were right.
func (c *calibration) sure() string {
	right, all := 0, 0
	for _, n := range c[int(10*leastSure):] {
		right, all = right+n.right, all+n.all
	}
	return fmt.Sprintf("from %.1f on: %.3f right of %d", leastSure, ratio(right, all), all)
}

func ratio(part, all int) float64 { return float64(part) / float64(max(1, all)) }

// correlation is Matthews's correlation coefficient for several classes (Gorodkin, "Comparing two K-category
// assignments by a K-category correlation coefficient", 2004).
func correlation(want, got []string) float64 {
	wanted, given := map[string]float64{}, map[string]float64{}
	right, n := 0.0, float64(len(want))
	for i := range want {
		wanted[want[i]]++
		given[got[i]]++
		if want[i] == got[i] {
			right++
		}
	}
	var both, squaredWanted, squaredGiven float64
	for class, w := range wanted {
		both += w * given[class]
		squaredWanted += w * w
	}
	for _, g := range given {
		squaredGiven += g * g
	}
	d := math.Sqrt(n*n-squaredGiven) * math.Sqrt(n*n-squaredWanted)
	if d == 0 {
		return 0
	}
	return (right*n - both) / d
}

func milliseconds(d time.Duration) string {
	return fmt.Sprintf("%.0f ms", float64(d.Microseconds())/1000)
}
