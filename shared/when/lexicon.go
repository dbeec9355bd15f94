package when

import (
	"strings"
	"sync"
	"unicode/utf8"

	"frontdesk/shared/language"
)

// A sense is a meaning of a phrase.
type sense uint8

const (
	relative sense = iota // a day some days from today; the value is how many
	weekday               // day of the week
	brief                 // a day of the week, abbreviated like another word
	month                 // a month
	number                // a number
	one                   // an article before a unit
	part                  // a part of the day; the value is its place in parts
	next                  // the one after this
	this                  // this one
	week                  // a week
	weekend               // Saturday and Sunday
	workdays              // Monday to Friday
	everyday              // all days
	at                    // a time of day follows
	oclock                // a time of day stands before
	morning               // the hour before it is in the first half of the day
	later                 // the hour before it is in the second half of the day
	halfTo                // half an hour before the hour that follows
	halfPast              // half an hour after the hour that follows
	quarterTo
	quarterPast
	andHalf // half an hour after the hour before it
	andQuarter
	lessQuarter
	and      // minutes follow, after the hour before it
	less     // minutes follow, before the hour before it
	past     // minutes stand before it, after the hour that follows
	to       // minutes stand before it, before the hour that follows
	from     // a period begins
	until    // a period ends
	after    // not before
	before   // not after
	in       // a length of time follows, from now
	hence    // a length of time stands before, from now
	minute   // units
	hour     // units
	day      // units
	months   // units
	halfHour // half an hour from now
	noon     // 12:00
	on       // the number of a day of the month follows
	ordinal  // the number before is an ordinal
	soonest
	closed
	always // around the clock
	both   // between two times or days of a list
	besides
	previous  // the one before this
	sooner    // a length of time stands before, to a time that was spoken of
	fortnight // two weeks
	portion   // the beginning or the end of a week or a month follows
	dayWord   // the number of a day of the month, as a word; the value is one less
	pause     // a time follows at which the business is closed
)

// parts are the parts of the day in the order of the language tables. To is the last minute.
var parts = [...]Clock{
	{From: 6 * 60, To: 12*60 - 1},
	{From: 12 * 60, To: 14 * 60},
	{From: 12 * 60, To: 18*60 - 1},
	{From: 17 * 60, To: 22 * 60},
	{From: 19 * 60, To: Day - 1},
}

// A meaning is a sense with its value.
type meaning struct {
	sense sense
	value int
}

// A lexicon has the phrases of a language by sense.
type lexicon struct {
	*language.Times
	tag     string
	phrases map[string][]meaning // by their folded tokens, joined by spaces
	longest int                  // of the phrases, in tokens
	labels  []labelPhrase        // of parts of opening hours
}

// lexicons are those in use, by language tag.
var lexicons sync.Map

// lexiconOf returns the lexicon of a BCP 47 tag; that of English for an unknown language. Lexicons are built
// on first use.
func lexiconOf(tag string) *lexicon {
	if l, ok := lexicons.Load(tag); ok {
		return l.(*lexicon)
	}
	of := language.Of(tag)
	if l, ok := lexicons.Load(of.Tag()); ok {
		return l.(*lexicon)
	}
	l, _ := lexicons.LoadOrStore(of.Tag(), newLexicon(of))
	return l.(*lexicon)
}

func newLexicon(known *language.Language) *lexicon {
	of := known.Times()
	l := &lexicon{Times: of, tag: known.Tag(), phrases: map[string][]meaning{},
		labels: labelsOf(known.Hours())}
	for _, group := range []struct {
		sense  sense
		groups string
		values []int // nil for the indexes of the groups
	}{
		{relative, of.Relative, []int{0, 1, 2, -1}}, {weekday, of.Weekdays, nil}, {brief, of.Brief, nil},
		{month, of.Months, nil},
		{number, of.Numbers, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 15, 20, 25, 30}},
		{part, of.Parts, nil}, {one, of.One, []int{1}}, {next, of.Next, nil}, {this, of.This, nil},
		{week, of.Week, nil},
		{weekend, of.Weekend, nil}, {workdays, of.Workdays, nil}, {everyday, of.Everyday, nil},
		{at, of.At, nil},
		{oclock, of.Oclock, nil}, {morning, of.Am, nil}, {later, of.Pm, nil}, {halfTo, of.HalfTo, nil},
		{halfPast, of.HalfPast, nil}, {quarterTo, of.QuarterTo, nil}, {quarterPast, of.QuarterPast, nil},
		{andHalf, of.AndHalf, nil}, {andQuarter, of.AndQuarter, nil}, {lessQuarter, of.LessQuarter, nil},
		{and, of.And, nil},
		{less, of.Less, nil}, {past, of.Past, nil}, {to, of.To, nil}, {from, of.From, nil},
		{until, of.Until, nil},
		{after, of.After, nil}, {before, of.Before, nil}, {in, of.In, nil}, {hence, of.Hence, nil},
		{minute, of.Minute, nil},
		{hour, of.Hour, nil}, {day, of.Day, nil}, {months, of.Month, nil}, {halfHour, of.HalfHour, nil},
		{noon, of.Noon, nil}, {on, of.On, nil},
		{ordinal, of.Ordinal, nil}, {soonest, of.Soonest, nil}, {closed, of.Closed, nil},
		{always, of.Always, nil},
		{previous, of.Previous, nil}, {sooner, of.Sooner, nil}, {fortnight, of.Fortnight, nil},
		{portion, of.Portion, nil}, {dayWord, of.DayWords, nil},
		{both, of.Both, nil}, {besides, known.Hours().Besides, nil}, {pause, known.Hours().Break, nil},
	} {
		if group.groups == "" {
			continue
		}
		for i, phrases := range strings.Split(group.groups, ";") {
			value := i
			if group.values != nil {
				value = group.values[i]
			}
			for phrase := range strings.SplitSeq(phrases, ",") {
				l.add(phrase, meaning{group.sense, value})
			}
		}
	}
	return l
}

func (l *lexicon) add(phrase string, m meaning) {
	words := tokens(phrase)
	if len(words) == 0 {
		return
	}
	key := join(words)
	l.phrases[key] = append(l.phrases[key], m)
	l.longest = max(l.longest, len(words))
}

func join(words []token) string {
	if len(words) == 1 {
		return words[0].text
	}
	var b strings.Builder
	for i, w := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w.text)
	}
	return b.String()
}

// A hit is a phrase at the beginning of tokens.
type hit struct {
	meaning
	n int // number of tokens
}

// hits returns the phrases at the beginning of the tokens, longest first.
func (l *lexicon) hits(words []token) []hit {
	var all []hit
	for n := min(l.longest, len(words)); n > 0; n-- {
		for _, m := range l.phrases[join(words[:n])] {
			all = append(all, hit{m, n})
		}
	}
	return all
}

// knows reports whether a word alone is a weekday, a relative day or a part of the day.
func (l *lexicon) knows(word string) bool {
	for _, m := range l.phrases[word] {
		if m.sense == weekday || m.sense == relative || m.sense == part {
			return true
		}
	}
	return false
}

// tokens returns the tokens of a text. A day and a part of it in one word become two tokens.
func (l *lexicon) tokens(s string) []token {
	all := tokens(s)
	if !l.Compounds {
		return all
	}
	var out []token
	for _, t := range all {
		if first, second, ok := l.split(t.text); ok {
			a, b := t, t
			a.text, b.text = first, second
			out = append(out, a, b)
			continue
		}
		out = append(out, t)
	}
	return out
}

// split splits "freitagabend", and "fredagskväll", whose s belongs to neither part.
func (l *lexicon) split(word string) (first, second string, ok bool) {
	if len(word) < 8 || len(l.phrases[word]) > 0 {
		return "", "", false
	}
	for i := 4; i+4 <= len(word); i++ {
		if !utf8.RuneStart(word[i]) {
			continue
		}
		first, second = word[:i], word[i:]
		if l.knows(first) && (l.knows(second) || l.knows(strings.TrimPrefix(second, "s"))) {
			if !l.knows(second) {
				second = second[1:]
			}
			return first, second, true
		}
	}
	return "", "", false
}
