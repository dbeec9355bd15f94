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

// A language has the rules by which words of a language are split and compared.
type language struct {
	tag    string
	stem   func(*snowballstem.Env) bool
	keep   string // accented letters that keep their accents
	elides bool   // an apostrophe separates two words (l'heure, Ankara'da)
	stops  map[string]struct{}
	// stems caches the results of stemOf.
	stems cache.Bounded[string, stemmed]
}

// other is used for unsupported languages: words keep their endings, and none is a stop word.
var other = language{stems: newStemCache()}

func newStemCache() cache.Bounded[string, stemmed] {
	return cache.Bounded[string, stemmed]{Max: mostStems, Own: strings.Clone}
}

// loaded has the languages in use, by tag.
var loaded sync.Map

// Languages returns the supported languages as BCP 47 primary tags, the default one, "en", first. They have
// stemmers and stop words. The caller owns the slice.
func Languages() []string { return known.Tags() }

// languageOf returns a language by the primary part of its tag ("pt-BR" is "pt").
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
		stops: make(map[string]struct{}, len(words)), stems: newStemCache(),
	}
	for _, w := range words {
		l.stops[w] = struct{}{}
	}
	first, _ := loaded.LoadOrStore(found.Tag(), l)
	return first.(*language)
}

// stemmer returns the stemming function of a language, nil if there is none.
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

// sample is the number of a text's characters from which its language is detected.
const sample = 400

// WrittenIn returns the supported language in which a text is written, detected by stop words; "" if they do
// not clearly differ from the expected language. It needs at least two stop words and three times as many as
// of the expected language. Only the beginning of a long text is read.
func WrittenIn(expected, s string) string {
	s = Truncate(s, sample)
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

// stopsIn returns the number of stop words of a language in a text.
func stopsIn(language, s string) int {
	n := 0
	for _, t := range Tokens(language, s) {
		if t.Stop {
			n++
		}
	}
	return n
}
