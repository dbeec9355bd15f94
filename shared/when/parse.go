package when

import (
	"slices"
	"time"
	"unicode"
	"unicode/utf8"
)

// Parse reads what a text says about a time to come. The language is a BCP 47 tag; now is in the time zone
// that the text means. What it cannot read it passes over, so that a text which says nothing about a time is
// the empty Wish.
func Parse(language, text string, now time.Time) Wish {
	l := lexiconOf(language)
	r := &reader{lexicon: l, text: text, words: l.tokens(text), now: now, today: DateOf(now),
		monthsFirst: l.american(now.Location()), lastDay: -2, lastPart: -2}
	for i := 0; i < len(r.words); {
		n := r.step(i)
		if n > 0 {
			r.said = append(r.said, Range{r.words[i].start, r.words[min(i+n, len(r.words))-1].end})
		}
		i += max(1, n)
	}
	return r.wish()
}

// A reader goes over the words of a text once. Its methods read something at a word, note it, and return over
// how many words it goes; 0 where it is not there.
type reader struct {
	*lexicon
	text        string
	words       []token
	found       []found // at each word
	now         time.Time
	today       Date
	monthsFirst bool
	// plain has numbers be hours: "10 to 12" is no time before noon.
	plain bool

	dates    []Date
	weekdays []namedDay
	span     []Date // a week, a weekend, a month
	clock    Clock
	parts    []Clock
	soonest  bool
	noSuch   bool // a day that no calendar has
	lastDay  int  // the word behind the last day
	lastPart int  // the word behind the last part of the day
	later    time.Duration
	weeks    int  // from now, after which a day of the week is meant: "Friday week"
	ensuing  bool // a day of the week is the one after what was spoken of
	// afterNext tells that the week is the one after the next.
	afterNext bool
	said      []Range
}

// A found is what the lexicon has at a word, once it was looked up.
type found struct {
	looked bool
	hits   []hit
}

// A namedDay is a day of the week that the text names.
type namedDay struct {
	time.Weekday
	next bool
}

func (r *reader) step(i int) int {
	if _, n := r.at(soonest, i); n > 0 {
		r.soonest = true
		return n
	}
	for _, read := range [...]func(int) int{r.length, r.date, r.period, r.day, r.part} {
		if n := read(i); n > 0 {
			return n
		}
	}
	return 0
}

// is reports whether the word at i is a punctuation mark, or a word that stands for itself.
func (r *reader) is(i int, text string) bool {
	return i < len(r.words) && r.words[i].text == text
}

// at finds the longest phrase of a sense at the word i, and how many words it has; 0 for none.
func (r *reader) at(s sense, i int) (value, n int) {
	if i >= len(r.words) {
		return 0, 0
	}
	if r.found == nil {
		r.found = make([]found, len(r.words))
	}
	if f := &r.found[i]; !f.looked {
		*f = found{true, r.hits(r.words[i:])}
	}
	for _, h := range r.found[i].hits {
		if h.sense == s {
			return h.value, h.n
		}
	}
	return 0, 0
}

// number reads a number in digits or as a word.
func (r *reader) number(i int) (value, n int) {
	if i < len(r.words) && r.words[i].isNumber() {
		return r.words[i].number, 1
	}
	return r.at(number, i)
}

// digits is how many digits the word at i has, 0 for other words.
func (r *reader) digits(i int) int {
	if i >= len(r.words) || !r.words[i].isNumber() {
		return 0
	}
	return utf8.RuneCountInString(r.words[i].text)
}

// joined reports whether the word at i stands at the one before it.
func (r *reader) joined(i int) bool { return i < len(r.words) && !r.words[i].spaced }

// length reads a length of time from now: in two hours, zwei Wochen später.
func (r *reader) length(i int) int {
	if n, read := r.halfHour(i); read {
		return n
	}
	_, n := r.at(in, i)
	count, unit, k := r.amount(i + n)
	if k == 0 || count > 1000 {
		return 0
	}
	end := i + n + k
	behind := n == 0 // "an hour later", than what was spoken of or than now
	if behind {
		_, h := r.at(hence, end)
		if h == 0 && unit == week && r.weeksFrom(end) {
			r.weeks = count
			return end - i // the day is read next
		}
		if h == 0 {
			return 0
		}
		end += h
	}
	r.noteLength(count, unit, behind)
	r.lastDay = end
	return end - i
}

// amount reads so many of a unit of time, and how many words it takes; 0 for none.
func (r *reader) amount(i int) (count int, unit sense, n int) {
	count, n = r.number(i)
	if n == 0 {
		if count, n = r.at(one, i); n == 0 && !r.articleless() {
			return 0, 0, 0
		}
	}
	if r.is(i+n, "'") { // un'ora
		n++
	}
	unit, u := r.unit(i + n)
	if u == 0 && r.articleless() { // "через час", where час is a number as well
		n = 0
		unit, u = r.unit(i)
	}
	if n == 0 {
		count = 1
	}
	if u == 0 {
		return 0, 0, 0
	}
	return count, unit, n + u
}

// noteLength notes a time so many units from now. Behind tells that it may as well be counted from another
// time.
func (r *reader) noteLength(count int, unit sense, behind bool) {
	switch unit {
	case minute, hour:
		length := time.Duration(count) * time.Minute
		if unit == hour {
			length = time.Duration(count) * time.Hour
		}
		r.moment(r.now.Add(length))
		if behind {
			r.later = length
		}
	case day, week:
		if unit == week {
			r.weeks = count
			count *= 7
		}
		r.dates = []Date{r.today.Add(count)}
		if behind {
			r.later = time.Duration(count) * 24 * time.Hour
		}
	case months:
		r.dates = []Date{DateOf(r.today.utc().AddDate(0, count, 0))}
	}
}

// articleless reports whether the language counts one of something by naming it alone.
func (r *reader) articleless() bool { return r.tag == "ru" || r.tag == "fi" || r.tag == "ar" }

// halfHour reads half an hour from now, or later, and reports whether one is named at i.
func (r *reader) halfHour(i int) (words int, named bool) {
	alone, n := r.at(halfHour, i)
	if n == 0 {
		return 0, false
	}
	_, h := r.at(hence, i+n)
	if alone > 0 && h == 0 {
		return 0, true
	}
	r.moment(r.now.Add(halfAnHour))
	if alone > 0 {
		r.later = halfAnHour
	}
	return n + h, true
}

// weeksFrom reports whether weeks are counted from a day behind them: two weeks today, a week on Friday.
func (r *reader) weeksFrom(i int) bool {
	if days, n := r.at(relative, i); n > 0 && days == 0 {
		return true
	}
	_, n := r.at(weekday, i)
	_, k := r.at(weekday, i+1) // behind a word such as "on"
	return n > 0 || k > 0
}

const halfAnHour = 30 * time.Minute

func (r *reader) unit(i int) (s sense, n int) {
	for _, s := range [...]sense{hour, minute, day, week, months} {
		if value, n := r.at(s, i); n > 0 && value == 0 {
			return s, n
		}
	}
	return 0, 0
}

// moment is a time a while from now, up to the next five minutes.
func (r *reader) moment(t time.Time) {
	t = t.Add(5*time.Minute - time.Nanosecond).Truncate(5 * time.Minute)
	r.dates = []Date{DateOf(t)}
	m := t.Hour()*60 + t.Minute()
	r.clock = Clock{From: m, To: m}
	if m == 0 { // which would be no clock at all
		r.dates, r.clock = []Date{r.dates[0].Add(-1)}, Clock{From: Day, To: Day}
	}
}

// day reads a day by its name: tomorrow, next Friday, at the weekend, next week.
func (r *reader) day(i int) int {
	if days, n := r.at(relative, i); n > 0 {
		at, p := r.at(part, i)
		switch {
		case p == n && days == 0:
			r.parts = append(r.parts, parts[at])
		case p == n && r.lastDay == i: // "Freitag morgen"
			r.parts = append(r.parts, parts[at])
			return n
		}
		r.dates = append(r.dates, r.today.Add(days))
		r.lastDay = i + n
		return n
	}
	_, before := r.at(next, i)
	start := i + before
	if coming, _ := r.at(week, i); before == 0 && coming == 0 {
		_, n := r.at(this, i)
		start += n
	}
	later := before > 0
	end := start
	switch {
	case r.take(weekend, start, &end, nil):
	case r.take(week, start, &end, func(n int) { later, r.afterNext = later || n > 0, n == 2 }):
	case r.take(workdays, start, &end, nil):
	case r.weekday(start, &end):
	case before > 0 && r.take(month, start, &end, nil):
	default:
		_, n := r.at(in, i)
		if n == 0 || !r.take(month, i+n, &end, nil) {
			return 0
		}
		start = i + n
	}
	if _, n := r.at(next, end); n > 0 && !r.opensUnit(end+n) {
		later = true
		end += n
	} else if _, k := r.at(hence, end); k > 0 && !later {
		r.ensuing = true
		end += k
	} else if _, k := r.at(after, end); k > 0 && !later && r.endsThere(end+k) {
		r.ensuing = true // "the Tuesday after"
		end += k
	}
	if value, n := r.at(week, end); n > 0 && value == 0 && r.tag == "en" && len(r.weekdays) == 0 {
		if _, of := r.at(weekday, start); of > 0 { // "Friday week"
			r.weeks = 1
			end += n
		}
	}
	if n := r.numberedDay(start, end); n > 0 {
		r.lastDay = end + n
		return r.lastDay - i
	}
	r.name(start, later)
	r.lastDay = end
	return end - i
}

// numberedDay reads the number of the day of the month behind a day of the week, and returns over how many
// words it goes: "el sábado 5 a las 12". It is none where that day of the month is another day of the week,
// or where the number may be an hour.
func (r *reader) numberedDay(start, end int) int {
	value, n := r.at(weekday, start)
	number, ok := r.dayNumber(end)
	if n == 0 || start+n != end || !ok || r.unitOrMonth(end+1) || r.joined(end+1) {
		return 0
	}
	_, cue := r.at(at, end+1)
	if _, k, marked := r.time(end + 1); number <= 24 && cue == 0 && !(k > 0 && marked) {
		return 0
	}
	for d := r.today; d.Compare(r.today.Add(62)) < 0; d = d.Add(1) {
		if d.Day == number {
			if d.Weekday() != time.Weekday((value+1)%7) {
				return 0
			}
			r.dates = append(r.dates, d)
			return 1
		}
	}
	return 0
}

// unitOrMonth reports whether a month, or a unit of time, is named at i.
func (r *reader) unitOrMonth(i int) bool {
	_, n := r.at(month, i)
	_, u := r.unit(i)
	return n > 0 || u > 0
}

// opensUnit reports whether a week, a weekend or a month is named at i: "Wednesday next week" is no next
// Wednesday.
func (r *reader) opensUnit(i int) bool {
	for _, s := range [...]sense{week, weekend, month, months} {
		if _, n := r.at(s, i); n > 0 {
			return true
		}
	}
	return false
}

// endsThere reports whether no word or number follows at i.
func (r *reader) endsThere(i int) bool {
	return i >= len(r.words) || !r.words[i].isWord() && !r.words[i].isNumber() && !r.joined(i+1)
}

// take reads a phrase of a sense at i, and moves end behind it.
func (r *reader) take(s sense, i int, end *int, with func(int)) bool {
	value, n := r.at(s, i)
	if n == 0 {
		return false
	}
	if with != nil {
		with(value)
	}
	*end = i + n
	return true
}

// weekday reads a day of the week. What may be another word as well must be written like a day and have a
// time or a date behind it.
func (r *reader) weekday(i int, end *int) bool {
	if r.take(weekday, i, end, nil) {
		return true
	}
	if i >= len(r.words) {
		return false
	}
	if first, _ := utf8.DecodeRuneInString(r.text[r.words[i].start:]); !unicode.IsUpper(first) {
		return false
	}
	if !r.take(brief, i, end, nil) {
		return false
	}
	if r.is(*end, ".") {
		*end++
	}
	_, cue := r.at(at, *end)
	return cue > 0 || r.digits(*end) > 0
}

// name notes the day or the days whose name stands at i.
func (r *reader) name(i int, later bool) {
	monday := r.today.Add(-(int(r.today.Weekday()) + 6) % 7)
	if later {
		monday = monday.Add(7)
	}
	if r.afterNext {
		monday, r.afterNext = monday.Add(7), false
	}
	add := func(from, to Date) {
		for d := from; d.Compare(to) <= 0; d = d.Add(1) {
			if d.Compare(r.today) >= 0 {
				r.span = append(r.span, d)
			}
		}
	}
	if _, n := r.at(weekend, i); n > 0 {
		if later && !r.NextWeek && r.today.Weekday() != time.Saturday && r.today.Weekday() != time.Sunday {
			monday = monday.Add(-7)
		}
		add(monday.Add(5), monday.Add(6))
		return
	}
	if _, n := r.at(week, i); n > 0 {
		add(monday, monday.Add(6))
		return
	}
	if _, n := r.at(workdays, i); n > 0 {
		for d := r.today; d.Compare(r.today.Add(7)) < 0; d = d.Add(1) {
			if d.Weekday() != time.Saturday && d.Weekday() != time.Sunday {
				r.span = append(r.span, d)
			}
		}
		return
	}
	value, n := r.at(weekday, i)
	if n == 0 {
		value, n = r.at(brief, i)
	}
	if n > 0 {
		r.weekdays = append(r.weekdays, namedDay{time.Weekday((value + 1) % 7), later})
		return
	}
	m, _ := r.at(month, i)
	first := Date{r.today.Year, time.Month(m + 1), 1}
	if first.Month < r.today.Month {
		first.Year++
	}
	add(first, DateOf(first.utc().AddDate(0, 1, -1)))
}

// part reads a part of the day.
func (r *reader) part(i int) int {
	at, n := r.at(part, i)
	if n > 0 {
		r.parts = append(r.parts, parts[at])
		r.lastPart = i + n
	}
	return n
}

// wish puts together what was read.
func (r *reader) wish() Wish {
	if r.weeks > 0 {
		r.addWeeks()
	}
	w := Wish{Dates: r.dates, Soonest: r.soonest, Later: r.later, NoSuchDay: r.noSuch, Said: r.said}
	if len(w.Dates) == 0 && len(r.weekdays) > 0 {
		for _, d := range r.weekdays {
			w.Dates = append(w.Dates, r.coming(d)...)
			w.Weekday = true
		}
	}
	w.Ensuing = r.ensuing && w.Weekday && len(r.weekdays) == 1
	if len(w.Dates) == 0 {
		w.Dates = r.span
	}
	w.Dates = dates(slices.Clone(w.Dates))
	w.Clock = r.clock
	if len(r.parts) == 0 {
		return w
	}
	p := r.parts[0]
	for _, q := range r.parts[1:] {
		p.From, p.To = min(p.From, q.From), max(p.To, q.To)
	}
	w.Clock = w.clockIn(p)
	return w
}

// clockIn is the clock of a wish that names a part of the day as well.
func (w Wish) clockIn(p Clock) Clock {
	c := w.Clock
	switch {
	case !w.HasClock():
		return p
	case w.Exact() && c.Half:
		if p.From >= 12*60 {
			c.From, c.To = c.From+Day/2, c.To+Day/2
		}
		c.Half = false
		return c
	case c.To == Day-1 || c.From == 0:
		return c.boundIn(p)
	case w.Exact():
		return c
	}
	for _, of := range c.Clocks() {
		from, to := max(of.From, p.From), min(of.To, p.To)
		if of.To == p.To+1 {
			to = of.To // "until 6 in the afternoon"
		}
		if from < to {
			return Clock{From: from, To: to}
		}
	}
	return c
}

// boundIn is a clock that is open at one end with its bound in a part of the day: "after 6 in the evening".
func (c Clock) boundIn(p Clock) Clock {
	for _, of := range c.Clocks() {
		bound := of.From
		if c.From == 0 {
			bound = of.To
		}
		if p.From <= bound && bound <= p.To+1 {
			return Clock{From: of.From, To: of.To}
		}
	}
	return c
}

// addWeeks puts a day off by the weeks that are named beside it: on Friday in a week, two weeks today.
func (r *reader) addWeeks() {
	day := r.today.Add(7 * r.weeks)
	switch {
	case len(r.weekdays) == 1:
		for day.Weekday() != r.weekdays[0].Weekday {
			day = day.Add(1)
		}
		r.dates = []Date{day}
	case len(r.dates) == 1 && r.dates[0] == r.today:
		r.dates = []Date{day}
	}
}

// coming are the days that a day of the week means: those of the week that is named, or else the next one.
func (r *reader) coming(d namedDay) []Date {
	var of []Date
	for _, s := range r.span {
		if s.Weekday() == d.Weekday {
			of = append(of, s)
		}
	}
	if len(of) > 0 {
		return of
	}
	ahead := (int(d.Weekday) - int(r.today.Weekday()) + 7) % 7
	switch {
	case d.next && r.NextWeek:
		monday := r.today.Add(7 - (int(r.today.Weekday())+6)%7)
		return []Date{monday.Add((int(d.Weekday) + 6) % 7)}
	case d.next && ahead == 0:
		ahead = 7
	}
	return []Date{r.today.Add(ahead)}
}
