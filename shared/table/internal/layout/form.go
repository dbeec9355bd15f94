package layout

import (
	"time"

	"frontdesk/shared/table"
)

// A Form is one of two ways to send a put or add to DynamoDB, which has no expression that changes an item,
// but creates it if there is none or an expired one. A write without a condition is sent in the likely form,
// on the condition that the form is right, and in the other one if it is not.
type Form int

const (
	Amend  Form = iota // change the item, or create one with no numbers but those added
	Create             // create an item if there is none or an expired one
)

// FirstForm returns the form to try first.
func FirstForm(w table.Write) Form {
	if w.If == table.IfAbsent {
		return Create
	}
	return Amend
}

// HasForms reports whether the write may need the other form.
func HasForms(w table.Write) bool {
	return w.If == table.IfAny && (w.Op == table.OpPut || w.Op == table.OpAdd)
}

// Misfits reports whether the first form is wrong for the stored item; nil means that there is none.
func Misfits(w table.Write, old *table.Item, now time.Time) bool {
	if !HasForms(w) {
		return false
	}
	if old == nil {
		return w.Op == table.OpPut && len(w.Item.Numbers) > 0
	}
	return Expired(*old, now)
}
