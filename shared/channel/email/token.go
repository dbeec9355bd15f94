package email

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"strings"

	"frontdesk/shared/channel"
)

// Tokens name a conversation or a message in the addresses and ids of a mail, so that replies can be
// assigned. They are signed with the channel's inbound_secret and cannot be guessed. A token assigns a mail
// to a thread and does not authenticate its writer.

// encoding encodes tokens in a single case: mail servers may change the case of an address.
var encoding = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

const (
	idBytes        = 7 // ids are below 2^53
	threadMACBytes = 16
	refMACBytes    = 10
	// maxLocal is the length limit of a local part in characters.
	maxLocal = 64
)

// sign returns the signature of a text for a purpose; nil if the channel has no inbound_secret.
func sign(c channel.Connection, purpose, text string, n int) []byte {
	key := c.Secret(channel.InboundSecret)
	if key == "" {
		return nil
	}
	mac := hmac.New(sha256.New, []byte(key))
	fmt.Fprintf(mac, "frontdesk/%s/%d/%s", purpose, c.AgentID, text)
	return mac.Sum(nil)[:n]
}

// threadToken returns the token of a conversation, or "" without an inbound_secret.
func threadToken(c channel.Connection, conversation int64) string {
	mac := sign(c, "thread", fmt.Sprint(conversation), threadMACBytes)
	if mac == nil || conversation <= 0 {
		return ""
	}
	var id [8]byte
	binary.BigEndian.PutUint64(id[:], uint64(conversation))
	return encoding.EncodeToString(append(id[8-idBytes:], mac...))
}

// readThreadToken returns the conversation of a token, or 0 for an invalid one.
func readThreadToken(c channel.Connection, token string) int64 {
	raw, err := encoding.DecodeString(strings.ToLower(token))
	if err != nil || len(raw) != idBytes+threadMACBytes {
		return 0
	}
	conversation := int64(binary.BigEndian.Uint64(append([]byte{0}, raw[:idBytes]...)))
	mac := sign(c, "thread", fmt.Sprint(conversation), threadMACBytes)
	if mac == nil || !hmac.Equal(mac, raw[idBytes:]) {
		return 0
	}
	return conversation
}

// tagged appends a tag to the local part of an address, as in desk+tag@acme.example; "" if it becomes too
// long.
func tagged(address, tag string) string {
	at := strings.LastIndexByte(address, '@')
	if at <= 0 || tag == "" || at+1+len(tag) > maxLocal {
		return ""
	}
	return address[:at] + "+" + tag + address[at:]
}

// tagOf returns the tag of an address that is a tagged form of another, ignoring case.
func tagOf(address, plain string) string {
	at, of := strings.LastIndexByte(address, '@'), strings.LastIndexByte(plain, '@')
	if at <= 0 || of <= 0 || !strings.EqualFold(address[at:], plain[of:]) {
		return ""
	}
	local, base := address[:at], plain[:of]
	if len(local) <= len(base)+1 || !strings.EqualFold(local[:len(base)], base) || local[len(base)] != '+' {
		return ""
	}
	return local[len(base)+1:]
}

// unsubscribe begins the tag of the address with which a recipient unsubscribes.
const unsubscribe = "stop-"

// ownID returns the Message-ID of our message with its angle brackets: the reference with its signature.
func ownID(c channel.Connection, ref, domain string) string {
	local := ref
	if mac := sign(c, "message", ref, refMACBytes); mac != nil {
		local += "." + encoding.EncodeToString(mac)
	}
	return "<" + local + "@" + domain + ">"
}

// ownIDs matches what ownID returns.
var ownIDs = pattern(`<(fd-[0-9]{1,16}-[0-9]{1,4})\.([a-z2-7]{16})@[^<>\s]{1,255}>`)

// refsIn returns the references of our messages whose Message-IDs are in a text, last first.
func refsIn(c channel.Connection, text string) []string {
	var refs []string
	for _, found := range ownIDs().FindAllStringSubmatch(text, -1) {
		mac, err := encoding.DecodeString(found[2])
		if want := sign(c, "message", found[1], refMACBytes); err == nil && want != nil && hmac.Equal(want,
			mac) {
			refs = append([]string{found[1]}, refs...)
		}
	}
	return refs
}
