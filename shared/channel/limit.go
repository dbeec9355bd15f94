package channel

import (
	"strings"
	"unicode/utf8"
)

// A Limit is the length limit of a text. The zero Limit is no limit.
type Limit struct {
	Max   int
	Bytes bool // Max counts bytes of UTF-8, otherwise Unicode code points
}

// Len returns the length of a text as the limit counts it.
func (l Limit) Len(s string) int {
	if l.Bytes {
		return len(s)
	}
	return utf8.RuneCountInString(s)
}

// Fits reports whether a text is within the limit.
func (l Limit) Fits(s string) bool { return l.Max == 0 || l.Len(s) <= l.Max }

// Split divides a text into parts within the limit: between paragraphs if possible, otherwise between lines,
// sentences, words or characters. It never splits a code point. White space at the cuts is dropped. An empty
// text is one empty part.
func Split(l Limit, s string) []string {
	s = strings.TrimSpace(s)
	var parts []string
	for !l.Fits(s) {
		cut := cutAt(s, l.prefix(s))
		if part := strings.TrimSpace(s[:cut]); part != "" {
			parts = append(parts, part)
		}
		s = strings.TrimSpace(s[cut:])
	}
	if s != "" || len(parts) == 0 {
		parts = append(parts, s)
	}
	return parts
}

// prefix returns the length in bytes of the longest prefix of s within the limit. It has whole code points,
// at least one.
func (l Limit) prefix(s string) int {
	n := 0
	for i, r := range s {
		size := 1
		if l.Bytes {
			size = utf8.RuneLen(r)
		}
		if n += size; n > l.Max && i > 0 {
			return i
		}
	}
	return len(s)
}

// cutAt returns where to cut a text at or before end. A boundary in the first third is used only if there is
// no lesser one after it.
func cutAt(s string, end int) int {
	for _, boundary := range []string{"\n\n", "\n", ". ", "! ", "? ", "。", "！", "？", "؟ ", "; ", ", ", " "} {
		// White space at the boundary may be just after the end, since it is dropped.
		if i := strings.LastIndex(s[:min(end+1, len(s))], boundary); i >= end/3 && i > 0 {
			return min(i+len(boundary), end)
		}
	}
	for i := end; i > end/2; {
		next, _ := utf8.DecodeRuneInString(s[i:])
		before, size := utf8.DecodeLastRuneInString(s[:i])
		if !joins(next) && before != zeroWidthJoiner {
			return i
		}
		i -= size
	}
	return end
}

const zeroWidthJoiner = '\u200d'

// joins reports whether a code point combines with the previous one.
func joins(r rune) bool {
	return r == zeroWidthJoiner || r >= 0xfe00 && r <= 0xfe0f || r >= 0x0300 && r <= 0x036f || r >= 0x1f3fb &&
		r <= 0x1f3ff
}
