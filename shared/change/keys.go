package change

import "frontdesk/shared/table"

const (
	// feeds begins the partitions of the feed, in Index1.
	feeds table.Prefix = "changes"

	// mark is the sort key of the item of a change that adds no message. A conversation or an appointment has
	// one, which each change replaces. It sorts before messages.
	mark table.SortPrefix = "change"
)

// Key is the place in a workspace's feed of what was written with an id, in Index1.
func Key(account, at int64) table.Key {
	return table.Key{PK: partition(account, at%shards), SK: table.PadID(at)}
}

func partition(account, shard int64) string { return feeds.Of(account, shard) }

// MarkKey is the key of the last change that added no message, of what has that partition. It expires a day
// after the change.
func MarkKey(pk string) table.Key { return table.Key{PK: pk, SK: string(mark)} }
