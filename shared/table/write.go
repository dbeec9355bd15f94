package table

import "time"

// Op is what a Write does.
type Op int

const (
	OpPut    Op = iota // replace all of the item but its numbers, make it when absent
	OpSet              // replace all of the item, numbers too
	OpDelete           // remove the item
	OpAdd              // change numbers of the item, make it when absent and allowed
	OpCheck            // only the condition
)

// If is the condition of a Write.
type If int

const (
	IfAny     If = iota // no condition
	IfAbsent            // there is no item, or it has expired
	IfExists            // there is an item
	IfVersion           // there is an item and its version is Item.Version
)

// A Write is one part of a Transact. The functions below make them.
type Write struct {
	Op Op
	If If
	// for OpDelete, OpAdd and OpCheck the Key alone, Version for IfVersion and Expires for OpAdd, unless
	// zero
	Item Item

	// Making is the version that the write gives to an item which it makes; 0 draws one.
	Making int64

	// For OpAdd: what to add to which number, and the bounds that the numbers must keep afterwards.
	Add     map[string]int64
	AtMost  map[string]int64
	AtLeast map[string]int64
}

// Put writes the item whatever was there. The numbers of an item that exists stay as they are; its version
// goes up. Where there is no item yet and it has Numbers, DynamoDB takes a second request, which
// PutIfAbsent does not.
func Put(item Item) Write { return Write{Op: OpPut, Item: item} }

// PutIfAbsent makes the item, with its Numbers and a new version. It fails when there is one.
func PutIfAbsent(item Item) Write { return Write{Op: OpPut, If: IfAbsent, Item: item} }

// PutIfVersion replaces an item that was read before. It fails when the item was put or deleted since; a
// change of its numbers does not matter. What is stored has the version item.Version+1.
func PutIfVersion(item Item) Write { return Write{Op: OpPut, If: IfVersion, Item: item} }

// PutAsRead is PutIfVersion of an item that was read before, and PutIfAbsent of one that was not there, of
// version 0.
func PutAsRead(item Item) Write {
	if item.Version == 0 {
		return PutIfAbsent(item)
	}
	return PutIfVersion(item)
}

// PutKnown is PutAsRead with the version that the item has afterwards, for who goes on without reading it
// again.
func PutKnown(item Item, now time.Time) (Write, int64) {
	w := PutAsRead(item)
	if item.Version != 0 {
		return w, item.Version + 1
	}
	w.Making = NewVersion(now)
	return w, w.Making
}

// Set writes the item and its Numbers whatever was there, with version 1, which tells it from no other Set.
// It is the put of WriteAll, for what nobody changes by its version.
func Set(item Item) Write { return Write{Op: OpSet, Item: item} }

// Delete removes the item. It is no error when there is none.
func Delete(key Key) Write { return Write{Op: OpDelete, Item: Item{Key: key}} }

// DeleteIfVersion removes an item that was read before. It fails when the item was put or deleted since.
func DeleteIfVersion(key Key, version int64) Write {
	return Write{Op: OpDelete, If: IfVersion, Item: Item{Key: key, Version: version}}
}

// DeleteIfExists removes the item. It fails when there is none.
func DeleteIfExists(key Key) Write { return Write{Op: OpDelete, If: IfExists, Item: Item{Key: key}} }

// Check fails when there is no item under the key.
func Check(key Key) Write { return Write{Op: OpCheck, If: IfExists, Item: Item{Key: key}} }

// CheckVersion fails when the item was put or deleted since it was read.
func CheckVersion(key Key, version int64) Write {
	return Write{Op: OpCheck, If: IfVersion, Item: Item{Key: key, Version: version}}
}

// Add adds n, which may be negative, to a number of the item; an absent item is made, an absent number is
// 0.
func Add(key Key, number string, n int64) Write {
	return Write{Op: OpAdd, Item: Item{Key: key}, Add: map[string]int64{number: n}}
}

// AddAtMost is Add that fails when the number would go over max.
func AddAtMost(key Key, number string, n, max int64) Write {
	w := Add(key, number, n)
	w.AtMost = map[string]int64{number: max}
	return w
}

// AddAtLeast is Add that fails when the number would go below min.
func AddAtLeast(key Key, number string, n, min int64) Write {
	w := Add(key, number, n)
	w.AtLeast = map[string]int64{number: min}
	return w
}

// Existing makes an Add fail, instead of making the item, where there is none.
func (w Write) Existing() Write {
	w.If = IfExists
	return w
}

// Made is the version of an item that the write makes at that moment.
func (w Write) Made(now time.Time) int64 {
	switch {
	case w.Op == OpSet:
		return 1
	case w.Making != 0:
		return w.Making
	}
	return NewVersion(now)
}
