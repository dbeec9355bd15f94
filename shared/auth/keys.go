package auth

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"

	"frontdesk/shared/table"
)

const (
	accounts  table.Prefix = "account"
	apiKeys   table.Prefix = "key"
	usage     table.Prefix = "usage"
	visits    table.Prefix = "visits"
	signedIns table.Prefix = "signed-in"
	links     table.Prefix = "sign-in"
	// challenges are WebAuthn challenges.
	challenges table.Prefix = "challenge"
	attempts   table.Prefix = "sign-in-attempts"
	audits     table.Prefix = "audit"
	expiring   table.Prefix = "expiring"

	// keysOfAccount begins the sort keys of a workspace's list of API keys.
	keysOfAccount table.SortPrefix = "key/"
	// membersOfAccount and sessionsOfAccount begin those of its members and their sessions.
	membersOfAccount  table.SortPrefix = "member/"
	sessionsOfAccount table.SortPrefix = "session/"
	// passkeysOfAccount begins those of its members' passkeys.
	passkeysOfAccount table.SortPrefix = "passkey/"
	// emailsOfAccount begins those that reserve its members' e-mail addresses.
	emailsOfAccount table.SortPrefix = "member-email/"
)

// AttemptsKey returns the key of the counter of sign-in attempts from an address in one minute.
func AttemptsKey(address string, minute int64) table.Key {
	return table.Key{PK: attempts.Join(address), SK: strconv.FormatInt(minute, 10)}
}

// AccountKey returns the key of the workspace itself.
func AccountKey(account int64) table.Key { return table.Key{PK: accounts.Join(account), SK: "account"} }

// AccountAPIKey returns the key of an API key's entry in its workspace's list.
func AccountAPIKey(account, id int64) table.Key {
	return table.Key{PK: accounts.Join(account), SK: keysOfAccount.Join(table.PadID(id))}
}

// APIKey returns the key of the item that authenticates requests with this API key.
func APIKey(text string) table.Key { return APIKeyHash(HashAPIKey(text)) }

// APIKeyHash is APIKey for a text of which only the hash is known.
func APIKeyHash(hash string) table.Key { return table.Key{PK: apiKeys.Join(hash), SK: "key"} }

// HashAPIKey returns the form in which secrets are stored: SHA-256 in hex. The secrets are random, so a slow
// hash would add nothing.
func HashAPIKey(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// UsageKey returns the key of a counter of a workspace's AI replies in one period. Shards spread the writes
// of busy workspaces.
func UsageKey(account, period int64, shard int) table.Key {
	return table.Key{PK: usage.Join(account), SK: fmt.Sprintf("%06d/%02d", period, shard)}
}

// KeysQuery reads a workspace's API keys, oldest first.
func KeysQuery(account int64) table.Query { return ofAccount(account, keysOfAccount) }

// MemberKey returns the key of a member of a workspace.
func MemberKey(account, member int64) table.Key {
	return table.Key{PK: accounts.Join(account), SK: membersOfAccount.Join(table.PadID(member))}
}

// memberEmailKey returns the key of the item that reserves an e-mail address for one member of a workspace.
// Case does not count.
func memberEmailKey(account int64, email string) table.Key {
	return table.Key{PK: accounts.Join(account), SK: emailsOfAccount.Join(strings.ToLower(email))}
}

// MembersQuery reads a workspace's members, oldest first.
func MembersQuery(account int64) table.Query { return ofAccount(account, membersOfAccount) }

// SessionKey returns the key of a session in its workspace's list.
func SessionKey(account, session int64) table.Key {
	return table.Key{PK: accounts.Join(account), SK: sessionsOfAccount.Join(table.PadID(session))}
}

// IsSession reports whether a key is one of SessionKey.
func IsSession(key table.Key) bool {
	return strings.HasPrefix(key.PK, string(accounts)+"/") &&
		strings.HasPrefix(key.SK, string(sessionsOfAccount))
}

// SessionsQuery reads the sessions of a workspace's members, oldest first.
func SessionsQuery(account int64) table.Query { return ofAccount(account, sessionsOfAccount) }

func ofAccount(account int64, prefix table.SortPrefix) table.Query {
	return table.Query{PK: accounts.Join(account), Prefix: prefix}
}

// signedInKey returns the key of the item that authenticates requests whose cookie has that hash.
func signedInKey(hash string) table.Key { return table.Key{PK: signedIns.Join(hash), SK: "session"} }

// LinkKey returns the key of the item of a sign-in link.
func LinkKey(token string) table.Key { return table.Key{PK: links.Join(HashAPIKey(token)), SK: "link"} }

// challengeKey returns the key of the item of a WebAuthn challenge.
func challengeKey(challenge string) table.Key {
	return table.Key{PK: challenges.Join(HashAPIKey(challenge)), SK: "challenge"}
}

// passkeyKey returns the key of a member's passkey.
func passkeyKey(account, member, passkey int64) table.Key {
	return table.Key{
		PK: accounts.Join(account),
		SK: passkeysOfAccount.Join(table.PadID(member), "/", table.PadID(passkey)),
	}
}

// PasskeysQuery reads the passkeys of a member, oldest first, or of all members where member is 0.
func PasskeysQuery(account, member int64) table.Query {
	if member == 0 {
		return ofAccount(account, passkeysOfAccount)
	}
	return ofAccount(account, passkeysOfAccount+table.SortPrefix(table.PadID(member)+"/"))
}

// auditKey returns the key of an audit entry. Entries of callers have random bits after the id, since two
// processes may make the same id.
func auditKey(account, entry int64, by ActorKind) table.Key {
	key := table.Key{PK: audits.Join(account), SK: table.PadID(entry) + "/" + string(by)}
	if by != ActorService {
		key.SK = table.PadID(entry) + "/" + rand.Text()[:8]
	}
	return key
}

// AuditQuery reads a workspace's audit log, newest first. AuditCountQuery reads its keys alone.
func AuditQuery(account int64) table.Query {
	return table.Query{PK: audits.Join(account), Descending: true}
}

// AuditCountQuery reads the keys of a workspace's audit log.
func AuditCountQuery(account int64) table.Query {
	return table.Query{Index: table.Index3, PK: audits.Join(account)}
}

// VisitsKey returns the key of the counter of a network's visits in the current period. It contains a hash of
// the network, so that the table stores no address for longer than the minute of the rate limit.
func (a Account) VisitsKey(network string, now time.Time) table.Key {
	sum := sha256.Sum256([]byte(visits.Join(a.ID, network)))
	return table.Key{
		PK: visits.Join(a.ID, hex.EncodeToString(sum[:16])), SK: fmt.Sprintf("%06d", a.PeriodAt(now).Number),
	}
}

// expiringKey returns the key in Index1 under which an API key is listed by its expiry until its workspace
// was warned. The keys of all workspaces are in one partition, which a daily job reads.
func expiringKey(ends time.Time, key int64) table.Key {
	at := ends.UTC().Format(time.RFC3339)
	return table.Key{PK: expiring.Join("keys"), SK: at + "/" + table.PadID(key)}
}

// ExpiringQuery reads the entries of the API keys that expire within WarnBefore and were not yet warned of.
func ExpiringQuery(now time.Time) table.Query {
	until := expiringKey(now.Add(WarnBefore), 0)
	return table.Query{Index: table.Index1, PK: until.PK, To: until.SK}
}
