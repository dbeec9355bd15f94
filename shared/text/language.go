package text

import (
	"strings"
	"sync"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/arabic"
	"github.com/blevesearch/snowballstem/danish"
	"github.com/blevesearch/snowballstem/dutch"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/finnish"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/hungarian"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/norwegian"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/romanian"
	"github.com/blevesearch/snowballstem/russian"
	"github.com/blevesearch/snowballstem/spanish"
	"github.com/blevesearch/snowballstem/swedish"
	"github.com/blevesearch/snowballstem/turkish"

	"frontdesk/shared/cache"
	known "frontdesk/shared/language"
)

// A language is what words are cut and compared by in one language.
type language struct {
	tag    string
	stem   func(*snowballstem.Env) bool
	keep   string // accented letters that stay when accents go
	elides bool   // an apostrophe parts two words (l'heure, Ankara'da)
	stops  map[string]struct{}
	// stems are those of the words that were read lately, as they were written.
	stems cache.Bounded[string, stemmed]
}

// other stands for every language that the product does not speak: its words keep their endings and none is a
// stop word.
var other = language{stems: keptStems()}

func keptStems() cache.Bounded[string, stemmed] {
	return cache.Bounded[string, stemmed]{Max: mostStems, Own: strings.Clone}
}

// loaded are the languages that were asked for, by their tags.
var loaded sync.Map

// Languages returns the languages of the product as BCP 47 primary tags, the default one, "en", first. In
// these words have stems and stop words are known. The caller owns the slice.
func Languages() []string { return known.Tags() }

// languageOf finds a language by its tag, of which only the primary part counts ("pt-BR" is "pt").
func languageOf(tag string) *language {
	if l, ok := loaded.Load(tag); ok {
		return l.(*language)
	}
	found := known.Find(tag)
	if found == nil {
		return &other
	}
	script := found.Script()
	words := strings.Fields(script.Stop)
	l := &language{
		tag: found.Tag(), stem: stemmer(found.Tag()), keep: script.Keep, elides: script.Elides,
		stops: make(map[string]struct{}, len(words)), stems: keptStems(),
	}
	for _, w := range words {
		l.stops[w] = struct{}{}
	}
	first, _ := loaded.LoadOrStore(found.Tag(), l)
	return first.(*language)
}

// stemmer returns what takes endings off the words of a language; nil where there is none.
func stemmer(tag string) func(*snowballstem.Env) bool {
	switch tag {
	case "en":
		return english.Stem
	case "es":
		return spanish.Stem
	case "fr":
		return french.Stem
	case "de":
		return german.Stem
	case "it":
		return italian.Stem
	case "pt":
		return portuguese.Stem
	case "nl":
		return dutch.Stem
	case "sv":
		return swedish.Stem
	case "da":
		return danish.Stem
	case "no":
		return norwegian.Stem
	case "fi":
		return finnish.Stem
	case "ro":
		return romanian.Stem
	case "hu":
		return hungarian.Stem
	case "ru":
		return russian.Stem
	case "tr":
		return turkish.Stem
	case "ar":
		return arabic.Stem
	}
	return nil
}

// isStop reports whether a folded word is a stop word.
func (l *language) isStop(word string) bool {
	_, ok := l.stops[word]
	return ok
}

// toldBy is how many characters of a text tell its language.
const toldBy = 400

// WrittenIn returns the language, of those of the product, that a text is written in by its stop words; ""
// where they do not tell it from the language that it is expected in. Two of them are the least that tells,
// and no less than three to one. Of a long text the beginning is looked at.
func WrittenIn(expected, s string) string {
	s = Truncate(s, toldBy)
	best, most := "", 1
	for _, tag := range known.Tags() {
		if n := stopsIn(tag, s); n > most {
			best, most = tag, n
		}
	}
	if most < 3*stopsIn(expected, s) || languageOf(best) == languageOf(expected) {
		return ""
	}
	return best
}

// stopsIn is how many words of a text are stop words of a language.
func stopsIn(language, s string) int {
	n := 0
	for _, t := range Tokens(language, s) {
		if t.Stop {
			n++
		}
	}
	return n
}
