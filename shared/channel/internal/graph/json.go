package graph

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"time"
)

// An ID is one of Meta's ids, which comes as a text and at times as a number.
type ID string

// UnmarshalJSON takes a text, a whole number or null; anything else is an empty id.
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

// A Number is a number that comes as such or as a text, in the digits that it came with.
type Number string

// UnmarshalJSON takes a text or a number; anything else is empty.
func (n *Number) UnmarshalJSON(b []byte) error {
	text := strings.Trim(string(b), `"`)
	*n = ""
	if _, err := strconv.ParseFloat(text, 64); err == nil {
		*n = Number(text)
	}
	return nil
}

// A Timestamp is a time in seconds, or in milliseconds where it has so many digits, as a number or a text.
type Timestamp string

// UnmarshalJSON takes a text or a number; anything else is no time.
func (t *Timestamp) UnmarshalJSON(b []byte) error {
	*t = Timestamp(strings.Trim(string(b), `"`))
	return nil
}

// Time is the time in UTC; the zero time where there is none.
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

// Note is what stands for something that is no text, with the text that came with it.
func Note(what, text string) string {
	return strings.TrimSpace("[" + what + "] " + text)
}

// Filled are the texts that are not empty.
func Filled(texts ...string) []string {
	var filled []string
	for _, t := range texts {
		if t = strings.TrimSpace(t); t != "" {
			filled = append(filled, t)
		}
	}
	return filled
}
