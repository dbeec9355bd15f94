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
	// challenges are what browsers sign with a passkey.
	challenges table.Prefix = "challenge"
	attempts   table.Prefix = "sign-in-attempts"
	audits     table.Prefix = "audit"
	expiring   table.Prefix = "expiring"

	// keysOfAccount begins the sort keys of a workspace's records of its API keys.
	keysOfAccount table.SortPrefix = "key/"
	// membersOfAccount and sessionsOfAccount begin those of its members and of their sessions.
	membersOfAccount  table.SortPrefix = "member/"
	sessionsOfAccount table.SortPrefix = "session/"
	// passkeysOfAccount begins those of its members' passkeys.
	passkeysOfAccount table.SortPrefix = "passkey/"
	// emailsOfAccount begins those of the e-mail addresses that its members have.
	emailsOfAccount table.SortPrefix = "member-email/"
)

// AttemptsKey is the key of the count of the attempts to sign in that come from an address in one minute.
func AttemptsKey(address string, minute int64) table.Key {
	return table.Key{PK: attempts.Of(address), SK: strconv.FormatInt(minute, 10)}
}

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

// HashAPIKey returns the form in which the text of an API key is stored: SHA-256 in hex. The keys are random,
// so a slow hash adds nothing.
func HashAPIKey(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// UsageKey is the key of a count of the workspace's AI replies in one period. Shards spread the writes of
// busy workspaces.
func UsageKey(account, period int64, shard int) table.Key {
	return table.Key{PK: usage.Of(account), SK: fmt.Sprintf("%06d/%02d", period, shard)}
}

// KeysQuery reads a workspace's API keys, the oldest first.
func KeysQuery(account int64) table.Query { return ofAccount(account, keysOfAccount) }

// MemberKey is the key of a member of a workspace.
func MemberKey(account, member int64) table.Key {
	return table.Key{PK: accounts.Of(account), SK: membersOfAccount.Of(table.PadID(member))}
}

// memberEmailKey is the key of the item that keeps an e-mail address to one member of a workspace. Addresses
// are compared without regard to case.
func memberEmailKey(account int64, email string) table.Key {
	return table.Key{PK: accounts.Of(account), SK: emailsOfAccount.Of(strings.ToLower(email))}
}

// MembersQuery reads a workspace's members, the oldest first.
func MembersQuery(account int64) table.Query { return ofAccount(account, membersOfAccount) }

// SessionKey is the key of the workspace's record of one of its members' sessions.
func SessionKey(account, session int64) table.Key {
	return table.Key{PK: accounts.Of(account), SK: sessionsOfAccount.Of(table.PadID(session))}
}

// IsSession reports whether a key is one of SessionKey.
func IsSession(key table.Key) bool {
	return strings.HasPrefix(key.PK, string(accounts)+"/") &&
		strings.HasPrefix(key.SK, string(sessionsOfAccount))
}

// SessionsQuery reads the sessions of a workspace's members, the oldest first.
func SessionsQuery(account int64) table.Query { return ofAccount(account, sessionsOfAccount) }

func ofAccount(account int64, prefix table.SortPrefix) table.Query {
	return table.Query{PK: accounts.Of(account), Prefix: prefix}
}

// signedInKey is the key of the item that authenticates a request whose cookie has that hash.
func signedInKey(hash string) table.Key { return table.Key{PK: signedIns.Of(hash), SK: "session"} }

// LinkKey is the key of the item that the token of a sign-in link is exchanged by.
func LinkKey(token string) table.Key { return table.Key{PK: links.Of(HashAPIKey(token)), SK: "link"} }

// challengeKey is the key of the item that says what a challenge is for.
func challengeKey(challenge string) table.Key {
	return table.Key{PK: challenges.Of(HashAPIKey(challenge)), SK: "challenge"}
}

// passkeyKey is the key of a passkey of a member.
func passkeyKey(account, member, passkey int64) table.Key {
	return table.Key{
		PK: accounts.Of(account), SK: passkeysOfAccount.Of(table.PadID(member), "/", table.PadID(passkey)),
	}
}

// PasskeysQuery reads the passkeys of a member, the oldest first; those of all members where member is 0.
func PasskeysQuery(account, member int64) table.Query {
	if member == 0 {
		return ofAccount(account, passkeysOfAccount)
	}
	return ofAccount(account, passkeysOfAccount+table.SortPrefix(table.PadID(member)+"/"))
}

// auditKey is the key of an entry of a workspace's audit log. That of a caller has random bits, since
// processes may make one id twice.
func auditKey(account, entry int64, by ActorKind) table.Key {
	key := table.Key{PK: audits.Of(account), SK: table.PadID(entry) + "/" + string(by)}
	if by != ActorService {
		key.SK = table.PadID(entry) + "/" + rand.Text()[:8]
	}
	return key
}

// AuditQuery reads what was done in a workspace, the newest first; AuditCountQuery reads the keys alone.
func AuditQuery(account int64) table.Query {
	return table.Query{PK: audits.Of(account), Descending: true}
}

// AuditCountQuery is described at AuditQuery.
func AuditCountQuery(account int64) table.Query {
	return table.Query{Index: table.Index3, PK: audits.Of(account)}
}

// VisitsKey is the key of the item that counts the visits of a network in the period at that moment. It holds
// a hash of the network, so that the table keeps no address for longer than the minute in which calls are
// counted.
func (a Account) VisitsKey(network string, now time.Time) table.Key {
	sum := sha256.Sum256([]byte(visits.Of(a.ID, network)))
	return table.Key{
		PK: visits.Of(a.ID, hex.EncodeToString(sum[:16])), SK: fmt.Sprintf("%06d", a.PeriodAt(now).Number),
	}
}

// expiringKey is where an API key is listed by when it ends, in Index1, until its workspace was warned. The
// keys of all workspaces lie together, for the daily look at those that end soon.
func expiringKey(ends time.Time, key int64) table.Key {
	at := ends.UTC().Format(time.RFC3339)
	return table.Key{PK: expiring.Of("keys"), SK: at + "/" + table.PadID(key)}
}

// ExpiringQuery reads the items of AccountAPIKey of the API keys that end soon and of which nobody was
// warned.
func ExpiringQuery(now time.Time) table.Query {
	until := expiringKey(now.Add(WarnBefore), 0)
	return table.Query{Index: table.Index1, PK: until.PK, To: until.SK}
}
