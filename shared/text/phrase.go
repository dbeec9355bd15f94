package text

import (
	"slices"
	"strings"

	"frontdesk/shared/cache"
)

// A Phrase is a sequence of stems of one or more words.
type Phrase []string

// Phrases parses a list of words and phrases, separated by commas or line ends. Entries without a word are
// dropped. The result is shared and must not be changed.
func Phrases(language, list string) []Phrase {
	if len(list) > maxPhraseList {
		return readPhrases(language, list)
	}
	return phraseCache.Get(phraseList{language, list}, func() []Phrase { return readPhrases(language, list) })
}

// phraseCache caches parsed lists. Most are the hundreds of lists of languages; others are of agents.
var phraseCache = cache.Bounded[phraseList, []Phrase]{Max: maxPhraseLists, Own: phraseList.clone}

type phraseList struct{ language, list string }

// clone returns the list detached from the text that contains it.
func (l phraseList) clone() phraseList { return phraseList{l.language, strings.Clone(l.list)} }

const (
	maxPhraseLists = 2048 // lists
	maxPhraseList  = 4096 // bytes of a list
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

// At reports whether the phrase occurs in tokens of the same language at index i.
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

// LongestAt returns the number of tokens of the longest phrase at index i of tokens, 0 for none.
func LongestAt(phrases []Phrase, tokens []Token, i int) int {
	length := 0
	for _, p := range phrases {
		if len(p) > length && p.At(tokens, i) {
			length = len(p)
		}
	}
	return length
}

// Find returns the index in tokens of the first occurrence of a phrase, and its number of tokens. Of phrases
// at one index it takes the longest. length is 0 if there is none.
func Find(phrases []Phrase, tokens []Token) (at, length int) {
	for i := range tokens {
		if length := LongestAt(phrases, tokens, i); length > 0 {
			return i, length
		}
	}
	return 0, 0
}
