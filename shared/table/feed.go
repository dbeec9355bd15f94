package table

import "context"

// A Change is one write in the change feed. The changes of a key are in the order of its writes.
type Change struct {
	// Position is the position in the feed, after which the next read begins.
	Position string
	// Old and New are the item before and after; nil if it did not exist. The removal of an expired item
	// is a change with New nil.
	Old, New *Item
}

// A Feed has the changes of the table, each at least once. It is DynamoDB Streams, which keeps a change for
// 24 hours, or the feed of the embedded store, which keeps a change until all its readers have saved a later
// position. In Lambda an event source mapping reads it.
type Feed interface {
	// Changes returns up to limit changes after a position, in order, and none if there are none. "" is the
	// position before the oldest change that is kept.
	Changes(ctx context.Context, after string, limit int) ([]Change, error)
}
