package change

import "frontdesk/shared/table"

const (
	// feeds begins the partitions of the feed, in Index1.
	feeds table.Prefix = "changes"

	// mark is the sort key of the item that records a change without a message. A conversation or appointment
	// has one, which each change replaces. It sorts before messages.
	mark table.SortPrefix = "change"

	// presences begins the sort keys of presences in a conversation. They sort after the conversation
	// itself, so readers of messages do not read them.
	presences table.SortPrefix = "~present/"
)

// Key returns the key in Index1 of a feed entry with that id.
func Key(account, at int64) table.Key {
	return table.Key{PK: partition(account, at%shards), SK: table.PadID(at)}
}

func partition(account, shard int64) string { return feeds.Join(account, shard) }

// MarkKey returns the key of the item that records the last change without a message, in partition pk. It
// expires a day after the change.
func MarkKey(pk string) table.Key { return table.Key{PK: pk, SK: string(mark)} }

// presenceKey returns the key of a person's presence in the conversation with partition pk.
func presenceKey(pk string, who Who) table.Key {
	place := table.PadID(who.MemberID)
	if who.Visitor {
		place = "visitor"
	}
	return table.Key{PK: pk, SK: presences.Join(place)}
}

// PresenceEnd is behind the sort keys of all presences.
const PresenceEnd = string(presences) + "~"
