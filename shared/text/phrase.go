package text

import (
	"slices"
	"strings"

	"frontdesk/shared/cache"
)

// A Phrase is the stems of a word, or of several that follow one another.
type Phrase []string

// Phrases reads a list of words and phrases that are parted by commas, or by ends of lines. What holds no
// word is left out. The phrases are shared between callers, who do not change them.
func Phrases(language, list string) []Phrase {
	if len(list) > longestKept {
		return readPhrases(language, list)
	}
	return kept.Get(phraseList{language, list}, func() []Phrase { return readPhrases(language, list) })
}

// kept are the lists that were read before. Nearly all are a language's own, of which there are some hundred;
// those of agents come and go.
var kept = cache.Bounded[phraseList, []Phrase]{Max: mostKept, Own: phraseList.clone}

type phraseList struct{ language, list string }

// clone is the same list apart from the text that it may be a part of.
func (l phraseList) clone() phraseList { return phraseList{l.language, strings.Clone(l.list)} }

const (
	mostKept    = 2048 // lists
	longestKept = 4096 // bytes of a list
)

func readPhrases(language, list string) []Phrase {
	var phrases []Phrase
	for _, entry := range strings.FieldsFunc(list,
		func(r rune) bool { return strings.ContainsRune(",،;\n", r) }) {
		var p Phrase
		for _, t := range Tokens(language, entry) {
			p = append(p, t.Stem)
		}
		if len(p) > 0 {
			phrases = append(phrases, p)
		}
	}
	return slices.Clip(phrases)
}

// At reports whether the phrase stands in tokens, which are of the same language, at place i.
func (p Phrase) At(tokens []Token, i int) bool {
	if i < 0 || len(tokens)-i < len(p) {
		return false
	}
	for j, stem := range p {
		if tokens[i+j].Stem != stem {
			return false
		}
	}
	return true
}

// LongestAt is how many tokens the longest of the phrases has that stand in tokens at place i; 0 where none
// does.
func LongestAt(phrases []Phrase, tokens []Token, i int) int {
	length := 0
	for _, p := range phrases {
		if len(p) > length && p.At(tokens, i) {
			length = len(p)
		}
	}
	return length
}

// Find returns where the first of the phrases stands in tokens, and how many tokens it has: of those that
// begin at one place the longest. The length is 0 where none of them stands there.
func Find(phrases []Phrase, tokens []Token) (at, length int) {
	for i := range tokens {
		if length := LongestAt(phrases, tokens, i); length > 0 {
			return i, length
		}
	}
	return 0, 0
}
