package builtin

import (
	"strings"

	"frontdesk/shared/ai/faq"
	"frontdesk/shared/cache"
	"frontdesk/shared/language"
	"frontdesk/shared/text"
)

// A phrase is the stems of a word or of several that follow one another.
type phrase []string

// A lexicon is how people of a language talk, read for comparison.
type lexicon struct {
	tag    string
	read   cache.Bounded[string, []text.Token] // the words of the agent's texts
	fitted cache.Bounded[uint64, *faq.Model]   // of FAQs' questions

	greeting, goodbye, thanks   []phrase
	filler                      map[string]bool
	light                       map[string]bool // say little of what a question is about
	days                        map[string]bool // of the week
	times                       map[string]bool // the days of the week and the parts of a day
	person                      map[string]bool // pronouns of people
	severalDays                 []phrase        // working days, every day
	back                        map[string]bool // stand for something that was said before
	numbers                     map[string]bool // in words, from two on
	human                       []phrase
	verb, with, noun            map[string]bool
	not                         []phrase
	complaint, booking, pricing []phrase
	ask                         [askKinds][]phrase
	followUp, hearsay           []phrase
	related                     map[string][]string // a stem to those of its groups
}

// lexicon returns that of a language; for one without any it is English.
func (e *Engine) lexicon(tag string) *lexicon {
	of := language.Of(tag)
	l, ok := e.lexicons.Load(of.Tag())
	if !ok {
		l, _ = e.lexicons.LoadOrStore(of.Tag(), newLexicon(of))
	}
	return l.(*lexicon)
}

func newLexicon(of *language.Language) *lexicon {
	l, p, tag := &lexicon{tag: of.Tag()}, of.Talk(), of.Tag()
	l.read.Max, l.fitted.Max = cachedTexts, cachedModels
	phrases := func(list string) []phrase {
		var out []phrase
		for _, entry := range strings.Split(list, ",") {
			if stems := stemsOf(text.Tokens(tag, entry)); len(stems) > 0 {
				out = append(out, stems)
			}
		}
		return out
	}
	words := func(list string) map[string]bool {
		out := map[string]bool{}
		for _, stem := range stemsOf(text.Tokens(tag, list)) {
			out[stem] = true
		}
		return out
	}
	l.greeting, l.goodbye, l.thanks, l.filler = phrases(p.Greeting), phrases(p.Goodbye), phrases(p.Thanks),
		words(p.Filler)
	l.light, l.days, l.numbers = words(p.Light), words(of.Times().Weekdays),
		words(afterTwo(of.Times().Numbers))
	l.times = words(of.Times().Weekdays + "," + of.Times().Parts + "," + of.Times().Relative)
	l.severalDays = phrases(of.Times().Workdays + "," + of.Times().Everyday)
	l.back, l.person = words(of.Speech().Back), words(of.Speech().Person)
	l.human, l.not = phrases(p.Human), phrases(p.Not)
	l.verb, l.with, l.noun = words(p.HumanVerb), words(p.HumanWith), words(p.HumanNoun)
	l.complaint, l.booking, l.pricing = phrases(p.Complaint), phrases(p.Booking), phrases(p.Pricing)
	l.ask = [askKinds][]phrase{askWho: phrases(p.Who), askWhen: phrases(p.When), askWhere: phrases(p.Where),
		askHowMany: phrases(p.HowMany), askPrice: phrases(p.Pricing)}
	l.followUp, l.hearsay = phrases(p.FollowUp), phrases(p.Hearsay)
	l.related = map[string][]string{}
	for _, group := range strings.Split(p.Related, ";") {
		stems := stemsOf(text.Tokens(tag, group))
		for _, stem := range stems {
			l.related[stem] = append(l.related[stem], stems...)
		}
	}
	return l
}

// leastOfDay is how many letters the name of a day has at least that a longer word can begin with.
const leastOfDay = 6

// beginsWithDay reports whether a word is a compound with a day of the week: "Mittwochvormittag".
func (l *lexicon) beginsWithDay(stem string) bool {
	for n := leastOfDay; n < len(stem); n++ {
		if l.days[stem[:n]] {
			return true
		}
	}
	return false
}

// afterTwo is a list of numbers from zero on without its first two, of which one is an article in many
// languages.
func afterTwo(numbers string) string {
	for range 2 {
		_, numbers, _ = strings.Cut(numbers, ";")
	}
	return numbers
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

// find returns where the first of the phrases stands in tokens, and its length; the longest of those that
// begin at one place. The length is 0 when there is none.
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
