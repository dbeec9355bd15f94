package layout

import (
	"time"

	"frontdesk/shared/table"
)

// A Form is one of two ways to send a put or an add to DynamoDB, which has no expression that does one thing
// to an item and another where there is none, or an expired one. So a write that has no condition is sent in
// the form that is likely, with the condition that the form is the right one, and in the other when it is
// not.
type Form int

const (
	Amend  Form = iota // change the item that is there, or make one that has no numbers but those added
	Create             // put a new item where there is none, or in the place of an expired one
)

// FirstForm returns the form to begin with.
func FirstForm(w table.Write) Form {
	if w.If == table.IfAbsent {
		return Create
	}
	return Amend
}

// HasForms reports whether the write may have to be sent in the other form.
func HasForms(w table.Write) bool {
	return w.If == table.IfAny && (w.Op == table.OpPut || w.Op == table.OpAdd)
}

// Misfits reports whether the first form of the write is the wrong one for the item that is there, nil for
// none.
func Misfits(w table.Write, old *table.Item, now time.Time) bool {
	if !HasForms(w) {
		return false
	}
	if old == nil {
		return w.Op == table.OpPut && len(w.Item.Numbers) > 0
	}
	return Expired(*old, now)
}
