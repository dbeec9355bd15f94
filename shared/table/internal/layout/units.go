package layout

import (
	"bytes"
	"maps"

	"frontdesk/shared/table"
)

// ReadUnits returns the read units for so many bytes in one request, at least one. An eventually consistent
// read costs half.
func ReadUnits(size int, stale bool) float64 {
	if stale {
		return blocks(size, 4<<10) / 2
	}
	return blocks(size, 4<<10)
}

// Writes returns the cost of replacing old by new, in the table and in each index; nil means no item. The
// table costs factor for each KB: 1, or 2 in a transaction. An index costs 1 for each KB of an item that is
// added, removed or changed, and twice that where its key changes. A narrow index costs only where keys
// change.
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

// WriteUnits returns the sum of the uses' write units.
func WriteUnits(uses []table.Use) float64 {
	units := 0.0
	for _, use := range uses {
		units += use.WriteUnits
	}
	return units
}

// blocks returns the number of blocks that size takes, at least one.
func blocks(size, block int) float64 { return float64(max(1, (size+block-1)/block)) }

// size returns the bytes of an item, 0 for none.
func size(item *table.Item) int {
	if item == nil {
		return 0
	}
	return Size(*item)
}

// sizeIn returns the bytes of an item's entry in an index, 0 for none.
func sizeIn(index table.Index, item *table.Item) int {
	if item == nil {
		return 0
	}
	return SizeIn(index, *item)
}

// keyIn returns the item's key in an index, the zero Key for no item or one that is not in the index.
func keyIn(index table.Index, item *table.Item) table.Key {
	if item == nil {
		return table.Key{}
	}
	return item.In(index)
}

// same reports whether two items with the same key have equal attributes.
func same(a, b *table.Item) bool {
	return a.Version == b.Version && a.Expires.Equal(b.Expires) && a.Index1 == b.Index1 &&
		a.Index2 == b.Index2 &&
		a.Index3 == b.Index3 && a.Index4 == b.Index4 &&
		bytes.Equal(a.Doc, b.Doc) && bytes.Equal(a.Blob, b.Blob) && maps.Equal(a.Numbers, b.Numbers)
}
