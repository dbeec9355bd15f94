package table

import "time"

// Op is the operation of a Write.
type Op int

const (
	OpPut    Op = iota // replace the item except its numbers, or create it
	OpSet              // replace the item with its numbers
	OpDelete           // remove the item
	OpAdd              // change numbers, or create the item if the condition allows it
	OpCheck            // only check the condition
)

// If is the condition of a Write.
type If int

const (
	IfAny     If = iota // no condition
	IfAbsent            // there is no item, or it has expired
	IfExists            // there is an item
	IfVersion           // there is an item with Item.Version
)

// A Write is one part of a Transact. The functions below create them.
type Write struct {
	Op Op
	If If
	// Item is what to write. OpDelete, OpAdd and OpCheck use its Key, Version for IfVersion, and OpAdd also
	// Expires unless it is zero.
	Item Item

	// Making is the version of the item if the write creates it; 0 draws one.
	Making int64

	// Add, AtMost and AtLeast belong to OpAdd: the amounts by name, and the bounds of the sums.
	Add     map[string]int64
	AtMost  map[string]int64
	AtLeast map[string]int64
}

// Put writes the item unconditionally. An existing item keeps its numbers and its version is incremented. If
// there is no item and Item has Numbers, DynamoDB needs a second request, which PutIfAbsent does not.
func Put(item Item) Write { return Write{Op: OpPut, Item: item} }

// PutIfAbsent creates the item with its Numbers and a new version. It fails if there is one.
func PutIfAbsent(item Item) Write { return Write{Op: OpPut, If: IfAbsent, Item: item} }

// PutIfVersion replaces an item that was read before. It fails if the item was put or deleted since; changes
// of its numbers do not matter. The new version is item.Version+1.
func PutIfVersion(item Item) Write { return Write{Op: OpPut, If: IfVersion, Item: item} }

// PutAsRead is PutIfVersion for an item that was read, and PutIfAbsent for a missing one, whose version is 0.
func PutAsRead(item Item) Write {
	if item.Version == 0 {
		return PutIfAbsent(item)
	}
	return PutIfVersion(item)
}

// PutKnown is PutAsRead that also returns the version after the write, so that the caller need not read the
// item again.
func PutKnown(item Item, now time.Time) (Write, int64) {
	w := PutAsRead(item)
	if item.Version != 0 {
		return w, item.Version + 1
	}
	w.Making = NewVersion(now)
	return w, w.Making
}

// Set writes the item with its Numbers unconditionally, with version 1. It is the put of WriteAll, for items
// that are never changed by version.
func Set(item Item) Write { return Write{Op: OpSet, Item: item} }

// Delete removes the item, if there is one.
func Delete(key Key) Write { return Write{Op: OpDelete, Item: Item{Key: key}} }

// DeleteIfVersion removes an item that was read before. It fails if the item was put or deleted since.
func DeleteIfVersion(key Key, version int64) Write {
	return Write{Op: OpDelete, If: IfVersion, Item: Item{Key: key, Version: version}}
}

// DeleteIfExists removes the item. It fails if there is none.
func DeleteIfExists(key Key) Write { return Write{Op: OpDelete, If: IfExists, Item: Item{Key: key}} }

// Check fails if no item has the key.
func Check(key Key) Write { return Write{Op: OpCheck, If: IfExists, Item: Item{Key: key}} }

// CheckVersion fails if the item was put or deleted since it was read.
func CheckVersion(key Key, version int64) Write {
	return Write{Op: OpCheck, If: IfVersion, Item: Item{Key: key, Version: version}}
}

// Add adds n, which may be negative, to a number. A missing item is created, and a missing number is 0.
func Add(key Key, number string, n int64) Write {
	return Write{Op: OpAdd, Item: Item{Key: key}, Add: map[string]int64{number: n}}
}

// AddAtMost is Add that fails if the number would exceed max.
func AddAtMost(key Key, number string, n, max int64) Write {
	w := Add(key, number, n)
	w.AtMost = map[string]int64{number: max}
	return w
}

// AddAtLeast is Add that fails if the number would fall below min.
func AddAtLeast(key Key, number string, n, min int64) Write {
	w := Add(key, number, n)
	w.AtLeast = map[string]int64{number: min}
	return w
}

// Existing makes an Add fail if there is no item.
func (w Write) Existing() Write {
	w.If = IfExists
	return w
}

// Made returns the version of an item that the write creates at that time.
func (w Write) Made(now time.Time) int64 {
	switch {
	case w.Op == OpSet:
		return 1
	case w.Making != 0:
		return w.Making
	}
	return NewVersion(now)
}
