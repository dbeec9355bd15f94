package secret

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Set stands in the place of a secret that is stored, where the API shows what it belongs to. Sent back, it
// leaves the secret as it is.
const Set = "__set__"

// A Plain is a secret text that can be read. It prints, marshals and logs as [secret], so that it gets out
// only where a conversion to string lets it.
type Plain string

const hidden = "[secret]"

// Format implements fmt.Formatter, for all verbs.
func (p Plain) Format(f fmt.State, _ rune) { io.WriteString(f, hidden) }

// MarshalText implements encoding.TextMarshaler, which JSON and logs go by.
func (p Plain) MarshalText() ([]byte, error) { return []byte(hidden), nil }

// maxCredential is how many characters a credential may have, several times the longest that providers give
// out.
const maxCredential = 2000

// Credential takes a credential from outside, without the white space around it, and says what is wrong with
// it; "" when nothing is. An empty one is none, and left to the caller.
func Credential(text string) (credential Plain, problem string) {
	text = strings.TrimSpace(text)
	switch {
	case utf8.RuneCountInString(text) > maxCredential:
		return "", fmt.Sprintf("may have at most %d characters", maxCredential)
	case strings.ContainsFunc(text, unicode.IsControl):
		return "", "may not contain control characters"
	}
	return Plain(text), ""
}
