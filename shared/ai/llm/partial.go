package llm

import (
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"

	"frontdesk/shared/text"
)

// complete closes the open parts of JSON that was cut short, and drops what is incomplete, such as a key
// without its value. Invalid JSON stays invalid.
func complete(s string) string {
	var open []byte // the brackets to close, the outermost first
	inString := false
	comma, depth := -1, 0 // the last comma between parts, and how many brackets are open there
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{':
			open = append(open, '}')
		case c == '[':
			open = append(open, ']')
		case c == '}' || c == ']':
			if len(open) > 0 {
				open = open[:len(open)-1]
			}
		case c == ',':
			comma, depth = i, len(open)
		}
	}
	if inString && isValue(s) {
		return dropEscape(s) + `"` + closing(open)
	}
	if closed := s + closing(open); json.Valid([]byte(closed)) || comma < 0 || depth > len(open) {
		return closed
	}
	return s[:comma] + closing(open[:depth])
}

// closing returns the closing brackets, the innermost first.
func closing(open []byte) string {
	var b strings.Builder
	for i := len(open) - 1; i >= 0; i-- {
		b.WriteByte(open[i])
	}
	return b.String()
}

// isValue reports whether the unfinished string at the end of s is a value, not a key.
func isValue(s string) bool {
	start := -1 // where the string began
	for i, in := 0, false; i < len(s); i++ {
		switch {
		case in && s[i] == '\\':
			i++
		case s[i] == '"':
			in = !in
			start = i
		}
	}
	return strings.HasSuffix(strings.TrimRightFunc(s[:start], unicode.IsSpace), ":")
}

// dropEscape removes an incomplete escape sequence, or the first half of a surrogate pair, from the end of
// s.
func dropEscape(s string) string {
	i := len(s)
	for n := 0; n < 12 && i > 0; n++ { // the longest is a pair, \ud83d\ude00
		i--
		if s[i] != '\\' {
			continue
		}
		backslashes := 1
		for i-backslashes >= 0 && s[i-backslashes] == '\\' {
			backslashes++
		}
		if backslashes%2 == 0 {
			return s // the last of them is itself escaped
		}
		tail := s[i:]
		unicodeEscape := len(tail) > 1 && tail[1] == 'u'
		switch {
		case len(tail) == 1, unicodeEscape && len(tail) < 6:
			return dropEscape(s[:i])
		case unicodeEscape && len(tail) == 6 && strings.ContainsAny(tail[2:3], "dD") &&
			strings.ContainsAny(tail[3:4], "89abAB"):
			return s[:i]
		}
		return s
	}
	return s
}

// wholeSentences returns s up to the end of its last complete sentence, or "". A number at the end may
// continue after its period.
func wholeSentences(s string) string {
	segments := text.Segments(s)
	for i := len(segments) - 1; i >= 0; i-- {
		sentence := s[segments[i].Start:segments[i].End]
		if segments[i].Kind == text.Heading {
			continue // it promises what did not come
		}
		if i < len(segments)-1 || ended(sentence) {
			return s[:segments[i].End]
		}
	}
	return ""
}

// ended reports whether the sentence ends with a punctuation mark.
func ended(sentence string) bool {
	sentence = strings.TrimRight(sentence, "\"'”’»)]」』")
	mark, size := utf8.DecodeLastRuneInString(sentence)
	before, _ := utf8.DecodeLastRuneInString(sentence[:len(sentence)-size])
	return strings.ContainsRune(".!?…。！？؟۔।", mark) && !(mark == '.' && unicode.IsDigit(before))
}
