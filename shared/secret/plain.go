package secret

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Set is what the API shows in place of a stored secret. Sent back, it leaves the secret unchanged.
const Set = "__set__"

// A Plain is a secret in plain text. It prints, marshals and logs as [secret]; only a conversion to string
// reveals it.
type Plain string

const hidden = "[secret]"

// Format implements fmt.Formatter, for all verbs.
func (p Plain) Format(f fmt.State, _ rune) { io.WriteString(f, hidden) }

// MarshalText implements encoding.TextMarshaler, which JSON and slog use.
func (p Plain) MarshalText() ([]byte, error) { return []byte(hidden), nil }

// maxCredential is the length limit of a credential in characters, several times the longest that providers
// issue.
const maxCredential = 2000

// Credential validates a credential from outside and removes white space around it. It returns what is wrong
// with it, or "". It accepts an empty one; the caller decides about that.
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
