package when

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"frontdesk/shared/cache"
)

// A Span is a period of a day in minutes since midnight, from From to before To. A span past midnight ends
// after Day.
type Span struct{ From, To int }

// Hours are the opening hours of a business.
type Hours struct {
	week     [7][]Span // by time.Weekday
	except   []exception
	Unread   []string // texts that could not be read, in their order
	Parts    []Part   // of parts of the business and services with other hours
	label    string   // what the hours are of, if the text names it: "Restaurant Mon-Sun 12-22"
	unsure   [7]bool  // days with statements that could not be read
	anything bool
	days     bool // the text names days
}

// An exception is a date with its own hours. Without a year it recurs every year.
type exception struct {
	Date
	spans []Span
}

// Known reports whether the text states any hours.
func (h Hours) Known() bool { return h.anything }

// Sure reports whether all statements about a day could be read. If so and On returns nothing, the business
// is closed.
func (h Hours) Sure(d Date) bool { return h.anything && !h.unsure[d.Weekday()] }

// Doubts returns the elements of Unread that may affect the hours: all, except remarks without a number if
// every day of the week is known.
func (h Hours) Doubts() []string {
	if !h.anything || slices.Contains(h.unsure[:], true) {
		return h.Unread
	}
	return slices.DeleteFunc(slices.Clone(h.Unread),
		func(part string) bool { return !strings.ContainsFunc(part, unicode.IsDigit) })
}

// Weekly returns the hours of a day of the week without exceptions, in order.
func (h Hours) Weekly(day time.Weekday) []Span { return h.week[day] }

// On returns the hours of a date, in order; nil if the business is closed or its hours are unknown.
func (h Hours) On(d Date) []Span {
	for _, e := range h.except {
		if e.Month == d.Month && e.Day == d.Day && (e.Year == 0 || e.Year == d.Year) {
			return e.spans
		}
	}
	return h.week[d.Weekday()]
}

// A group is a set of days with the hours stated for them.
type group struct {
	days       [7]bool
	dates      []Date
	spans      []Span
	closed     bool
	clash      bool // two of the spans overlap
	hoursFirst bool
	always     bool   // open around the clock
	broad      bool   // the days are all days of the week
	paused     bool   // the closed time is a break
	part       *Clock // the part of the day for which it is closed, nil for all of it
	start, end int    // byte offsets in the text
}

func (g *group) named() bool  { return g.days != [7]bool{} || len(g.dates) > 0 }
func (g *group) stated() bool { return len(g.spans) > 0 || g.closed }

// ParseHours reads opening hours as businesses write them, in a language or in English: days with hours
// after or before them, several periods a day, closed days, and single dates. Hours without days apply to
// every day, and a single day takes precedence over a range. Two contradicting statements on one day are
// both Unread. Hours with a label, "Emergency line: 24 hours", become Parts; if all have labels, those that
// are probably the business's own are used. The result is cached and must not be changed.
func ParseHours(language, text string) Hours {
	return parsedHours.Get(statedHours{language, text}, func() Hours { return parseHours(language, text) })
}

// Hours are cached since each message needs those of its agent.
type statedHours struct{ language, text string }

var parsedHours = cache.Bounded[statedHours, Hours]{Max: 256}

func parseHours(language, text string) Hours {
	h := readParts(lexiconOf(language), text)
	if english := lexiconOf("en"); lexiconOf(language) != english {
		other := readParts(english, text)
		// The other language wins only if it reads more, and not if what it could not read are the days.
		fewer := len(other.Unread) < len(h.Unread) && (other.days || !h.days)
		if fewer || other.anything && !h.anything {
			return other
		}
	}
	return h
}

// newHoursReader returns a reader of the words of a text.
func newHoursReader(l *lexicon, text string, words []token) *hoursReader {
	return &hoursReader{reader: reader{lexicon: l, text: text, words: words, plain: true,
		today: Date{2000, 1, 1}}}
}

// read collects the groups of the text.
func (r *hoursReader) read() {
	for i := 0; i < len(r.words); {
		i += max(1, r.step(i))
	}
	r.close()
}

type hoursReader struct {
	reader
	g      group // the current group
	last   int   // index after the last word that it has read
	groups []group
	stray  []string // numbers with no meaning
	lost   bool     // such a number follows the days of the current group
	left   []string // hours that contradict those around them
}

// close ends the current group.
func (r *hoursReader) close() {
	if r.g.named() || r.g.stated() {
		r.groups = append(r.groups, r.g)
	}
	r.g, r.lost = group{}, false
}

func (r *hoursReader) step(i int) int {
	if r.g.stated() && r.ends(i) {
		r.close()
		if !r.words[i].isWord() && !r.words[i].isNumber() {
			return 1
		}
	}
	if n := r.always(i); n > 0 {
		return n
	}
	if n := r.shut(i); n > 0 {
		return n
	}
	if _, n := r.at(from, i); n > 0 {
		if s, k := r.span(i + n); k > 0 {
			r.addSpan(i, n+k, &s)
			return n + k
		}
	}
	if _, n := r.at(until, i); n > 0 && r.g.named() && !r.g.stated() {
		if c, k, _ := r.time(i + n); k > 0 && r.opensAlike() {
			r.addSpan(i, n+k, &Span{asBefore, c.From})
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
		r.addSpan(i, n, &s)
		return n
	}
	if n := r.days(i); n > 0 {
		return n
	}
	r.lose(i)
	return 0
}

// lose records a number at i that has no meaning. Days before it without hours do not get later hours.
func (r *hoursReader) lose(i int) {
	if w := r.words[i]; w.isNumber() && w.end-w.start <= timeDigits {
		r.stray = append(r.stray, r.text[w.start:w.end])
		r.lost = r.g.named() && !r.g.stated()
	}
}

// timeDigits is the limit of digits of a time: 0930. Longer numbers are phone numbers.
const timeDigits = 4

// shut reads a word for being closed, or excluded days.
func (r *hoursReader) shut(i int) int {
	if v, n := r.at(part, i); n > 0 && r.g.named() {
		ahead := !r.g.stated() && r.closedBehind(i+n)
		// "Wednesday afternoons closed", "closed Wednesday afternoons"
		if ahead || r.g.closed && r.last == i {
			r.g.part = &parts[v]
			r.mark(i, n)
			return n
		}
	}
	for _, s := range [...]sense{pause, closed} {
		if _, n := r.at(s, i); n > 0 {
			r.addSpan(i, n, nil)
			r.g.paused = s == pause
			return n
		}
	}
	return r.besides(i)
}

// asBefore is the start of a Span that states only its end: "Monday to Saturday 8-17, Friday until 19".
const asBefore = -1

// opensAlike reports whether earlier hours exist, from which hours without a start take it.
func (r *hoursReader) opensAlike() bool {
	return slices.ContainsFunc(r.groups, func(g group) bool { return len(g.spans) > 0 })
}

// ends reports whether a sentence or a line ends before or at the word at i.
func (r *hoursReader) ends(i int) bool {
	if r.is(i, ";") || r.is(i, ".") && !r.joined(i+1) {
		return true
	}
	return r.newLine(i)
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

// begin ends the current group if days at i do not belong to it.
func (r *hoursReader) begin(i int) {
	far := r.g.closed && !r.g.named() && i > r.last+1 // "closed on public holidays, Mon-Fri"
	if far || r.g.named() && (r.g.stated() || r.lost) {
		r.close()
	}
}

// addSpan adds hours to the group, or that it is closed if s is nil. The hours of a break are subtracted.
func (r *hoursReader) addSpan(i, n int, s *Span) {
	if s != nil && r.g.closed && !r.g.named() && len(r.groups) > 0 { // "(closed 13-14)"
		first := len(r.groups) - 1
		if r.g.paused {
			first = 0
		}
		for k := range r.groups[first:] {
			g := &r.groups[first+k]
			g.spans = without(g.spans, *s)
		}
		r.g = group{}
		return
	}
	if r.g.stated() && (r.g.hoursFirst && r.g.named() || s == nil || r.g.closed) {
		r.close()
	}
	if !r.g.named() {
		r.g.hoursFirst = true
	}
	if s == nil {
		r.g.closed = true
	} else {
		// "9-12 and 2-6"
		if k := len(r.g.spans); k > 0 && s.From < r.g.spans[k-1].To && s.From <= 6*60 && s.To+Day/2 <= Day {
			s.From += Day / 2
			s.To += Day / 2
		}
		if overlap(r.g.spans, []Span{*s}) {
			if r.wordBefore(i) { // "Mon-Fri 8-18, parking 7-20"
				r.left = append(r.left, r.text[r.words[i].start:r.words[i+n-1].end])
				return
			}
			r.g.clash = true
		}
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

// always reads a phrase for being open around the clock.
func (r *hoursReader) always(i int) int {
	_, n := r.at(always, i)
	if n > 0 && !r.isSpan(i) {
		if r.g.closed { // the closed day before it is not included
			r.close()
		}
		r.addSpan(i, n, &Span{0, Day})
		r.g.always = true
		return n
	}
	return 0
}

// span reads two times of day with a dash or a word between them.
func (r *hoursReader) span(i int) (Span, int) {
	_, cue := r.at(at, i)
	first, n := r.timeOfPart(i + cue)
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
	second, k := r.timeOfPart(i + n + dash)
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

// timeOfPart reads a time with an optional part of the day after it: "9 in the morning". A part of the day
// that is followed by another time belongs to that.
func (r *hoursReader) timeOfPart(i int) (Clock, int) {
	c, n, _ := r.time(i)
	if n == 0 {
		return c, 0
	}
	v, k := r.at(part, i+n)
	if k == 0 || r.is(i+n+k, ":") {
		return c, n
	}
	if _, next := r.span(i + n + k); next > 0 {
		return c, n
	}
	if c.Half && parts[v].From >= Day/2 {
		c.From, c.To = c.From+Day/2, c.To+Day/2
	}
	c.Half = false
	return c, n + k
}

// days reads a day, a range of days, or a word for several.
func (r *hoursReader) days(i int) int {
	for _, several := range [...]struct {
		sense sense
		days  []int
	}{{everyday, []int{0, 1, 2, 3, 4, 5, 6}}, {workdays, []int{0, 1, 2, 3, 4}}, {weekend, []int{5, 6}}} {
		if _, n := r.at(several.sense, i); n > 0 {
			r.begin(i)
			r.g.broad = r.g.broad || len(several.days) == len(r.g.days)
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
	// "9-18, Sunday closed"
	if r.g.stated() && !r.g.named() && i > r.last && r.is(i-1, ",") && r.closedBehind(end) {
		r.close()
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

// closedBehind reports whether a word for being closed follows at i, possibly after a colon or a dash.
func (r *hoursReader) closedBehind(i int) bool {
	if r.is(i, ":") || r.is(i, "-") {
		i++
	}
	_, n := r.at(closed, i)
	return n > 0
}

// wordBefore reports whether a word between the current group and i may label the hours at i.
func (r *hoursReader) wordBefore(i int) bool {
	for j := r.last; j < i; j++ {
		if !r.words[j].isWord() {
			continue
		}
		known := false
		for _, s := range [...]sense{both, at, from, part, until} {
			_, n := r.at(s, j)
			known = known || n > 0
		}
		if !known {
			return true
		}
	}
	return false
}

// besides reads days that are excluded from those before them, on which the business is closed: "daily 9-18
// except Sunday".
func (r *hoursReader) besides(i int) int {
	_, n := r.at(besides, i)
	if n == 0 {
		return 0
	}
	out, end := r.list(i + n)
	if out == [7]bool{} {
		return 0
	}
	stated := r.g.stated()
	if stated && !r.g.named() {
		r.g.days, r.g.broad = [7]bool{true, true, true, true, true, true, true}, true
	}
	for d := range out {
		r.g.days[d] = r.g.days[d] && !out[d]
	}
	if !stated {
		r.mark(i, end-i)
		return end - i
	}
	r.close()
	shut := group{days: out, closed: true, start: r.words[i].start, end: r.words[end-1].end}
	r.groups = append(r.groups, shut)
	return end - i
}

// list reads a list of days at i and returns the index after it. A day with its own hours ends the list.
func (r *hoursReader) list(i int) (days [7]bool, end int) {
	sub := newHoursReader(r.lexicon, r.text, r.words)
	end = i
	for j := i; j < len(r.words); {
		if _, k := r.at(on, j); k > 0 {
			j += k
		} else if _, k := r.at(both, j); k > 0 {
			j += k
		} else if r.is(j, ",") && !r.daysThenHours(j+1) {
			j++
		}
		if j >= len(r.words) {
			break
		}
		k := sub.days(j)
		if k == 0 {
			break
		}
		j += k
		end = j
	}
	return sub.g.days, end
}

// daysThenHours reports whether a day at i is directly followed by hours.
func (r *hoursReader) daysThenHours(i int) bool {
	_, n := r.dayName(i)
	if r.is(i+n, ":") {
		n++
	}
	return n > 0 && i+n < len(r.words) && r.says(i+n) > 0
}

// closedToo reports whether the days from i to end continue the days on which the business is closed:
// "closed on Sunday and on Monday".
func (r *hoursReader) closedToo(i, end int) bool {
	if !r.g.closed || !r.g.hoursFirst || !r.g.named() || r.isSpan(end) {
		return false
	}
	_, n := r.at(both, r.last)
	return n > 0 && i <= r.last+n+1 // with an article
}

// through reads the word or dash between the first and the last day of a range.
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

// dayName reads a day of the week, also abbreviated.
func (r *hoursReader) dayName(i int) (day, n int) {
	if day, n = r.at(weekday, i); n == 0 {
		day, n = r.at(brief, i)
	}
	if n > 0 && r.is(i+n, ".") && r.joined(i+n) {
		n++
	}
	return day, n
}

// hours combines the groups.
func (r *hoursReader) hours() Hours {
	var h Hours
	plain := slices.ContainsFunc(r.groups, func(g group) bool { return len(g.spans) > 0 && !g.always })
	var by [7]*group // the group from which a day has its hours
	for i := range r.groups {
		g := &r.groups[i]
		switch {
		case !g.stated(), g.closed && !g.named(): // days without hours, or "closed on public holidays"
			h.doubt(r, g, g.days)
			continue
		case g.always && !g.named() && plain, !g.named() && r.namedBefore(i):
			h.doubt(r, g, [7]bool{}) // it is about something else
			continue
		case !g.named():
			g.days, g.broad = [7]bool{true, true, true, true, true, true, true}, true
		}
		for _, d := range g.dates {
			if !strings.Contains(r.text[g.start:g.end], "20") {
				d.Year = 0
			}
			h.except = append(h.except, exception{d, g.spans})
		}
		for n, is := range g.days {
			if is {
				r.setDay(&h, by[:], n, g)
			}
		}
	}
	h.days = slices.ContainsFunc(r.groups, func(g group) bool { return g.named() && !g.broad })
	for i := range h.week {
		slices.SortFunc(h.week[i], func(a, b Span) int { return a.From - b.From })
		h.anything = h.anything || len(h.week[i]) > 0
	}
	h.Unread = append(append(slices.Compact(h.Unread), r.left...), r.stray...)
	if len(r.stray) > 0 {
		h.unsure = [7]bool{true, true, true, true, true, true, true}
	}
	return h
}

// doubt records a group for some days that could not be read.
func (h *Hours) doubt(r *hoursReader, g *group, days [7]bool) {
	h.Unread = append(h.Unread, strings.TrimSpace(r.text[g.start:g.end]))
	for n, is := range days {
		h.unsure[(n+1)%7] = h.unsure[(n+1)%7] || is
	}
}

// namedBefore reports whether a group before the i-th states hours for named days.
func (r *hoursReader) namedBefore(i int) bool {
	return slices.ContainsFunc(r.groups[:i],
		func(g group) bool { return len(g.spans) > 0 && g.named() && !g.broad })
}

// setDay sets the hours of a day, counted from Monday, from a group. A group of fewer days takes precedence:
// "daily 9-18, Sunday 10-14".
func (r *hoursReader) setDay(h *Hours, by []*group, n int, g *group) {
	d := time.Weekday((n + 1) % 7)
	switch was := by[n]; {
	case g.part != nil:
		open := slices.DeleteFunc(slices.Clone(h.week[d]), func(s Span) bool {
			return g.part.From <= s.From && s.From <= g.part.To
		})
		if len(open) == len(h.week[d]) {
			h.doubt(r, g, [7]bool{})
			h.unsure[d] = true
		}
		h.week[d] = open
		return
	case len(g.spans) == 1 && g.spans[0].From == asBefore:
		h.week[d] = r.until(h.week[d], g.spans[0].To)
	case was != nil && !g.clash && (overlap(h.week[d], g.spans) || len(was.spans) == 0) &&
		was.count() < g.count():
		return
	case was != nil && !g.clash && overlap(h.week[d], g.spans) && g.count() < was.count():
		h.week[d] = slices.Clone(g.spans)
	case g.clash || was != nil && overlap(h.week[d], g.spans):
		h.doubt(r, g, [7]bool{})
		h.week[d], h.unsure[d] = nil, true
	case was == nil, len(g.spans) == 0:
		h.week[d] = slices.Clone(g.spans)
	default:
		h.week[d] = append(h.week[d], g.spans...)
	}
	by[n] = g
}

// count returns how many days of the week the group has.
func (g *group) count() int {
	n := 0
	for _, is := range g.days {
		if is {
			n++
		}
	}
	return n
}

// until returns the hours of a day with another end. The start is that of the day's earlier hours, or else
// of the first stated ones.
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
