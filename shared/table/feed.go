package table

import "context"

// A Change is one write as the change feed tells it, in the order of the writes of a key.
type Change struct {
	// Position is the place in the feed; the next read begins behind it.
	Position string
	// Old and New are the item before and after; nil where it did not exist. Expired items that are cleared
	// away come as a change whose New is nil.
	Old, New *Item
}

// A Feed tells of the changes of the table, each at least once: DynamoDB Streams, which keeps a change for 24
// hours, or its stand-in in the embedded store, which keeps one until its readers have noted that they read
// it. In Lambda an event source mapping reads it.
type Feed interface {
	// Changes returns up to limit changes behind a position, in order, and none when there are none. The
	// empty position is the oldest change that is kept.
	Changes(ctx context.Context, after string, limit int) ([]Change, error)
}
