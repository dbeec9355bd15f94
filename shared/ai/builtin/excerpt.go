package builtin

import (
	"strings"
	"unicode"

	"frontdesk/shared/text"
)

// ellipsis marks what an excerpt leaves out.
const ellipsis = "…"

// excerpt returns the part of a sentence, of at most n characters, that has most of what is asked. It
// begins with a clause, and ends with one if that leaves more than half of the length. Among equals it
// prefers the longest, then the first.
func (q *question) excerpt(u *unit, n int) string {
	starts := clauses(u.text)
	from, to, best := 0, 0, -1.0
	for i, start := range starts {
		end := start + len(text.Truncate(u.text[start:], n-2*len([]rune(ellipsis))))
		if end < len(u.text) {
			end = lastBreak(u.text, start, end, starts[i:])
		}
		value := q.weightOf(u.saidIn(start, end))
		if value > best || value == best && end-start > to-from {
			from, to, best = start, end, value
		}
	}
	said := strings.TrimRightFunc(u.text[from:to], func(r rune) bool {
		return unicode.IsSpace(r) || to < len(u.text) && strings.ContainsRune(",;:–—", r)
	})
	if from > 0 {
		said = ellipsis + said
	}
	if to < len(u.text) {
		said += ellipsis
	}
	return said
}

// clauses returns the byte offsets at which the clauses of a sentence begin, by its punctuation.
func clauses(s string) []int {
	starts := []int{0}
	mark := false
	for i, r := range s {
		if mark && unicode.IsSpace(r) {
			starts = append(starts, i+1)
		}
		mark = strings.ContainsRune(",;:–—，、；", r)
	}
	return starts
}

// lastBreak returns where to end a part of s that begins at start and may reach up to end: before the last
// clause that begins in its second half, or else after the last whole word.
func lastBreak(s string, start, end int, clauses []int) int {
	for i := len(clauses) - 1; i > 0; i-- {
		if c := clauses[i]; c <= end && c > (start+end)/2 {
			return c
		}
	}
	if space := strings.LastIndexFunc(s[start:end], unicode.IsSpace); space > 0 {
		return start + space
	}
	return end
}

// saidIn returns the terms of the question in the unit's bytes from start to end.
func (u *unit) saidIn(start, end int) (said terms) {
	for _, m := range u.mentions {
		if m.start >= start && m.end <= end {
			said |= m.terms
		}
	}
	return said
}
