package builtin

import (
	"strings"

	"frontdesk/shared/ai/faq"
	"frontdesk/shared/cache"
	"frontdesk/shared/language"
	"frontdesk/shared/text"
)

// A phrase is the stems of one or several consecutive words.
type phrase []string

// A lexicon is the vocabulary of a language, stemmed for comparison.
type lexicon struct {
	tag    string
	read   cache.Bounded[string, []text.Token] // the words of agents' texts
	meant  cache.Bounded[string, sense]        // their senses
	fitted cache.Bounded[uint64, *faq.Model]   // models of FAQs' questions

	greeting, goodbye, thanks   []phrase
	filler                      map[string]bool
	light                       map[string]bool // say little about a question's subject
	days                        map[string]bool // of the week
	times                       map[string]bool // the days of the week and the parts of a day
	person                      map[string]bool // pronouns of people
	severalDays                 []phrase        // working days, every day
	back                        map[string]bool // refer to something that was mentioned before
	numbers                     map[string]bool // numerals from two on
	units                       map[string]bool // of time, from minutes to months
	months                      map[string]bool // names of months
	human                       []phrase
	verb, with, noun            map[string]bool
	not                         []phrase
	complaint, booking, pricing []phrase
	ask                         [askKinds][]phrase
	followUp, hearsay           []phrase
	related                     map[string][]string // the stems in the groups of a stem
}

// lexicon returns the lexicon of a language, the English one for an unsupported language.
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
	l.read.Max, l.meant.Max, l.fitted.Max = cachedTexts, cachedTexts, cachedModels
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
	l.units = words(of.Times().Minute + "," + of.Times().Hour + "," + of.Times().Day + "," +
		of.Times().Month + "," + before(of.Times().Week, ";"))
	l.months = words(of.Times().Months)
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

// leastOfDay is the minimum number of letters of a day's name to recognise it as the beginning of a
// compound.
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

// afterTwo returns a list of numbers from zero without the first two, since one is an article in many
// languages.
func afterTwo(numbers string) string {
	for range 2 {
		_, numbers, _ = strings.Cut(numbers, ";")
	}
	return numbers
}

// before returns the part of a list before its first separator.
func before(list, separator string) string {
	first, _, _ := strings.Cut(list, separator)
	return first
}

func stemsOf(tokens []text.Token) []string {
	out := make([]string, len(tokens))
	for i, t := range tokens {
		out[i] = t.Stem
	}
	return out
}

// at reports whether the phrase is in tokens at index i.
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

// find returns the position of the first of the phrases in tokens and its length, the longest if several
// begin there. The length is 0 if there is none.
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
