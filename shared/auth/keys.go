package auth

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"frontdesk/shared/table"
)

const (
	accounts table.Prefix = "account"
	apiKeys  table.Prefix = "key"
	usage    table.Prefix = "usage"

	// keysOfAccount begins the sort keys of a workspace's records of its API keys.
	keysOfAccount table.SortPrefix = "key/"
)

// AccountKey is the key of the workspace itself.
func AccountKey(account int64) table.Key { return table.Key{PK: accounts.Of(account), SK: "account"} }

// AccountAPIKey is the key of the workspace's record of one of its API keys.
func AccountAPIKey(account, id int64) table.Key {
	return table.Key{PK: accounts.Of(account), SK: keysOfAccount.Of(table.PadID(id))}
}

// APIKey is the key of the item that authenticates a request which carries this text.
func APIKey(text string) table.Key { return APIKeyHash(HashAPIKey(text)) }

// APIKeyHash is APIKey for a text of which only HashAPIKey is known.
func APIKeyHash(hash string) table.Key { return table.Key{PK: apiKeys.Of(hash), SK: "key"} }

// HashAPIKey returns the form in which the text of an API key is stored: SHA-256 in hex. The keys are random, so a slow
// hash adds nothing.
func HashAPIKey(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// UsageKey is the key of a count of the workspace's AI replies in one period. Shards spread the writes of busy
// workspaces.
func UsageKey(account, period int64, shard int) table.Key {
	return table.Key{PK: usage.Of(account), SK: fmt.Sprintf("%06d/%02d", period, shard)}
}
