// Package layout defines how items are stored in DynamoDB: attribute names, sizes in bytes, and the cost of
// reads and writes. It also has the rules of table.Table that all implementations share.
package layout

import (
	"time"

	"frontdesk/shared/table"
)

// Attribute names. IndexPK and IndexSK return those of an index; that of a number is NumberPrefix and its
// name.
const (
	PK           = "pk"
	SK           = "sk"
	Doc          = "doc"
	Blob         = "blob"
	Version      = "version"
	Expires      = "expires"
	NumberPrefix = "n_"
)

// Indexes are the secondary indexes.
var Indexes = [...]table.Index{table.Index1, table.Index2, table.Index3, table.Index4}

// IndexName returns the name of a secondary index.
func IndexName(index table.Index) string { return indexNames[index].name }

// IndexPK returns the name of an index's partition key attribute.
func IndexPK(index table.Index) string { return indexNames[index].pk }

// IndexSK returns the name of an index's sort key attribute.
func IndexSK(index table.Index) string { return indexNames[index].sk }

var indexNames = [...]struct{ name, pk, sk string }{
	table.Primary: {"", PK, SK},
	table.Index1:  {"gsi1", "g1pk", "g1sk"},
	table.Index2:  {"gsi2", "g2pk", "g2sk"},
	table.Index3:  {"gsi3", "g3pk", "g3sk"},
	table.Index4:  {"gsi4", "g4pk", "g4sk"},
}

// Expired reports whether the item has expired.
func Expired(item table.Item, now time.Time) bool {
	return !item.Expires.IsZero() && item.Expires.Unix() <= now.Unix()
}

// Size returns an item's size in bytes as DynamoDB counts it: the names and values of its attributes.
func Size(item table.Item) int {
	n := keySize(table.Primary, item) + len(Version) + numberSize(item.Version)
	if len(item.Doc) > 0 {
		n += len(Doc) + len(item.Doc)
	}
	if len(item.Blob) > 0 {
		n += len(Blob) + len(item.Blob)
	}
	if !item.Expires.IsZero() {
		n += len(Expires) + numberSize(item.Expires.Unix())
	}
	for name, value := range item.Numbers {
		n += len(NumberPrefix) + len(name) + numberSize(value)
	}
	for _, index := range Indexes {
		if item.In(index) != (table.Key{}) {
			n += keySize(index, item)
		}
	}
	return n
}

// SizeIn returns the bytes of an item's entry in an index.
func SizeIn(index table.Index, item table.Item) int {
	if index.Narrow() {
		return keySize(table.Primary, item) + keySize(index, item)
	}
	return Size(item)
}

// keySize returns the bytes of the item's key in an index, with the attribute names.
func keySize(index table.Index, item table.Item) int {
	key := item.In(index)
	return len(IndexPK(index)) + len(key.PK) + len(IndexSK(index)) + len(key.SK)
}

// numberSize returns the bytes of a number: one, one more for every two digits except trailing pairs of
// zeros, and one for a minus sign.
func numberSize(v int64) int {
	size := 1
	if v < 0 {
		size++
	}
	for v != 0 && v%100 == 0 {
		v /= 100
	}
	for ; v != 0; v /= 100 {
		size++
	}
	return size
}
