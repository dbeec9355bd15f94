package agent

import (
	"time"

	"frontdesk/shared/table"
)

const (
	list       table.Prefix = "agents"
	partitions table.Prefix = "agent"
	owners     table.Prefix = "owner"
	embeds     table.Prefix = "embed"
	retentions table.Prefix = "retention"

	details table.SortPrefix = "detail/"
	// spentPrefix begins the sort keys of what an agent's language model has cost, by day.
	spentPrefix table.SortPrefix = "spent/"

	// ListPrefix begins the sort keys of the agents in their ListPartition.
	ListPrefix table.SortPrefix = "agent/"
	// MarkPrefix begins the sort keys of the marks of a workspace's agents, in their ListPartition. A mark is
	// what somebody who finds a thing by its own id has to know of the agent that it belongs to.
	MarkPrefix table.SortPrefix = "mark/"
	// DeletedPrefix begins the sort keys of the marks of deleted agents.
	DeletedPrefix  table.SortPrefix = "mark/deleted/"
	triggersPrefix table.SortPrefix = "mark/triggers/"
)

// ListPartition holds the summaries of a workspace's agents, their count and their marks.
func ListPartition(account int64) string { return list.Of(account) }

// Key is the key of an agent's summary, from which agents are listed.
func Key(account, agent int64) table.Key {
	return table.Key{PK: ListPartition(account), SK: ListPrefix.Of(table.PadID(agent))}
}

// ListQuery reads a workspace's agents.
func ListQuery(account int64) table.Query {
	return table.Query{PK: ListPartition(account), Prefix: ListPrefix}
}

// CountKey is the key of the item that counts a workspace's agents.
func CountKey(account int64) table.Key { return table.Key{PK: ListPartition(account), SK: "count"} }

// DeletedKey is the key of the mark of an agent that was deleted and whose data is not gone yet.
func DeletedKey(account, agent int64) table.Key {
	return table.Key{PK: ListPartition(account), SK: DeletedPrefix.Of(table.PadID(agent))}
}

// TriggersKey is the key of the mark of an agent with actions. It counts what they wait for.
func TriggersKey(account, agent int64) table.Key {
	return table.Key{PK: ListPartition(account), SK: triggersPrefix.Of(table.PadID(agent))}
}

// OwnerKey is the key of the item that leads from an agent's id alone to its workspace. It keeps ids of
// agents unique across workspaces.
func OwnerKey(agent int64) table.Key { return table.Key{PK: owners.Of(agent), SK: "agent"} }

// EmbedKey is the key of the item that leads from a widget's embed key to its agent.
func EmbedKey(embed string) table.Key { return table.Key{PK: embeds.Of(embed), SK: "embed"} }

// Partition holds what belongs to one agent alone. Other packages keep items in it under sort prefixes of
// their own.
func Partition(account, agent int64) string { return partitions.Of(account, agent) }

// DetailKey is the key of one part of the agent's full form.
func DetailKey(account, agent int64, part string) table.Key {
	return table.Key{PK: Partition(account, agent), SK: details.Of(part)}
}

// SpentKey is the key of the item that sums up what the agent's language model has cost on the day of that
// moment, in UTC.
func SpentKey(account, agent int64, now time.Time) table.Key {
	return table.Key{PK: Partition(account, agent), SK: spentPrefix.Of(now.UTC().Format(time.DateOnly))}
}

// retentionKey is the key by which an agent is listed among those whose conversations expire. They are few,
// and lie together for the daily look at all of them.
func retentionKey(account, agent int64) table.Key {
	return table.Key{PK: retentions.Of("agents"), SK: table.PadID(account) + "/" + table.PadID(agent)}
}

// RetentionQuery reads the agents whose conversations expire, of all workspaces. ReadRef reads the items.
func RetentionQuery() table.Query { return table.Query{PK: retentions.Of("agents")} }
