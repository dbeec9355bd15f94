// Package search matches lists against a few words that users type: names, addresses and messages.
package search

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// leastDigits is the least length of a number that is searched inside phone numbers, in digits.
const leastDigits = 4

// A Query is what a user searches for. The zero Query matches everything.
type Query struct {
	words  []string
	digits string // all digits of the query if it may be a phone number
}

// Parse parses a query. Case and accents are ignored.
func Parse(text string) Query {
	q := Query{words: strings.Fields(fold(text))}
	digits := digitsOf(text)
	if len(digits) >= leastDigits && strings.Trim(text, "+0123456789 -()./") == "" {
		q.digits = digits
	}
	return q
}

// Empty reports whether the query has no letter and no digit.
func (q Query) Empty() bool { return len(q.words) == 0 }

// Match reports whether each word of the query begins a word of one of the texts. Phone numbers match by any
// of their digits in sequence, and words of scripts without spaces match inside others.
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

// fold returns the words of a text in lower case and without accents, separated by single spaces.
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
