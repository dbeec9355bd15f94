// Package concept maps words of all languages to shared concepts of a front desk, such as parking and
// Parkplätze, or promos and offers. The words are listed in concepts.txt of each language's folder, from
// which infra/concepts generates the tables that are embedded here.
package concept

import (
	"embed"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"frontdesk/shared/language"
	"frontdesk/shared/text"
)

// A Found is a concept in a text. Its tokens are from From up to but not including To.
type Found struct {
	Name     string
	From, To int
}

// A lexicon has the concepts of one language by stem.
type lexicon struct {
	words   map[string][]string // single stems
	stops   map[string][]string // stop words
	sorted  []string            // the stems of words, sorted
	phrases map[string][]named  // by first stem
	light   map[string]bool     // words of little meaning, such as "have"
	part    int                 // least length of a part of a compound, in bytes; 0 to split none
	whole   map[string]bool     // words that are not parts of compounds
}

// A named is a phrase of several words with its concepts.
type named struct {
	stems string // separated by spaces
	names []string
}

// at returns the number of tokens of the phrase if the tokens begin with it, otherwise 0.
func (n named) at(tokens []text.Token) int {
	rest := n.stems
	for i := range tokens {
		stem, after, more := strings.Cut(rest, " ")
		if tokens[i].Stem != stem {
			return 0
		}
		if !more {
			return i + 1
		}
		rest = after
	}
	return 0
}

// loaded has the lexicons in use, by language tag.
var loaded sync.Map

// of returns the lexicon of a language. It is read on first use.
func of(tag string) *lexicon {
	tag = language.Primary(tag)
	if l, ok := loaded.Load(tag); ok {
		return l.(*lexicon)
	}
	l, _ := loaded.LoadOrStore(tag, newLexicon(tag))
	return l.(*lexicon)
}

// tables has a table for each language, which infra/concepts makes of its concepts.txt: lines of stems with
// spaces between, a tab, and the names of concepts with commas between. The lines are sorted by first stem.
// An exclamation mark begins that of a stop word.
//
//go:embed stems/*.txt
var tables embed.FS

func newLexicon(tag string) *lexicon {
	known := language.Find(tag)
	if known == nil {
		return &lexicon{}
	}
	l := readLexicon(tag)
	l.light, l.whole = stems(tag, known.Talk().Light), stems(tag, known.Script().Whole)
	l.part = leastParts[tag]
	return l
}

// readLexicon reads the table of a language. It allocates once for each map and slice, and not for each line,
// since the first message after a start waits for it.
func readLexicon(tag string) *lexicon {
	content, err := tables.ReadFile("stems/" + tag + ".txt")
	if err != nil {
		return &lexicon{}
	}
	table := string(content)
	lines := strings.Count(table, "\n")
	names := make([]string, 0, lines+strings.Count(table, ","))
	phrases := make([]named, 0, lines)
	l := &lexicon{
		words: make(map[string][]string, lines), phrases: make(map[string][]named, lines/4),
		stops: map[string][]string{}, sorted: make([]string, 0, lines),
	}
	for line := range strings.Lines(table) {
		stems, list, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		from := len(names)
		for name := range strings.SplitSeq(list, ",") {
			names = append(names, name)
		}
		own := names[from:len(names):len(names)]
		if stop, ok := strings.CutPrefix(stems, "!"); ok {
			l.stops[stop] = own
			continue
		}
		first, _, several := strings.Cut(stems, " ")
		if !several {
			l.words[stems], l.sorted = own, append(l.sorted, stems)
			continue
		}
		phrases = append(phrases, named{stems, own})
		l.phrases[first] = phrases[len(phrases)-1-len(l.phrases[first]):]
	}
	return l
}

// stems returns the stems of a list of words.
func stems(tag, list string) map[string]bool {
	tokens := text.Tokens(tag, list)
	out := make(map[string]bool, len(tokens))
	for _, t := range tokens {
		out[t.Stem] = true
	}
	return out
}

// Of returns the concepts of a stem, nil for most words.
func Of(tag, stem string) []string {
	l := of(tag)
	if names := l.stops[stem]; len(names) > 0 {
		return names
	}
	return l.namesOf(stem)
}

// Light reports whether a stem says little about the subject of a question, such as "have" and "possible".
func Light(tag, stem string) bool { return of(tag).light[stem] }

// leastMisspelt is the least length of a word that is checked for misspelling, in characters.
const leastMisspelt = 5

// Near returns the concepts of the word of which an unknown stem is probably a misspelling: it has the same
// first letter and differs by one letter that was added, omitted, changed or swapped. It returns nil for a
// known stem or if there is no such word. It is meant for contacts' messages; texts of businesses are taken
// literally.
func Near(tag, stem string) []string {
	l := of(tag)
	if utf8.RuneCountInString(stem) < leastMisspelt || len(l.namesOf(stem)) > 0 || l.light[stem] {
		return nil
	}
	_, size := utf8.DecodeRuneInString(stem)
	from, _ := slices.BinarySearch(l.sorted, stem[:size])
	for _, word := range l.sorted[from:] {
		if !strings.HasPrefix(word, stem[:size]) {
			break
		}
		if oneSlip([]rune(stem), []rune(word)) {
			return l.words[word]
		}
	}
	return nil
}

// oneSlip reports whether b differs from a by one letter that was added, omitted, changed or swapped with
// its neighbour.
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

// leastParts are the least lengths in bytes of a compound's part, for languages that write compounds as one
// word. Languages with rich endings are excluded, since short stems occur in many words by chance.
var leastParts = map[string]int{"de": 4, "nl": 4, "sv": 4, "da": 4, "no": 4, "fi": 5, "hu": 5}

func (l *lexicon) namesOf(stem string) []string {
	names := l.words[stem]
	if len(names) > 0 || l.part == 0 {
		return names
	}
	for i := l.part; i+l.part <= len(stem); i++ {
		if utf8.RuneStart(stem[i]) && !l.whole[stem[i:]] && len(l.words[stem[i:]]) > 0 {
			return l.words[stem[i:]] // the last part of a compound determines its meaning
		}
	}
	for i := len(stem) - l.part; i > l.part; i-- {
		if utf8.RuneStart(stem[i]) && !l.whole[stem[:i]] && len(l.words[stem[:i]]) > 0 {
			return l.words[stem[:i]]
		}
	}
	return nil
}

// In returns the concepts of a text in order. The tokens must be of the language tag. Of several phrases
// that begin at one token, the longest is used.
func In(tag string, tokens []text.Token) []Found {
	l := of(tag)
	var out []Found
	for i := 0; i < len(tokens); {
		longest, names := 0, []string(nil)
		for _, p := range l.phrases[tokens[i].Stem] {
			if n := p.at(tokens[i:]); n > longest {
				longest, names = n, p.names
			}
		}
		for _, name := range names {
			out = append(out, Found{name, i, i + longest})
		}
		single := l.stops[tokens[i].Stem]
		if !tokens[i].Stop {
			single = l.namesOf(tokens[i].Stem)
		}
		for _, name := range single {
			out = append(out, Found{name, i, i + 1})
		}
		i++
	}
	return out
}

// Word returns the word by which a concept is indexed. It differs from all stems.
func Word(name string) string { return "~" + name }

// Names returns the distinct concepts of a message, sorted.
func Names(tag, message string) []string {
	var names []string
	for _, f := range In(tag, text.Tokens(tag, message)) {
		names = append(names, f.Name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}
