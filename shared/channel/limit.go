package channel

import (
	"strings"
	"unicode/utf8"
)

// A Limit bounds a text. The zero Limit is none.
type Limit struct {
	Max   int
	Bytes bool // Max counts bytes of UTF-8, else Unicode code points
}

// Len is the length of a text as the limit counts it.
func (l Limit) Len(s string) int {
	if l.Bytes {
		return len(s)
	}
	return utf8.RuneCountInString(s)
}

// Fits reports whether a text is within the limit.
func (l Limit) Fits(s string) bool { return l.Max == 0 || l.Len(s) <= l.Max }

// Split cuts a text into parts that are within the limit, in their order: between paragraphs where it can,
// else between lines, sentences or words, else between characters. It never cuts a code point. White space at
// the cuts is dropped, and so joined parts say the same as the text. An empty text is one empty part.
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

// prefix returns how many bytes the longest beginning of s has, in whole code points, that is within the
// limit. It has at least one code point.
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

// cutAt returns where to cut a text at or before end. A boundary in the first third is no place to cut where
// there is a lesser one further back.
func cutAt(s string, end int) int {
	for _, boundary := range []string{"\n\n", "\n", ". ", "! ", "? ", "。", "！", "？", "؟ ", "; ", ", ", " "} {
		// The white space of a boundary may lie just behind the end, since it is dropped.
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

// joins reports whether a code point belongs to the one before it.
func joins(r rune) bool {
	return r == zeroWidthJoiner || r >= 0xfe00 && r <= 0xfe0f || r >= 0x0300 && r <= 0x036f || r >= 0x1f3fb &&
		r <= 0x1f3ff
}
