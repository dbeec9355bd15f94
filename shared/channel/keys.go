package channel

import (
	"frontdesk/shared/agent"
	"frontdesk/shared/table"
)

const (
	// KeyPrefix begins the sort keys of an agent's channels, in its partition.
	KeyPrefix table.SortPrefix = "channel/"
	shops     table.SortPrefix = "shop"
)

// Key is the key of the settings of one of an agent's channels.
func Key(account, agentID int64, channel string) table.Key {
	return table.Key{PK: agent.Partition(account, agentID), SK: KeyPrefix.Of(channel)}
}

// ShopKey is the key of the settings of an agent's online shop.
func ShopKey(account, agentID int64) table.Key {
	return table.Key{PK: agent.Partition(account, agentID), SK: string(shops)}
}
