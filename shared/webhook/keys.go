package webhook

import (
	"frontdesk/shared/agent"
	"frontdesk/shared/table"
)

// KeyPrefix begins the sort keys of an agent's webhooks, in its partition.
const KeyPrefix table.SortPrefix = "webhook/"

// Key returns the key of a webhook.
func Key(account, agentID, webhook int64) table.Key {
	return table.Key{PK: agent.Partition(account, agentID), SK: KeyPrefix.Join(table.PadID(webhook))}
}
