package graph

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"time"
)

// An ID is an id of Meta, which is a string or sometimes a number in JSON.
type ID string

// UnmarshalJSON accepts a string, a whole number or null; anything else becomes "".
func (id *ID) UnmarshalJSON(b []byte) error {
	*id = ""
	var text string
	switch {
	case json.Unmarshal(b, &text) == nil:
		*id = ID(text)
	case len(bytes.Trim(b, "0123456789")) == 0:
		*id = ID(b)
	}
	return nil
}

// A Number is a JSON number or string, in its original digits.
type Number string

// UnmarshalJSON accepts a string or a number; anything else becomes "".
func (n *Number) UnmarshalJSON(b []byte) error {
	text := strings.Trim(string(b), `"`)
	*n = ""
	if _, err := strconv.ParseFloat(text, 64); err == nil {
		*n = Number(text)
	}
	return nil
}

// A Timestamp is a time in seconds, or in milliseconds if it has enough digits, as a number or a string.
type Timestamp string

// UnmarshalJSON accepts a string or a number; anything else is no time.
func (t *Timestamp) UnmarshalJSON(b []byte) error {
	*t = Timestamp(strings.Trim(string(b), `"`))
	return nil
}

// Time returns the time in UTC, or the zero time.
func (t Timestamp) Time() time.Time {
	n, err := strconv.ParseInt(string(t), 10, 64)
	switch {
	case err != nil || n <= 0:
		return time.Time{}
	case n >= 1e11:
		return time.UnixMilli(n).UTC()
	}
	return time.Unix(n, 0).UTC()
}

// Note returns the placeholder text for content that is not text, with its caption.
func Note(what, text string) string {
	return strings.TrimSpace("[" + what + "] " + text)
}

// Filled returns the texts that are not empty.
func Filled(texts ...string) []string {
	var filled []string
	for _, t := range texts {
		if t = strings.TrimSpace(t); t != "" {
			filled = append(filled, t)
		}
	}
	return filled
}
