package sqlite

import (
	"time"

	"frontdesk/shared/table"
	"frontdesk/shared/table/internal/layout"
)

// outcome returns the item that a write leaves in place of old, which may have expired, and whether the
// write's condition holds. nil means no item.
func outcome(w table.Write, old *table.Item, now time.Time) (new *table.Item, holds bool) {
	live := old
	if old != nil && layout.Expired(*old, now) {
		live = nil
	}
	switch w.If {
	case table.IfAbsent:
		holds = live == nil
	case table.IfExists:
		holds = live != nil
	case table.IfVersion:
		holds = live != nil && live.Version == w.Item.Version
	default:
		holds = true
	}
	if !holds {
		return nil, false
	}
	// An expired item that is not yet removed counts as missing: its numbers and version are not continued.
	item := w.Item
	item.Version = w.Made(now)
	switch w.Op {
	case table.OpCheck:
		return old, true
	case table.OpDelete:
		return nil, true
	case table.OpSet:
		return &item, true
	case table.OpPut:
		if live != nil {
			item.Numbers = live.Numbers
			item.Version = live.Version + 1
		}
		return &item, true
	}
	if live != nil {
		item = *live
		if !w.Item.Expires.IsZero() {
			item.Expires = w.Item.Expires
		}
	} else {
		item.Numbers = nil
	}
	item.Numbers = layout.Added(item.Numbers, w.Add)
	return &item, layout.WithinBounds(w, item.Numbers)
}
