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

// Key is the key of the settings of one of an agent's channels.
func Key(account, agentID int64, channel string) table.Key {
	return table.Key{PK: agent.Partition(account, agentID), SK: KeyPrefix.Of(channel)}
}

// ShopKey is the key of the settings of an agent's online shop.
func ShopKey(account, agentID int64) table.Key {
	return table.Key{PK: agent.Partition(account, agentID), SK: string(shops)}
}

// key is where the channel is listed. The listed ones are few, and lie together for the daily look at all of
// them.
func (r Renewal) key() table.Key {
	sort := table.PadID(r.AccountID) + "/" + table.PadID(r.AgentID) + "/" + string(r.Type)
	return table.Key{PK: renewals.Of("channels"), SK: sort}
}

// RenewalQuery reads the channels of all workspaces that are listed. ReadRenewal reads the items.
func RenewalQuery() table.Query { return table.Query{PK: renewals.Of("channels")} }
