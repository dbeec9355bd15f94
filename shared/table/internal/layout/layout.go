// Package layout says how an item lies in DynamoDB: the names of its attributes, how many bytes it takes and
// what reading and writing it costs. It also has the rules of the Table interface that every implementation
// shares.
package layout

import (
	"time"

	"frontdesk/shared/table"
)

// The names of the attributes. Those of a secondary index are told by IndexPK and IndexSK, that of a number
// is NumberPrefix and its name.
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

// IndexPK returns the name of the attribute that is the partition key of an index.
func IndexPK(index table.Index) string { return indexNames[index].pk }

// IndexSK returns the name of the attribute that is the sort key of an index.
func IndexSK(index table.Index) string { return indexNames[index].sk }

var indexNames = [...]struct{ name, pk, sk string }{
	table.Primary: {"", PK, SK},
	table.Index1:  {"gsi1", "g1pk", "g1sk"},
	table.Index2:  {"gsi2", "g2pk", "g2sk"},
	table.Index3:  {"gsi3", "g3pk", "g3sk"},
	table.Index4:  {"gsi4", "g4pk", "g4sk"},
}

// Expired reports whether the item has stopped to exist.
func Expired(item table.Item, now time.Time) bool {
	return !item.Expires.IsZero() && item.Expires.Unix() <= now.Unix()
}

// Size returns the bytes of an item: those of the names and the values of its attributes.
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

// SizeIn returns the bytes of what an index holds of an item.
func SizeIn(index table.Index, item table.Item) int {
	if index.Narrow() {
		return keySize(table.Primary, item) + keySize(index, item)
	}
	return Size(item)
}

// keySize returns the bytes of the item's key in an index.
func keySize(index table.Index, item table.Item) int {
	key := item.In(index)
	return len(IndexPK(index)) + len(key.PK) + len(IndexSK(index)) + len(key.SK)
}

// numberSize returns the bytes of a number's value: one, one for every pair of digits but for the pairs of
// zeros at its end, and one for a minus.
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
