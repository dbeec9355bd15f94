package when

import (
	"slices"
	"strings"
	"time"
)

// A Span is a part of a day, from one minute to another, which is not in it. One that goes past midnight ends past Day.
type Span struct{ From, To int }

// Hours are when a business is open.
type Hours struct {
	week     [7][]Span // by time.Weekday
	except   []exception
	Unread   []string // what of the text could not be read, in the order in which it stands
	anything bool
	days     bool // the text names some
}

// An exception is a day of the year with hours of its own. Without a year it is one of every year.
type exception struct {
	Date
	spans []Span
}

// Known reports whether the text said when the business is open.
func (h Hours) Known() bool { return h.anything }

// Weekly is when the business is open on a day of the week that is no exception, in order.
func (h Hours) Weekly(day time.Weekday) []Span { return h.week[day] }

// On is when the business is open on a day, in order; nothing when it is closed or its hours are not known.
func (h Hours) On(d Date) []Span {
	for _, e := range h.except {
		if e.Month == d.Month && e.Day == d.Day && (e.Year == 0 || e.Year == d.Year) {
			return e.spans
		}
	}
	return h.week[d.Weekday()]
}

// A group is days with the hours that are said of them.
type group struct {
	days       [7]bool
	dates      []Date
	spans      []Span
	closed     bool
	clash      bool // two of the spans overlap
	hoursFirst bool
	start, end int // bytes of the text
}

func (g *group) named() bool { return g.days != [7]bool{} || len(g.dates) > 0 }
func (g *group) told() bool  { return len(g.spans) > 0 || g.closed }

// ParseHours reads opening hours as businesses write them, in a language or in English: days with hours behind or before
// them, several hours on a day, closed days, and single dates. Hours without days are those of every day. Two
// statements on one day that cannot both be true make both Unread.
func ParseHours(language, text string) Hours {
	h := readHours(lexiconOf(language), text)
	if english := lexiconOf("en"); lexiconOf(language) != english {
		other := readHours(english, text)
		fewer := len(other.Unread) < len(h.Unread) && (other.days || !h.days) // or else the days are what it cannot read
		if fewer || other.anything && !h.anything {
			return other
		}
	}
	return h
}

func readHours(l *lexicon, text string) Hours {
	r := &hoursReader{reader: reader{lexicon: l, text: text, words: l.tokens(text), plain: true, today: Date{2000, 1, 1}}}
	for i := 0; i < len(r.words); {
		i += max(1, r.step(i))
	}
	r.close()
	return r.hours()
}

type hoursReader struct {
	reader
	g      group // the one under way
	last   int   // the word behind what it has
	groups []group
	stray  []string // numbers that nothing was made of
}

// close ends the group under way.
func (r *hoursReader) close() {
	if r.g.named() || r.g.told() {
		r.groups = append(r.groups, r.g)
	}
	r.g = group{}
}

func (r *hoursReader) step(i int) int {
	if r.g.told() && r.ends(i) {
		r.close()
		return 0
	}
	if n := r.always(i); n > 0 {
		return n
	}
	if _, n := r.at(closed, i); n > 0 {
		r.tell(i, n, nil)
		return n
	}
	if _, n := r.at(from, i); n > 0 {
		if s, k := r.span(i + n); k > 0 {
			r.tell(i, n+k, &s)
			return n + k
		}
	}
	if _, n := r.at(until, i); n > 0 && r.g.named() && !r.g.told() {
		if c, k, _ := r.time(i + n); k > 0 && r.opensAlike() {
			r.tell(i, n+k, &Span{asBefore, c.From})
			return n + k
		}
	}
	if d, n := r.dateAt(i); n > 0 && !r.isSpan(i) {
		r.begin(i)
		r.g.dates = append(r.g.dates, d)
		r.mark(i, n)
		return n
	}
	if s, n := r.span(i); n > 0 {
		r.tell(i, n, &s)
		return n
	}
	if n := r.days(i); n > 0 {
		return n
	}
	if r.words[i].isNumber() {
		r.stray = append(r.stray, r.text[r.words[i].start:r.words[i].end])
	}
	return 0
}

// asBefore is the beginning of a Span that says only when it ends: "Monday to Saturday 8-17, Friday until 19".
const asBefore = -1

// opensAlike reports whether hours were told before, whose beginning hours without one share.
func (r *hoursReader) opensAlike() bool {
	return slices.ContainsFunc(r.groups, func(g group) bool { return len(g.spans) > 0 })
}

// ends reports whether a sentence or a line ends before the word at i, or with it.
func (r *hoursReader) ends(i int) bool {
	if r.is(i, ";") || r.is(i, ".") && !r.joined(i+1) {
		return true
	}
	return i > 0 && strings.Contains(r.text[r.words[i-1].end:r.words[i].start], "\n")
}

func (r *hoursReader) isSpan(i int) bool {
	_, n := r.span(i)
	return n > 0
}

func (r *hoursReader) mark(i, n int) {
	if r.g.end == 0 {
		r.g.start = r.words[i].start
	}
	r.g.end = r.words[i+n-1].end
	r.last = i + n
}

// begin makes sure that days which stand at i belong to a group that wants them.
func (r *hoursReader) begin(i int) {
	far := r.g.closed && !r.g.named() && i > r.last+1 // "closed on public holidays, Mon-Fri"
	if far || r.g.named() && r.g.told() {
		r.close()
	}
}

// tell adds hours to the group, or that it is closed. Hours that a break is said of are taken out of it.
func (r *hoursReader) tell(i, n int, s *Span) {
	if s != nil && r.g.closed && !r.g.named() && len(r.groups) > 0 { // "(closed 13-14)"
		last := &r.groups[len(r.groups)-1]
		last.spans = without(last.spans, *s)
		r.g = group{}
		return
	}
	if r.g.told() && (r.g.hoursFirst && r.g.named() || s == nil || r.g.closed) {
		r.close()
	}
	if !r.g.named() {
		r.g.hoursFirst = true
	}
	if s == nil {
		r.g.closed = true
	} else {
		if k := len(r.g.spans); k > 0 && s.From < r.g.spans[k-1].To && s.From <= 6*60 && s.To+Day/2 <= Day { // "9-12 and 2-6"
			s.From += Day / 2
			s.To += Day / 2
		}
		r.g.clash = r.g.clash || overlap(r.g.spans, []Span{*s})
		r.g.spans = append(r.g.spans, *s)
	}
	r.mark(i, n)
}

func without(spans []Span, cut Span) []Span {
	var left []Span
	for _, s := range spans {
		if cut.From > s.From {
			left = append(left, Span{s.From, min(s.To, cut.From)})
		}
		if cut.To < s.To {
			left = append(left, Span{max(s.From, cut.To), s.To})
		}
	}
	return left
}

// always reads that the business never closes.
func (r *hoursReader) always(i int) int {
	_, n := r.at(always, i)
	if n > 0 && !r.isSpan(i) {
		r.tell(i, n, &Span{0, Day})
		return n
	}
	return 0
}

// span reads two times of the day with a dash or a word between them.
func (r *hoursReader) span(i int) (Span, int) {
	_, cue := r.at(at, i)
	first, n, _ := r.time(i + cue)
	if n == 0 {
		return Span{}, 0
	}
	n += cue
	dash := 0
	if r.is(i+n, "-") {
		dash = 1
	} else if _, dash = r.at(until, i+n); dash == 0 {
		return Span{}, 0
	}
	if _, k := r.at(at, i+n+dash); k > 0 {
		dash += k
	}
	second, k, _ := r.time(i + n + dash)
	if k == 0 {
		return Span{}, 0
	}
	s := Span{first.From % Day, second.From}
	switch {
	case first.Half && s.From+Day/2 < s.To && r.afternoon(i+n+dash, k): // 2-5pm
		s.From += Day / 2
	case s.To <= s.From && second.Half && s.To+Day/2 > s.From: // 9 to 5
		s.To += Day / 2
	case s.To <= s.From: // 22-2
		s.To += Day
	}
	return s, n + dash + k
}

// days reads a day, a row of days, or a word for several.
func (r *hoursReader) days(i int) int {
	for _, several := range [...]struct {
		sense sense
		days  []int
	}{{everyday, []int{0, 1, 2, 3, 4, 5, 6}}, {workdays, []int{0, 1, 2, 3, 4}}, {weekend, []int{5, 6}}} {
		if _, n := r.at(several.sense, i); n > 0 {
			r.begin(i)
			for _, d := range several.days {
				r.g.days[d] = true
			}
			r.mark(i, n)
			return n
		}
	}
	first, n := r.dayName(i)
	if n == 0 {
		return 0
	}
	last, end := first, i+n
	if k := r.through(end); k > 0 {
		if to, m := r.dayName(end + k); m > 0 {
			last, end = to, end+k+m
		}
	}
	if !r.closedToo(i, end) {
		r.begin(i)
	}
	for d := first; ; d = (d + 1) % 7 {
		r.g.days[d] = true
		if d == last {
			break
		}
	}
	r.mark(i, end-i)
	return end - i
}

// closedToo reports whether the days from i to end are more of those that the business was just said to be closed on:
// "closed on Sunday and on Monday".
func (r *hoursReader) closedToo(i, end int) bool {
	if !r.g.closed || !r.g.hoursFirst || !r.g.named() || r.isSpan(end) {
		return false
	}
	_, n := r.at(both, r.last)
	return n > 0 && i <= r.last+n+1 // with an article
}

// through reads what stands between the first and the last day of a row.
func (r *hoursReader) through(i int) int {
	if r.is(i, "-") {
		return 1
	}
	if _, n := r.at(both, i); n > 0 {
		return 0
	}
	_, n := r.at(until, i)
	return n
}

// dayName reads a day of the week, short ones too.
func (r *hoursReader) dayName(i int) (day, n int) {
	if day, n = r.at(weekday, i); n == 0 {
		day, n = r.at(brief, i)
	}
	if n > 0 && r.is(i+n, ".") && r.joined(i+n) {
		n++
	}
	return day, n
}

// hours puts the groups together.
func (r *hoursReader) hours() Hours {
	var h Hours
	var said [7]bool
	unread := func(g group) { h.Unread = append(h.Unread, strings.TrimSpace(r.text[g.start:g.end])) }
	for _, g := range r.groups {
		switch {
		case !g.told(), g.closed && !g.named(): // days without hours, or "closed on public holidays"
			unread(g)
			continue
		case !g.named():
			g.days = [7]bool{true, true, true, true, true, true, true}
		}
		for _, d := range g.dates {
			if !strings.Contains(r.text[g.start:g.end], "20") {
				d.Year = 0
			}
			h.except = append(h.except, exception{d, g.spans})
		}
		for i, is := range g.days {
			if !is {
				continue
			}
			d := time.Weekday((i + 1) % 7)
			switch {
			case len(g.spans) == 1 && g.spans[0].From == asBefore:
				h.week[d] = r.until(h.week[d], g.spans[0].To)
			case g.clash || said[i] && overlap(h.week[d], g.spans):
				unread(g)
				h.week[d] = nil
			case !said[i], len(g.spans) == 0:
				h.week[d] = slices.Clone(g.spans)
			default:
				h.week[d] = append(h.week[d], g.spans...)
			}
			said[i] = true
		}
	}
	h.days = slices.ContainsFunc(r.groups, func(g group) bool { return g.named() })
	for i := range h.week {
		slices.SortFunc(h.week[i], func(a, b Span) int { return a.From - b.From })
		h.anything = h.anything || len(h.week[i]) > 0
	}
	h.Unread = append(slices.Compact(h.Unread), r.stray...)
	return h
}

// until are the hours of a day that ends at another minute, by those that the day had or else those told first.
func (r *hoursReader) until(day []Span, to int) []Span {
	if len(day) == 0 {
		for _, g := range r.groups {
			if len(g.spans) > 0 && g.spans[0].From != asBefore {
				day = g.spans
				break
			}
		}
	}
	day = slices.Clone(day)
	last := &day[len(day)-1]
	if last.To = to; to <= last.From {
		last.To += Day / 2
	}
	return day
}

func overlap(a, b []Span) bool {
	for _, s := range a {
		for _, t := range b {
			if s.From < t.To && t.From < s.To {
				return true
			}
		}
	}
	return false
}
