package layout

import (
	"maps"

	"frontdesk/shared/table"
)

// Added returns the sums of numbers and amounts.
func Added(numbers, amounts map[string]int64) map[string]int64 {
	sum := make(map[string]int64, len(numbers)+len(amounts))
	maps.Copy(sum, numbers)
	for name, amount := range amounts {
		sum[name] += amount
	}
	return sum
}

// WithinBounds reports whether the numbers keep the bounds of an OpAdd. Missing numbers are 0.
func WithinBounds(w table.Write, numbers map[string]int64) bool {
	for name, max := range w.AtMost {
		if numbers[name] > max {
			return false
		}
	}
	for name, min := range w.AtLeast {
		if numbers[name] < min {
			return false
		}
	}
	return true
}
