package builtin

import (
	"strings"
	"unicode/utf8"

	"frontdesk/shared/text"
)

// similarity returns the similarity of two words, from 0 to 1: 1 less the share of letters to change, add,
// drop or swap to get one from the other. It is 0 for words that are short, begin differently or differ by
// more than a typing error. A word that begins or ends with the other, as compounds do, has 0.8.
func similarity(a, b string) float64 {
	if len(a) > len(b) {
		a, b = b, a
	}
	short := utf8.RuneCountInString(a)
	if short >= 5 && (strings.HasPrefix(b, a) || strings.HasSuffix(b, a)) {
		return 0.8
	}
	if short < 4 || a[0] != b[0] || len(b)-len(a) > 4 {
		return 0
	}
	x, y := []rune(a), []rune(b)
	longer := max(len(x), len(y))
	allowed := 1
	if longer >= 9 {
		allowed = 2
	}
	if d := distance(x, y); d <= allowed {
		return 1 - float64(d)/float64(longer)
	}
	return 0
}

// distance returns the number of letters to change, add, drop or swap with their neighbour to turn a into
// b.
func distance(a, b []rune) int {
	before, above, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range above {
		above[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := above[j-1]
			if a[i-1] != b[j-1] {
				change++
			}
			row[j] = min(change, above[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, above, row = above, row, before
	}
	return above[len(b)]
}

// beginsAlike reports whether two words share their beginning: at least four letters, and three fifths of
// the longer word. Most words of one family do: found and founder, teach and teacher.
func beginsAlike(a, b string) bool {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n >= 4 && 5*n >= 3*max(len(a), len(b))
}

// A shape is a text as sets: its words, its pairs of neighbouring words, and its sequences of four letters.
type shape struct {
	words   map[string]bool
	pairs   map[[2]string]bool
	letters map[[4]rune]bool
}

func newShape(tokens []text.Token) shape {
	s := shape{make(map[string]bool, len(tokens)), make(map[[2]string]bool, len(tokens)),
		make(map[[4]rune]bool, 6*len(tokens))}
	window := [4]rune{}
	push := func(r rune) {
		window = [4]rune{window[1], window[2], window[3], r}
		if window[0] != 0 {
			s.letters[window] = true
		}
	}
	for i, t := range tokens {
		s.words[t.Stem] = true
		if i > 0 {
			s.pairs[[2]string{tokens[i-1].Stem, t.Stem}] = true
			push(' ')
		}
		for _, r := range t.Stem {
			push(r)
		}
	}
	return s
}

// in returns the shares, from 0 to 1, of s that are also in other.
func (s shape) in(other shape) (words, pairs, letters float64) {
	return share(s.words, other.words), share(s.pairs, other.pairs), share(s.letters, other.letters)
}

func share[K comparable](of, in map[K]bool) float64 {
	n := 0
	for x := range of {
		if in[x] {
			n++
		}
	}
	return float64(n) / float64(max(1, len(of)))
}
