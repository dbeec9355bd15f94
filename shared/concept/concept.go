// Package concept tells words of all languages that stand for the same thing at a front desk: parking and
// Parkplätze, promos and offers. What belongs to a concept stands in concepts.txt of each language's folder.
package concept

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"frontdesk/shared/language"
	"frontdesk/shared/text"
)

// A Found is a concept of a text, by the tokens that stand for it: from From up to but not including To.
type Found struct {
	Name     string
	From, To int
}

// A lexicon is the concepts of one language, by the stems that stand for them.
type lexicon struct {
	words   map[string][]string // of one stem
	phrases map[string][]named  // by their first stem
	light   map[string]bool     // say little of what a question is about
	byFirst map[rune][]string   // the stems of words, by their first letters
	part    int                 // bytes of a part of a compound at least; 0 for none
	whole   map[string]bool     // no parts of compounds
}

// A named is a phrase of several words with the concept that it stands for.
type named struct {
	phrase text.Phrase
	name   string
}

// loaded are the lexicons that were asked for, by their languages' tags.
var loaded sync.Map

// of returns the lexicon of a language, which is made when it is first asked for.
func of(tag string) *lexicon {
	tag = language.Primary(tag)
	if l, ok := loaded.Load(tag); ok {
		return l.(*lexicon)
	}
	l, _ := loaded.LoadOrStore(tag, newLexicon(tag))
	return l.(*lexicon)
}

func newLexicon(tag string) *lexicon {
	known := language.Find(tag)
	if known == nil {
		return &lexicon{}
	}
	lists := known.Concepts()
	l := &lexicon{
		words: make(map[string][]string, 4*len(lists)), phrases: make(map[string][]named, 2*len(lists)),
		light: stems(tag, known.Talk().Light), whole: stems(tag, known.Script().Whole), part: leastParts[tag],
	}
	for _, name := range slices.Sorted(maps.Keys(lists)) {
		for entry := range strings.SplitSeq(lists[name], ",") {
			var p text.Phrase
			for _, t := range text.Tokens(tag, entry) {
				p = append(p, t.Stem)
			}
			switch {
			case len(p) == 1 && !slices.Contains(l.words[p[0]], name):
				l.words[p[0]] = append(l.words[p[0]], name)
			case len(p) > 1:
				l.phrases[p[0]] = append(l.phrases[p[0]], named{p, name})
			}
		}
	}
	l.byFirst = map[rune][]string{}
	for word := range l.words {
		first, _ := utf8.DecodeRuneInString(word)
		l.byFirst[first] = append(l.byFirst[first], word)
	}
	return l
}

// stems are the stems of a list of words.
func stems(tag, list string) map[string]bool {
	tokens := text.Tokens(tag, list)
	out := make(map[string]bool, len(tokens))
	for _, t := range tokens {
		out[t.Stem] = true
	}
	return out
}

// Of returns the concepts that a word stands for by its stem, none for most words.
func Of(tag, stem string) []string { return of(tag).namesOf(stem) }

// Light reports whether a word, by its stem, says little of what a question is about, such as "have" and
// "possible".
func Light(tag, stem string) bool { return of(tag).light[stem] }

// leastMisspelt is how many letters a word has at least that is taken for a misspelt one.
const leastMisspelt = 5

// Near returns the concepts of the word that a stem is likely to be misspelt for: one that begins with the
// same letter and becomes it by adding, leaving out, changing or swapping one letter. None where there is no
// such word, or where the stem is known. It is for what people write: texts of businesses are spelt as they
// are meant.
func Near(tag, stem string) []string {
	l := of(tag)
	if utf8.RuneCountInString(stem) < leastMisspelt || len(l.namesOf(stem)) > 0 || l.light[stem] {
		return nil
	}
	first, _ := utf8.DecodeRuneInString(stem)
	var found string
	for _, word := range l.byFirst[first] {
		if oneSlip([]rune(stem), []rune(word)) && (found == "" || word < found) {
			found = word
		}
	}
	return l.words[found]
}

// oneSlip reports whether one letter more, less, other or swapped with its neighbour makes b of a.
func oneSlip(a, b []rune) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b) < leastMisspelt || len(b)-len(a) > 1 {
		return false
	}
	from := 0
	for from < len(a) && a[from] == b[from] {
		from++
	}
	to := 0
	for to < len(a)-from && a[len(a)-1-to] == b[len(b)-1-to] {
		to++
	}
	switch rest := len(a) - from - to; {
	case len(a) < len(b):
		return rest == 0
	case rest == 2:
		return a[from] == b[from+1] && a[from+1] == b[from]
	default:
		return rest == 1
	}
}

// leastParts are how many bytes a part of a compound has that is known by itself, of the languages that write
// compounds as one word. Where endings are rich, short stems stand in many words by chance.
var leastParts = map[string]int{"de": 4, "nl": 4, "sv": 4, "da": 4, "no": 4, "fi": 5, "hu": 5}

func (l *lexicon) namesOf(stem string) []string {
	names := l.words[stem]
	if len(names) > 0 || l.part == 0 {
		return names
	}
	for i := l.part; i+l.part <= len(stem); i++ {
		if utf8.RuneStart(stem[i]) && !l.whole[stem[i:]] && len(l.words[stem[i:]]) > 0 {
			return l.words[stem[i:]] // the last part of a compound says what it is
		}
	}
	for i := len(stem) - l.part; i > l.part; i-- {
		if utf8.RuneStart(stem[i]) && !l.whole[stem[:i]] && len(l.words[stem[:i]]) > 0 {
			return l.words[stem[:i]]
		}
	}
	return nil
}

// In returns the concepts of a text, whose tokens are those of the language, in their order. Of phrases that
// begin with one token the longest counts.
func In(tag string, tokens []text.Token) []Found {
	l := of(tag)
	var out []Found
	for i := 0; i < len(tokens); {
		n, name := 0, ""
		for _, p := range l.phrases[tokens[i].Stem] {
			if len(p.phrase) > n && p.phrase.At(tokens, i) {
				n, name = len(p.phrase), p.name
			}
		}
		if n > 0 {
			out = append(out, Found{name, i, i + n})
		}
		for _, name := range l.namesOf(tokens[i].Stem) {
			out = append(out, Found{name, i, i + 1})
		}
		i++
	}
	return out
}

// Word is the name that a concept has among the words of an index. No stem of a text is like it.
func Word(name string) string { return "~" + name }

// Names returns the concepts of a message, each once, in alphabetical order.
func Names(tag, message string) []string {
	var names []string
	for _, f := range In(tag, text.Tokens(tag, message)) {
		names = append(names, f.Name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}
