package table

import (
	"encoding/base64"
	"encoding/json"
)

// A cursor is a place in the order of a partition, between items: the sort key of the item before it and, in
// an index, where sort keys repeat, that item's own key. It says nothing of the partition or of the query's
// bounds, so it is safe to hand out: whoever changes it moves within what the query may read.
type cursor struct {
	SK   string `json:"s"`
	Base *Key   `json:"b,omitempty"`
}

// Cursor returns the place of an item in the order of an index, for Query.After. With the query's direction
// turned round it leads backwards.
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

// Start returns where the query begins: the index's sort key and, for a secondary index, the item's own key.
// It is for implementations of Table. ErrBadCursor when After is no cursor, is of another index, or lies
// outside the bounds.
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

// Bounds returns the query's lower and upper bound of sort keys, both inclusive, with Prefix put into their
// form. An empty bound is none.
func (q Query) Bounds() (from, to string) {
	if q.Prefix == "" {
		return q.From, q.To
	}
	// the byte is in no UTF-8 text, so this is behind all of the prefix
	return string(q.Prefix), string(q.Prefix) + "\xff"
}
