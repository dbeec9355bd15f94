package layout

import "frontdesk/shared/table"

// WithinBounds reports whether an item with these numbers, absent ones being 0, keeps the bounds of an OpAdd.
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
