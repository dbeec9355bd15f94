package queue

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func TestCheck(t *testing.T) {
	for _, tt := range []struct {
		name string
		in   Outgoing
		ok   bool
	}{
		{"plain", Outgoing{Body: "x"}, true},
		{"empty", Outgoing{}, false},
		{"longest", Outgoing{Body: strings.Repeat("x", MaxBody)}, true},
		{"too long", Outgoing{Body: strings.Repeat("x", MaxBody+1)}, false},
		{"too long in bytes", Outgoing{Body: strings.Repeat("é", MaxBody/2+1)}, false},
		{"greatest delay", Outgoing{Body: "x", Delay: MaxDelay}, true},
		{"delay too great", Outgoing{Body: "x", Delay: MaxDelay + 1}, false},
		{"negative delay", Outgoing{Body: "x", Delay: -1}, false},
		{"white space", Outgoing{Body: " \t\r\n"}, true},
		{"null", Outgoing{Body: "a\x00b"}, false},
		{"escape", Outgoing{Body: "\x1b[0m"}, false},
		{"delete is no control of XML", Outgoing{Body: "\x7f"}, true},
		{"last of the first plane", Outgoing{Body: "\uFFFD"}, true},
		{"non-character FFFE", Outgoing{Body: "\uFFFE"}, false},
		{"non-character FFFF", Outgoing{Body: "\uFFFF"}, false},
		{"beyond the first plane", Outgoing{Body: "😀\U0010FFFF"}, true},
		{"broken UTF-8", Outgoing{Body: "a\xffb"}, false},
		{"surrogate in UTF-8", Outgoing{Body: "\xed\xa0\x80"}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := Check(Outgoing{Body: "before"}, tt.in)
			if tt.ok && err != nil || !tt.ok && !errors.Is(err, ErrInvalid) {
				t.Errorf("Check = %v, want valid: %v", err, tt.ok)
			}
		})
	}
}

func TestWholeSeconds(t *testing.T) {
	for in, want := range map[time.Duration]int32{
		0:                       0,
		1:                       1,
		time.Second:             1,
		time.Second + 1:         2,
		1500 * time.Millisecond: 2,
		MaxVisibility:           43200,
	} {
		if got := WholeSeconds(in); got != want {
			t.Errorf("WholeSeconds(%v) = %d, want %d", in, got, want)
		}
	}
}
