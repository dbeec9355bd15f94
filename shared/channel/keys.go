package channel

import (
	"frontdesk/shared/agent"
	"frontdesk/shared/table"
)

const (
	// KeyPrefix begins the sort keys of an agent's channels, in its partition.
	KeyPrefix table.SortPrefix = "channel/"
	shops     table.SortPrefix = "shop"

	// renewals lists the channels whose platforms exchange credentials.
	renewals table.Prefix = "renewal"
)

// Key returns the key of an agent's settings of a channel.
func Key(account, agentID int64, channel string) table.Key {
	return table.Key{PK: agent.Partition(account, agentID), SK: KeyPrefix.Join(channel)}
}

// ShopKey returns the key of the settings of an agent's online shop.
func ShopKey(account, agentID int64) table.Key {
	return table.Key{PK: agent.Partition(account, agentID), SK: string(shops)}
}

// key returns the key that lists the channel. Listed channels are few and share a partition, which a daily
// job reads.
func (r Renewal) key() table.Key {
	sort := table.PadID(r.AccountID) + "/" + table.PadID(r.AgentID) + "/" + string(r.Type)
	return table.Key{PK: renewals.Join("channels"), SK: sort}
}

// RenewalQuery reads the listed channels of all workspaces. ReadRenewal decodes the items.
func RenewalQuery() table.Query { return table.Query{PK: renewals.Join("channels")} }
