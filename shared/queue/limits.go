package queue

import (
	"fmt"
	"time"
	"unicode/utf8"
)

// Check returns an error that wraps ErrInvalid if one of the messages is invalid. Implementations of Sender
// call it before they send anything.
func Check(messages ...Outgoing) error {
	for i, m := range messages {
		if err := m.check(); err != nil {
			return fmt.Errorf("%w: message %d: %s", ErrInvalid, i, err)
		}
	}
	return nil
}

func (m Outgoing) check() error {
	switch {
	case m.Body == "":
		return fmt.Errorf("the body is empty")
	case len(m.Body) > MaxBody:
		return fmt.Errorf("the body has %d bytes, more than %d", len(m.Body), MaxBody)
	case m.Delay < 0 || m.Delay > MaxDelay:
		return fmt.Errorf("the delay of %v is not within 0 and %v", m.Delay, MaxDelay)
	case len(m.Group) > MaxGroup:
		return fmt.Errorf("the group has %d characters, more than %d", len(m.Group), MaxGroup)
	}
	for _, r := range m.Group {
		if r <= ' ' || r > '~' {
			return fmt.Errorf("the character %U of the group is not allowed", r)
		}
	}
	for i, r := range m.Body {
		if !allowed(r) {
			return fmt.Errorf("the character %U at byte %d is not allowed", r, i)
		}
		if r == utf8.RuneError {
			if _, size := utf8.DecodeRuneInString(m.Body[i:]); size == 1 {
				return fmt.Errorf("the body is not UTF-8 at byte %d", i)
			}
		}
	}
	return nil
}

// allowed reports whether SQS accepts the character, which is the case for the characters of XML 1.0.
func allowed(r rune) bool {
	switch {
	case r < 0x20:
		return r == '\t' || r == '\n' || r == '\r'
	default:
		return r != 0xFFFE && r != 0xFFFF
	}
}

// WholeSeconds rounds a duration up to whole seconds, the unit of SQS. It is for implementations of Queue.
func WholeSeconds(d time.Duration) int32 {
	return int32((d + time.Second - 1) / time.Second)
}
