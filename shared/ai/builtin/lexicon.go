package builtin

import (
	"strings"
	"sync"

	"frontdesk/shared/text"
)

// A phrase is the stems of a word or of several that follow one another.
type phrase []string

// A lexicon is the phrasing of a language, read for comparison. It is made when it is first asked for.
type lexicon struct {
	once sync.Once

	greeting, goodbye, thanks   []phrase
	filler                      map[string]bool
	human                       []phrase
	verb, with, noun            map[string]bool
	not                         []phrase
	complaint, booking, pricing []phrase
	ask                         [askKinds][]phrase
	followUp, hearsay           []phrase
	related                     map[string][]string // a stem to those of its groups
}

// lexicon returns that of a language; for one without any it is English.
func (e *Engine) lexicon(language string) *lexicon {
	at := 0
	for i := range phrasings {
		if phrasings[i].language == primary(language) {
			at = i
		}
	}
	l := &e.lexicons[at]
	l.once.Do(func() { l.read(&phrasings[at]) })
	return l
}

func (l *lexicon) read(p *phrasing) {
	phrases := func(list string) []phrase {
		var out []phrase
		for _, entry := range strings.Split(list, ",") {
			if stems := stemsOf(text.Tokens(p.language, entry)); len(stems) > 0 {
				out = append(out, stems)
			}
		}
		return out
	}
	words := func(list string) map[string]bool {
		out := map[string]bool{}
		for _, stem := range stemsOf(text.Tokens(p.language, list)) {
			out[stem] = true
		}
		return out
	}
	l.greeting, l.goodbye, l.thanks, l.filler = phrases(p.greeting), phrases(p.goodbye), phrases(p.thanks), words(p.filler)
	l.human, l.not = phrases(p.human), phrases(p.not)
	l.verb, l.with, l.noun = words(p.humanVerb), words(p.humanWith), words(p.humanNoun)
	l.complaint, l.booking, l.pricing = phrases(p.complaint), phrases(p.booking), phrases(p.pricing)
	l.ask = [askKinds][]phrase{askWho: phrases(p.who), askWhen: phrases(p.when), askWhere: phrases(p.where), askHowMany: phrases(p.howMany), askPrice: phrases(p.pricing)}
	l.followUp, l.hearsay = phrases(p.followUp), phrases(p.hearsay)
	l.related = map[string][]string{}
	for _, group := range strings.Split(p.related, ";") {
		stems := stemsOf(text.Tokens(p.language, group))
		for _, stem := range stems {
			l.related[stem] = append(l.related[stem], stems...)
		}
	}
}

func stemsOf(tokens []text.Token) []string {
	out := make([]string, len(tokens))
	for i, t := range tokens {
		out[i] = t.Stem
	}
	return out
}

// at reports whether the phrase stands in tokens at place i.
func (p phrase) at(tokens []text.Token, i int) bool {
	if len(tokens)-i < len(p) {
		return false
	}
	for j, stem := range p {
		if tokens[i+j].Stem != stem {
			return false
		}
	}
	return true
}

// find returns where the first of the phrases stands in tokens, and its length; the longest of those that begin at one
// place. The length is 0 when there is none.
func find(phrases []phrase, tokens []text.Token) (at, length int) {
	for i := range tokens {
		for _, p := range phrases {
			if len(p) > length && p.at(tokens, i) {
				at, length = i, len(p)
			}
		}
		if length > 0 {
			return at, length
		}
	}
	return 0, 0
}
