package layout

import (
	"bytes"
	"maps"

	"frontdesk/shared/table"
)

// ReadUnits returns the read units of reading so many bytes in one go, which are at least one. A stale read
// costs half.
func ReadUnits(size int, stale bool) float64 {
	if stale {
		return blocks(size, 4<<10) / 2
	}
	return blocks(size, 4<<10)
}

// Writes returns what turning the item old into new costs, in the table and in each index. Nil is no item.
// A write of the table costs the factor for each KB: 1, or 2 in a transaction. In an index it costs 1, for an
// item that comes, goes or changes, and as much again where it moves. In a narrow index nothing changes but
// the keys.
func Writes(key table.Key, old, new *table.Item, factor float64) []table.Use {
	uses := []table.Use{{Key: key, WriteUnits: factor * blocks(max(size(old), size(new)), 1<<10)}}
	for _, index := range Indexes {
		from, to := keyIn(index, old), keyIn(index, new)
		before, after := sizeIn(index, old), sizeIn(index, new)
		if from == to {
			if from != (table.Key{}) && !index.Narrow() && !same(old, new) {
				units := blocks(max(before, after), 1<<10)
				uses = append(uses, table.Use{Index: index, Key: to, WriteUnits: units})
			}
			continue
		}
		if from != (table.Key{}) {
			uses = append(uses, table.Use{Index: index, Key: from, WriteUnits: blocks(before, 1<<10)})
		}
		if to != (table.Key{}) {
			uses = append(uses, table.Use{Index: index, Key: to, WriteUnits: blocks(after, 1<<10)})
		}
	}
	return uses
}

// WriteUnits sums up the write units of uses.
func WriteUnits(uses []table.Use) float64 {
	units := 0.0
	for _, use := range uses {
		units += use.WriteUnits
	}
	return units
}

// blocks returns how many blocks of so many bytes the size takes, at least one.
func blocks(size, block int) float64 { return float64(max(1, (size+block-1)/block)) }

// size returns the bytes of an item, 0 of none.
func size(item *table.Item) int {
	if item == nil {
		return 0
	}
	return Size(*item)
}

// sizeIn returns the bytes of what an index holds of an item, 0 of none.
func sizeIn(index table.Index, item *table.Item) int {
	if item == nil {
		return 0
	}
	return SizeIn(index, *item)
}

// keyIn returns the item's key in an index, which is the zero Key for no item and for one that is not in the
// index.
func keyIn(index table.Index, item *table.Item) table.Key {
	if item == nil {
		return table.Key{}
	}
	return item.In(index)
}

// same reports whether two items of one key have the same attributes.
func same(a, b *table.Item) bool {
	return a.Version == b.Version && a.Expires.Equal(b.Expires) && a.Index1 == b.Index1 &&
		a.Index2 == b.Index2 &&
		a.Index3 == b.Index3 && a.Index4 == b.Index4 &&
		bytes.Equal(a.Doc, b.Doc) && bytes.Equal(a.Blob, b.Blob) && maps.Equal(a.Numbers, b.Numbers)
}
