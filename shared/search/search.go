// Package search finds what people look for in lists by a few words: names, addresses, and what was said.
package search

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// leastDigits is how many digits a word must have to be looked for inside a phone number.
const leastDigits = 4

// A Query is what somebody looks for. The zero Query finds everything.
type Query struct {
	words  []string
	digits string // of the whole query, where it may be a phone number
}

// Parse reads what somebody typed. Upper and lower case are the same, and so are letters with and without
// accents.
func Parse(text string) Query {
	q := Query{words: strings.Fields(fold(text))}
	digits := digitsOf(text)
	if len(digits) >= leastDigits && strings.Trim(text, "+0123456789 -()./") == "" {
		q.digits = digits
	}
	return q
}

// Empty reports whether nothing is looked for: no letter and no digit.
func (q Query) Empty() bool { return len(q.words) == 0 }

// Match reports whether each word of the query begins a word of one of the texts. A phone number is found by
// any digits of it, and a word of a script that has no spaces between words is found inside of others.
func (q Query) Match(texts ...string) bool {
	for _, text := range texts {
		if q.digits != "" && strings.Contains(digitsOf(text), q.digits) {
			return true
		}
	}
	all := " " + fold(strings.Join(texts, " "))
	for _, word := range q.words {
		at := " " + word
		if spaceless(word) {
			at = word
		}
		if !strings.Contains(all, at) {
			return false
		}
	}
	return true
}

// fold returns the words of a text in lower case and without accents, with one space between them.
func fold(s string) string {
	var b strings.Builder
	gap := false
	for _, r := range norm.NFKD.String(s) {
		switch {
		case unicode.Is(unicode.Mn, r):
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			if gap && b.Len() > 0 {
				b.WriteByte(' ')
			}
			gap = false
			b.WriteRune(unicode.ToLower(r))
		default:
			gap = true
		}
	}
	return b.String()
}

func digitsOf(s string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, s)
}

func spaceless(word string) bool {
	for _, r := range word {
		return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao,
			unicode.Khmer)
	}
	return false
}
