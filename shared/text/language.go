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
)

// A language is what the package knows of one language. The table of them costs nothing at the start of a process: the
// compiler lays it out, and a stop list becomes a set when it is first asked for.
type language struct {
	tag       string
	stem      func(*snowballstem.Env) bool
	stopWords string // in lower case and folded, parted by white space
	// keep are the accented letters that are letters of their own here, and stay when accents go.
	keep string
	// elides tells that an apostrophe parts two words (l'heure, Ankara'da).
	elides bool

	once  sync.Once
	stops map[string]struct{}
}

var languages = [...]language{
	{tag: "en", stem: english.Stem, stopWords: stopEnglish},
	{tag: "es", stem: spanish.Stem, stopWords: stopSpanish},
	{tag: "fr", stem: french.Stem, stopWords: stopFrench, elides: true},
	{tag: "de", stem: german.Stem, stopWords: stopGerman},
	{tag: "it", stem: italian.Stem, stopWords: stopItalian, elides: true},
	{tag: "pt", stem: portuguese.Stem, stopWords: stopPortuguese},
	{tag: "nl", stem: dutch.Stem, stopWords: stopDutch},
	{tag: "sv", stem: swedish.Stem, stopWords: stopSwedish, keep: "åäö"},
	{tag: "da", stem: danish.Stem, stopWords: stopDanish, keep: "æøå"},
	{tag: "no", stem: norwegian.Stem, stopWords: stopNorwegian, keep: "æøå"},
	{tag: "fi", stem: finnish.Stem, stopWords: stopFinnish, keep: "åäö"},
	{tag: "ro", stem: romanian.Stem, stopWords: stopRomanian},
	{tag: "hu", stem: hungarian.Stem, stopWords: stopHungarian},
	{tag: "ru", stem: russian.Stem, stopWords: stopRussian},
	{tag: "tr", stem: turkish.Stem, stopWords: stopTurkish, elides: true},
	{tag: "ar", stem: arabic.Stem, stopWords: stopArabic},
}

// other stands for every language that is not in the table: its words keep their endings and none is a stop word.
var other = language{}

// Languages returns the languages of the product as BCP 47 primary tags, the default one, "en", first. In these words
// have stems and stop words are known. The caller owns the slice.
func Languages() []string {
	tags := make([]string, len(languages))
	for i := range languages {
		tags[i] = languages[i].tag
	}
	return tags
}

// languageOf finds a language by its tag, of which only the primary part counts ("pt-BR" is "pt").
func languageOf(tag string) *language {
	if i := strings.IndexAny(tag, "-_"); i >= 0 {
		tag = tag[:i]
	}
	for i := range languages {
		if strings.EqualFold(languages[i].tag, tag) {
			return &languages[i]
		}
	}
	return &other
}

// isStop reports whether a folded word is a stop word.
func (l *language) isStop(word string) bool {
	l.once.Do(func() {
		words := strings.Fields(l.stopWords)
		l.stops = make(map[string]struct{}, len(words))
		for _, w := range words {
			l.stops[w] = struct{}{}
		}
	})
	_, ok := l.stops[word]
	return ok
}

// WrittenIn returns the language, of those of the product, that a text is written in by its stop words; "" where they do
// not tell it from the language that it is expected in. Two of them are the least that tells, and no less than three to
// one.
func WrittenIn(expected, s string) string {
	best, most := "", 1
	for i := range languages {
		if n := stopsIn(languages[i].tag, s); n > most {
			best, most = languages[i].tag, n
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
