package widget

import (
	"strconv"

	"frontdesk/shared/agent"
	"frontdesk/shared/table"
)

const (
	visitors table.Prefix = "visitor"

	// identitySecrets is the sort key of an agent's identity secret, in its partition.
	identitySecrets table.SortPrefix = "identity-secret"
)

// identitySecretKey is the key of an agent's identity secret.
func identitySecretKey(account, agentID int64) table.Key {
	return table.Key{PK: agent.Partition(account, agentID), SK: string(identitySecrets)}
}

// visitorKey is the key of the count of the requests that come to a widget in one minute, from one address or
// in one session.
func visitorKey(embed, who string, minute int64) table.Key {
	return table.Key{PK: visitors.Of(embed, who), SK: strconv.FormatInt(minute, 10)}
}
