package widget

import (
	"strconv"

	"frontdesk/shared/agent"
	"frontdesk/shared/table"
)

const (
	visitors table.Prefix = "visitor"

	// identitySecrets is the sort key of an agent's identity secret.
	identitySecrets table.SortPrefix = "identity-secret"
)

// identitySecretKey returns the key of an agent's identity secret.
func identitySecretKey(account, agentID int64) table.Key {
	return table.Key{PK: agent.Partition(account, agentID), SK: string(identitySecrets)}
}

// visitorKey returns the key of a counter of one address or session at a widget, of one minute or day.
func visitorKey(embed, who string, minute int64) table.Key {
	return table.Key{PK: visitors.Join(embed, who), SK: strconv.FormatInt(minute, 10)}
}
