package table

import (
	"encoding/base64"
	"encoding/json"
)

// A cursor is a position in a partition, between two items: the sort key of the item before it and, in a
// secondary index, where sort keys repeat, that item's key. It has neither the partition nor the bounds of
// the query, so clients may see it: a changed one only moves within what the query may read.
type cursor struct {
	SK   string `json:"s"`
	Base *Key   `json:"b,omitempty"`
}

// Cursor returns the position behind an item in the order of an index, for Query.After. Used with the
// opposite direction it leads backwards.
func Cursor(index Index, item Item) string {
	c := cursor{SK: item.SK}
	if index != Primary {
		c = cursor{SK: item.In(index).SK, Base: &item.Key}
	}
	text, err := json.Marshal(c)
	if err != nil {
		panic(err) // two strings always marshal
	}
	return base64.RawURLEncoding.EncodeToString(text)
}

// Start returns the position where the query begins: the sort key in the index and, for a secondary index,
// the item's key. It returns ErrBadCursor if After is malformed, is of another index, or is outside the
// bounds. It is for implementations of Table.
func (q Query) Start() (sk string, base Key, err error) {
	text, err := base64.RawURLEncoding.DecodeString(q.After)
	if err != nil {
		return "", Key{}, ErrBadCursor
	}
	var c cursor
	if err := json.Unmarshal(text, &c); err != nil || c.SK == "" || len(c.SK) > MaxSortKey {
		return "", Key{}, ErrBadCursor
	}
	if (c.Base != nil) != (q.Index != Primary) {
		return "", Key{}, ErrBadCursor
	}
	if c.Base != nil {
		if c.Base.PK == "" || c.Base.SK == "" || len(c.Base.PK) > MaxPartitionKey ||
			len(c.Base.SK) > MaxSortKey {
			return "", Key{}, ErrBadCursor
		}
		base = *c.Base
	}
	from, to := q.Bounds()
	if c.SK < from || to != "" && c.SK > to {
		return "", Key{}, ErrBadCursor
	}
	return c.SK, base, nil
}

// Bounds returns the query's inclusive bounds of sort keys; Prefix is converted to bounds. An empty bound
// does not restrict.
func (q Query) Bounds() (from, to string) {
	if q.Prefix == "" {
		return q.From, q.To
	}
	// UTF-8 never has the byte 0xff, so this sorts after all keys with the prefix.
	return string(q.Prefix), string(q.Prefix) + "\xff"
}
