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
	// MarkPrefix begins the sort keys of the marks of a workspace's agents, in their ListPartition. A mark
	// has what a reader of something by its own id needs to know about its agent.
	MarkPrefix table.SortPrefix = "mark/"
	// DeletedPrefix begins the sort keys of the marks of deleted agents.
	DeletedPrefix  table.SortPrefix = "mark/deleted/"
	triggersPrefix table.SortPrefix = "mark/triggers/"
)

// ListPartition holds the summaries of a workspace's agents, their count and their marks.
func ListPartition(account int64) string { return list.Join(account) }

// Key returns the key of an agent's summary. Lists of agents read summaries.
func Key(account, agent int64) table.Key {
	return table.Key{PK: ListPartition(account), SK: ListPrefix.Join(table.PadID(agent))}
}

// ListQuery reads a workspace's agents.
func ListQuery(account int64) table.Query {
	return table.Query{PK: ListPartition(account), Prefix: ListPrefix}
}

// CountKey returns the key of the item that counts a workspace's agents.
func CountKey(account int64) table.Key { return table.Key{PK: ListPartition(account), SK: "count"} }

// DeletedKey returns the key of the mark of a deleted agent whose data may not be deleted yet.
func DeletedKey(account, agent int64) table.Key {
	return table.Key{PK: ListPartition(account), SK: DeletedPrefix.Join(table.PadID(agent))}
}

// TriggersKey returns the key of the mark of an agent with actions. It counts the actions for each trigger.
func TriggersKey(account, agent int64) table.Key {
	return table.Key{PK: ListPartition(account), SK: triggersPrefix.Join(table.PadID(agent))}
}

// OwnerKey returns the key of the item that maps an agent's id to its workspace. It also keeps the ids of
// agents unique across workspaces.
func OwnerKey(agent int64) table.Key { return table.Key{PK: owners.Join(agent), SK: "agent"} }

// EmbedKey returns the key of the item that maps a widget's embed key to its agent.
func EmbedKey(embed string) table.Key { return table.Key{PK: embeds.Join(embed), SK: "embed"} }

// Partition returns the partition of what belongs to one agent. Other packages store items in it under sort
// prefixes of their own.
func Partition(account, agent int64) string { return partitions.Join(account, agent) }

// DetailKey returns the key of one detail of an agent.
func DetailKey(account, agent int64, part string) table.Key {
	return table.Key{PK: Partition(account, agent), SK: details.Join(part)}
}

// SpentKey returns the key of the item that sums what the agent's language model has cost on a UTC day.
func SpentKey(account, agent int64, now time.Time) table.Key {
	return table.Key{PK: Partition(account, agent), SK: spentPrefix.Join(now.UTC().Format(time.DateOnly))}
}

// retentionKey returns the key under which an agent is listed for the deletion of old conversations. One
// partition lists those of all workspaces, which a daily job reads.
func retentionKey(account, agent int64) table.Key {
	return table.Key{PK: retentions.Join("agents"), SK: table.PadID(account) + "/" + table.PadID(agent)}
}

// RetentionQuery reads the agents whose conversations expire, of all workspaces. ReadRef reads the items.
func RetentionQuery() table.Query { return table.Query{PK: retentions.Join("agents")} }
