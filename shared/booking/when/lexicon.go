package when

import (
	"strings"
	"sync"
	"unicode/utf8"
)

// A sense is what a phrase can mean.
type sense uint8

const (
	relative sense = iota // a day so many days from today
	weekday               // a day of the week
	brief                 // a day of the week, in letters that are a word as well
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
)

// parts are the parts of the day, in the order of the languages' tables. To is the last minute.
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

// A lexicon is a language as it is looked up.
type lexicon struct {
	*language
	phrases map[string][]meaning // by their folded tokens with spaces between
	longest int                  // of the phrases, in tokens
}

var lexicons [len(languages)]struct {
	once sync.Once
	lexicon
}

// lexiconOf is the lexicon of a language by its BCP 47 tag; English for one that has none. A lexicon is made when it is
// first asked for.
func lexiconOf(tag string) *lexicon {
	if i := strings.IndexAny(tag, "-_"); i >= 0 {
		tag = tag[:i]
	}
	at := 0
	for i := range languages {
		if strings.EqualFold(languages[i].tag, tag) {
			at = i
		}
	}
	l := &lexicons[at]
	l.once.Do(func() { l.lexicon = newLexicon(&languages[at]) })
	return &l.lexicon
}

func newLexicon(of *language) lexicon {
	l := lexicon{language: of, phrases: map[string][]meaning{}}
	for _, group := range []struct {
		sense  sense
		groups string
		values []int // nil for the places of the groups
	}{
		{relative, of.relative, []int{0, 1, 2, -1}}, {weekday, of.weekdays, nil}, {brief, of.brief, nil}, {month, of.months, nil},
		{number, of.numbers, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 15, 20, 25, 30}},
		{part, of.parts, nil}, {one, of.one, []int{1}}, {next, of.next, nil}, {this, of.this, nil}, {week, of.week, nil},
		{weekend, of.weekend, nil}, {workdays, of.workdays, nil}, {everyday, of.everyday, nil}, {at, of.at, nil},
		{oclock, of.oclock, nil}, {morning, of.am, nil}, {later, of.pm, nil}, {halfTo, of.halfTo, nil},
		{halfPast, of.halfPast, nil}, {quarterTo, of.quarterTo, nil}, {quarterPast, of.quarterPast, nil},
		{andHalf, of.andHalf, nil}, {andQuarter, of.andQuarter, nil}, {lessQuarter, of.lessQuarter, nil}, {and, of.and, nil},
		{less, of.less, nil}, {past, of.past, nil}, {to, of.to, nil}, {from, of.from, nil}, {until, of.until, nil},
		{after, of.after, nil}, {before, of.before, nil}, {in, of.in, nil}, {hence, of.hence, nil}, {minute, of.minute, nil},
		{hour, of.hour, nil}, {day, of.day, nil}, {months, of.month, nil}, {halfHour, of.halfHour, nil}, {noon, of.noon, nil}, {on, of.on, nil},
		{ordinal, of.ordinal, nil}, {soonest, of.soonest, nil}, {closed, of.closed, nil}, {always, of.always, nil},
		{both, of.both, nil},
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

// A hit is a phrase that was found at the beginning of tokens.
type hit struct {
	meaning
	n int // tokens
}

// hits are the phrases at the beginning of the tokens, the longest first.
func (l *lexicon) hits(words []token) []hit {
	var all []hit
	for n := min(l.longest, len(words)); n > 0; n-- {
		for _, m := range l.phrases[join(words[:n])] {
			all = append(all, hit{m, n})
		}
	}
	return all
}

// knows reports whether a word of its own is a weekday, a day from today or a part of the day.
func (l *lexicon) knows(word string) bool {
	for _, m := range l.phrases[word] {
		if m.sense == weekday || m.sense == relative || m.sense == part {
			return true
		}
	}
	return false
}

// tokens are those of a text in this language. A day and a part of it that are written as one are two.
func (l *lexicon) tokens(s string) []token {
	all := tokens(s)
	if !l.compounds {
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

// split takes "freitagabend" apart, and "fredagskväll", whose s belongs to neither.
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
