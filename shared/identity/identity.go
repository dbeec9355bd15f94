// Package identity distinguishes what visitors claim about themselves from what is verified.
//
// What a visitor of a website states is a claim: it is stored and shown to the business, but gives no access.
// It is verified if the business's server signed it with the agent's identity secret, if it came with an API
// key, or if a channel's platform vouches for it. Only verified values are in a contact's own fields and find
// a contact.
package identity

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"unicode/utf8"
)

// State is how certain the identity of a contact is.
type State string

// The states.
const (
	Anonymous State = "anonymous" // nothing is known
	Claimed   State = "claimed"   // only claims are known
	Verified  State = "verified"  // phone, e-mail address or external id is verified
)

// Values implements api.Enum.
func (State) Values() []string {
	return []string{string(Anonymous), string(Claimed), string(Verified)}
}

// Of returns the state of a contact whose identity is verified or not, with claims c.
func Of(proved bool, c Claims) State {
	switch {
	case proved:
		return Verified
	case c != Claims{}:
		return Claimed
	}
	return Anonymous
}

// Claims are a person's statements about their identity. Any field may be empty.
type Claims struct {
	Name       string `json:"name" example:"Ada Lovelace"`
	Email      string `json:"email" example:"ada@example.com"`
	Phone      string `json:"phone" doc:"E.164." example:"+14155550123"`
	ExternalID string `json:"external_id" doc:"The visitor's id in the business's own systems." example:"customer-42"`
}

// Add overwrites the fields that are not empty in later.
func (c *Claims) Add(later Claims) {
	for field, value := range map[*string]string{
		&c.Name: later.Name, &c.Email: later.Email, &c.Phone: later.Phone, &c.ExternalID: later.ExternalID,
	} {
		if value != "" {
			*field = value
		}
	}
}

// NewSecret returns a random identity secret of 64 hexadecimal digits.
func NewSecret() string {
	var b [32]byte
	rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// Sign returns the signature of the claims: the hexadecimal HMAC-SHA256 of their canonical JSON, with the
// text of the secret as key.
func Sign(secret string, c Claims) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(c.canonical())
	return hex.EncodeToString(mac.Sum(nil))
}

// Verify reports whether the signature is that of the claims. It is false for an empty secret. It compares in
// constant time.
func Verify(secret, signature string, c Claims) bool {
	return secret != "" && hmac.Equal([]byte(Sign(secret, c)), []byte(signature))
}

// canonical returns the JSON to sign: the fields that are not empty, in a fixed order, without spaces, as
// UTF-8 in which only quotes, backslashes and control characters are escaped, as JSON.stringify does.
func (c Claims) canonical() []byte {
	doc := []byte{'{'}
	for _, field := range []struct{ name, value string }{
		{"external_id", c.ExternalID}, {"email", c.Email}, {"phone", c.Phone}, {"name", c.Name},
	} {
		if field.value == "" {
			continue
		}
		if len(doc) > 1 {
			doc = append(doc, ',')
		}
		doc = append(appendText(doc, field.name), ':')
		doc = appendText(doc, field.value)
	}
	return append(doc, '}')
}

// appendText appends a JSON string.
func appendText(doc []byte, text string) []byte {
	short := map[rune]string{'"': `\"`, '\\': `\\`, '\b': `\b`, '\f': `\f`, '\n': `\n`, '\r': `\r`, '\t': `\t`}
	doc = append(doc, '"')
	for _, r := range text {
		switch escaped, ok := short[r]; {
		case ok:
			doc = append(doc, escaped...)
		case r < ' ':
			doc = fmt.Appendf(doc, `\u%04x`, r)
		default:
			doc = utf8.AppendRune(doc, r)
		}
	}
	return append(doc, '"')
}
