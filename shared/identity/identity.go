// Package identity tells what a visitor only states about themselves from what is proved.
//
// A statement of a website's visitor is a claim: it is kept and shown to the business, and opens nothing.
// It is proved where the business's server signed it with the agent's identity secret, where it came by
// the API's own key, or where the platform of a channel vouches for it. Only proved values stand in a
// contact's own fields and lead to a contact.
package identity

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"unicode/utf8"
)

// State is how sure it is who a contact is.
type State string

// The states.
const (
	Anonymous State = "anonymous" // nothing is known
	Claimed   State = "claimed"   // what is known was only stated
	Verified  State = "verified"  // the phone, the e-mail address or the external id is proved
)

// Values lists the states.
func (State) Values() []string {
	return []string{string(Anonymous), string(Claimed), string(Verified)}
}

// Of returns the state of a contact whose identity is proved or not, and who stated the claims.
func Of(proved bool, c Claims) State {
	switch {
	case proved:
		return Verified
	case c != Claims{}:
		return Claimed
	}
	return Anonymous
}

// Claims is what somebody says who they are. Any field may be empty.
type Claims struct {
	Name       string `json:"name" example:"Ada Lovelace"`
	Email      string `json:"email" example:"ada@example.com"`
	Phone      string `json:"phone" doc:"E.164." example:"+14155550123"`
	ExternalID string `json:"external_id" doc:"The visitor's id in the business's own systems." example:"customer-42"`
}

// Add takes over those fields of the later claims that are not empty.
func (c *Claims) Add(later Claims) {
	for field, value := range map[*string]string{
		&c.Name: later.Name, &c.Email: later.Email, &c.Phone: later.Phone, &c.ExternalID: later.ExternalID,
	} {
		if value != "" {
			*field = value
		}
	}
}

// NewSecret makes an identity secret: 64 hexadecimal digits.
func NewSecret() string {
	var b [32]byte
	rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// Sign returns the signature of the claims: hex HMAC-SHA256 of their canonical JSON under the text of the
// secret.
func Sign(secret string, c Claims) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(c.canonical())
	return hex.EncodeToString(mac.Sum(nil))
}

// Verify reports whether the signature is the one of the claims under the secret. An empty secret signs
// nothing. It takes the same time whatever the signature.
func Verify(secret, signature string, c Claims) bool {
	return secret != "" && hmac.Equal([]byte(Sign(secret, c)), []byte(signature))
}

// canonical returns the JSON that is signed: the fields that are not empty, in a fixed order, without
// spaces, as UTF-8 in which only quotes, backslashes and control characters are escaped. JSON.stringify
// writes the same.
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
