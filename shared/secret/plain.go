package secret

import (
	"fmt"
	"io"
)

// A Plain is a secret text that can be read. It prints, marshals and logs as [secret], so that it gets out only where a
// conversion to string lets it.
type Plain string

const hidden = "[secret]"

// Format implements fmt.Formatter, for all verbs.
func (p Plain) Format(f fmt.State, _ rune) { io.WriteString(f, hidden) }

// MarshalText implements encoding.TextMarshaler, which JSON and logs go by.
func (p Plain) MarshalText() ([]byte, error) { return []byte(hidden), nil }
