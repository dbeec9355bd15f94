package builtin

import (
	"strings"
	"unicode/utf8"

	"frontdesk/shared/text"
)

// similarity tells how like two words are, 0 to 1: 1 less the share of letters to change, add, drop or swap for one to
// become the other. It is 0 for words that are short, begin differently or differ in more than a slip. A word that
// begins or ends with the other whole, as compounds do, is four fifths like it.
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

// distance is the number of letters to change, add, drop or swap with their neighbour to make b of a.
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

// A letters is the set of the triples of neighbouring letters in the stems of a text.
type letters map[[3]rune]bool

func lettersOf(tokens []text.Token) letters {
	set := make(letters, 8*len(tokens))
	window := [3]rune{' ', ' ', ' '}
	push := func(r rune) {
		window = [3]rune{window[1], window[2], r}
		set[window] = true
	}
	for _, t := range tokens {
		for _, r := range t.Stem {
			push(r)
		}
		push(' ')
	}
	return set
}

// like is twice the triples in both over the sum of them, 0 to 1.
func (a letters) like(b letters) float64 {
	if len(a)+len(b) == 0 {
		return 0
	}
	both := 0
	for t := range a {
		if b[t] {
			both++
		}
	}
	return 2 * float64(both) / float64(len(a)+len(b))
}
