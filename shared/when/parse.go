package when

import (
	"slices"
	"time"
	"unicode"
	"unicode/utf8"
)

// Parse returns what a text says about a future time. language is a BCP 47 tag; now is in the time zone of
// the text. Unreadable text is skipped, and the result is the empty Wish if nothing about a time is left.
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

// A reader reads the words of a text once. Each of its read methods reads one kind of phrase at a word,
// records it and returns its number of words, 0 if there is none.
type reader struct {
	*lexicon
	text        string
	words       []token
	found       []found // by word
	now         time.Time
	today       Date
	monthsFirst bool
	// plain is set if numbers are hours: "10 to 12" is not ten minutes before noon.
	plain bool

	dates     []Date
	relatives int // how many of the dates are named relative to today
	weekdays  []namedDay
	span      []Date // a week, a weekend, a month
	clock     Clock
	parts     []Clock
	soonest   bool
	noSuch    bool // an invalid date is named
	lastDay   int  // index after the last day
	lastPart  int  // index after the last part of the day
	later     time.Duration
	weeks     int  // how many weeks after the next one a day of the week is: "Friday week"
	ensuing   bool // a day of the week follows a date mentioned before
	// afterNext is set if the week is the one after the next.
	afterNext bool
	said      []Range
}

// A found is the cached result of the lexicon's lookup at a word.
type found struct {
	looked bool
	hits   []hit
}

// A namedDay is a day of the week in the text.
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

// is reports whether the word at i is that punctuation mark or word.
func (r *reader) is(i int, text string) bool {
	return i < len(r.words) && r.words[i].text == text
}

// at returns the value and number of words of the longest phrase of a sense at i; n is 0 for none.
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

// digits returns the number of digits of the word at i, 0 for other words.
func (r *reader) digits(i int) int {
	if i >= len(r.words) || !r.words[i].isNumber() {
		return 0
	}
	return utf8.RuneCountInString(r.words[i].text)
}

// joined reports whether no space separates the word at i from the one before it.
func (r *reader) joined(i int) bool { return i < len(r.words) && !r.words[i].spaced }

// length reads a duration from now: in two hours, zwei Wochen später.
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
	behind := n == 0 // "an hour later", after the time mentioned before or after now
	if behind {
		if _, h := r.at(sooner, end); h > 0 {
			r.noteSooner(count, unit)
			return end + h - i
		}
		_, h := r.at(hence, end)
		if h == 0 && unit == week && r.weeksFrom(end) {
			r.weeks = count
			return end - i // the day is read by the next call
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

// amount reads a number with a unit of time and returns its number of words; n is 0 for none.
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
	if _, f := r.at(fortnight, i+n); f > 0 && n > 0 {
		return 2 * count, week, n + f
	}
	unit, u := r.unit(i + n)
	if u == 0 && r.articleless() { // "через час", in which час is also a number
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

// noteLength records a time that many units from now. behind is set if it may be relative to a time
// mentioned before.
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

// noteSooner records a time that many units before one mentioned before.
func (r *reader) noteSooner(count int, unit sense) {
	switch unit {
	case minute:
		r.later = -time.Duration(count) * time.Minute
	case hour:
		r.later = -time.Duration(count) * time.Hour
	case day:
		r.later = -time.Duration(count) * 24 * time.Hour
	case week:
		r.later = -time.Duration(count) * 7 * 24 * time.Hour
	}
}

// articleless reports whether the language expresses one unit by the noun alone.
func (r *reader) articleless() bool { return r.tag == "ru" || r.tag == "fi" || r.tag == "ar" }

// halfHour reads half an hour from now, or later, and reports whether one is named at i.
func (r *reader) halfHour(i int) (words int, named bool) {
	alone, n := r.at(halfHour, i)
	if n == 0 {
		return 0, false
	}
	_, h := r.at(hence, i+n)
	if _, s := r.at(sooner, i+n); s > 0 {
		r.later = -halfAnHour
		return n + s, true
	}
	if alone > 0 && h == 0 {
		return 0, true
	}
	r.moment(r.now.Add(halfAnHour))
	if alone > 0 {
		r.later = halfAnHour
	}
	return n + h, true
}

// weeksFrom reports whether weeks are counted from the day after them: two weeks today, a week on Friday.
func (r *reader) weeksFrom(i int) bool {
	if days, n := r.at(relative, i); n > 0 && days == 0 {
		return true
	}
	_, n := r.at(weekday, i)
	_, k := r.at(weekday, i+1) // after a word such as "on"
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

// moment records the time t, rounded up to five minutes.
func (r *reader) moment(t time.Time) {
	t = t.Add(5*time.Minute - time.Nanosecond).Truncate(5 * time.Minute)
	r.dates = []Date{DateOf(t)}
	m := t.Hour()*60 + t.Minute()
	r.clock = Clock{From: m, To: m}
	if m == 0 { // the zero Clock would be none
		r.dates, r.clock = []Date{r.dates[0].Add(-1)}, Clock{From: Day, To: Day}
	}
}

// day reads a day by its name: tomorrow, next Friday, at the weekend, next week, the end of next week. A
// past one, "last Friday", is skipped.
func (r *reader) day(i int) int {
	if n := r.relativeDay(i); n > 0 {
		return n
	}
	if n := r.portion(i); n > 0 {
		return n
	}
	_, gone := r.at(previous, i)
	start, end, later := r.unitNamed(i + gone)
	if end == start {
		return 0
	}
	if _, n := r.at(previous, end); gone > 0 || n > 0 {
		return end + n - i
	}
	end, later = r.qualified(start, end, later)
	if n := r.numberedDay(start, end); n > 0 {
		r.lastDay = end + n
		return r.lastDay - i
	}
	r.name(start, later)
	r.lastDay = end
	return end - i
}

// relativeDay reads a day relative to today, or a part of the day with the same name: "Freitag morgen".
func (r *reader) relativeDay(i int) int {
	days, n := r.at(relative, i)
	if n == 0 {
		return 0
	}
	at, p := r.at(part, i)
	switch {
	case p == n && days == 0:
		r.parts = append(r.parts, parts[at])
	case p == n && r.lastDay == i:
		r.parts = append(r.parts, parts[at])
		return n
	}
	r.dates = append(r.dates, r.today.Add(days))
	r.relatives++
	r.lastDay = i + n
	return n
}

// portion reads the beginning or the end of a week or a month: the end of next week.
func (r *reader) portion(i int) int {
	late, n := r.at(portion, i)
	if _, whole := r.at(weekend, i); n == 0 || whole > 0 {
		return 0
	}
	known := len(r.span)
	k := r.day(i + n)
	if k == 0 {
		return 0
	}
	of := r.span[known:]
	keep := portionOfWeek
	if len(of) > 7 {
		keep = portionOfMonth
	}
	if late == 0 {
		keep--
	}
	if keep = min(keep, len(of)); late > 0 {
		of = of[len(of)-keep:]
	}
	r.span = append(r.span[:known:known], of[:keep]...)
	return n + k
}

// portionOfWeek and portionOfMonth are the days of an end; a beginning is one day shorter.
const (
	portionOfWeek  = 4
	portionOfMonth = 10
)

// unitNamed finds the day of the week, week, weekend or month at i. Its words are from start to end, which
// are equal if there is none. later is set if it is the next one.
func (r *reader) unitNamed(i int) (start, end int, later bool) {
	_, before := r.at(next, i)
	start = i + before
	if coming, _ := r.at(week, i); before == 0 && coming == 0 {
		_, n := r.at(this, i)
		start += n
	}
	later, end = before > 0, start
	switch {
	case r.take(weekend, start, &end, nil),
		r.take(week, start, &end, func(n int) { later, r.afterNext = later || n > 0, n == 2 }),
		r.take(workdays, start, &end, nil),
		r.weekday(start, &end),
		before > 0 && r.take(month, start, &end, nil):
		return start, end, later
	}
	if _, n := r.at(in, i); n > 0 && r.take(month, i+n, &end, nil) {
		return i + n, end, later
	}
	return start, start, false
}

// qualified reads what follows the name of a day or a week and moves end after it: Friday week, the Tuesday
// after.
func (r *reader) qualified(start, end int, later bool) (int, bool) {
	if _, n := r.at(next, end); n > 0 && !r.opensUnit(end+n) {
		later = true
		end += n
	} else if _, k := r.at(hence, end); k > 0 && !later {
		r.ensuing = true
		end += k
	} else if _, k := r.at(after, end); k > 0 && !later && r.endsThere(end+k) {
		r.ensuing = true
		end += k
	}
	if value, n := r.at(week, end); n > 0 && value == 0 && r.tag == "en" && len(r.weekdays) == 0 {
		if _, of := r.at(weekday, start); of > 0 {
			r.weeks = 1
			end += n
		}
	}
	return end, later
}

// numberedDay reads the day of the month after a day of the week and returns its number of words: "el sábado
// 5 a las 12". It returns 0 if that date is another day of the week, or if the number may be an hour.
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

// unitOrMonth reports whether a month or a unit of time is named at i.
func (r *reader) unitOrMonth(i int) bool {
	_, n := r.at(month, i)
	_, u := r.unit(i)
	return n > 0 || u > 0
}

// opensUnit reports whether a week, weekend or month is named at i: "Wednesday next week" does not mean next
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

// take reads a phrase of a sense at i and moves end after it.
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

// weekday reads a day of the week. If it may also be another word, it must be capitalised like a day and be
// followed by a time or a date.
func (r *reader) weekday(i int, end *int) bool {
	if r.take(weekday, i, end, nil) {
		return true
	}
	if i >= len(r.words) {
		return false
	}
	first, _ := utf8.DecodeRuneInString(r.text[r.words[i].start:])
	value, _ := r.at(brief, i)
	small := r.tag == "de" && value < 6 // only "so" is also another word
	if !unicode.IsUpper(first) && !small || !r.take(brief, i, end, nil) {
		return false
	}
	if r.is(*end, ".") {
		*end++
	}
	_, cue := r.at(at, *end)
	_, of := r.at(part, *end)
	if named := cue > 0 || of > 0 || r.digits(*end) > 0; named {
		return true
	}
	*end = i
	return false
}

// name records the day or days named at i.
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

// besideRelative returns the days of the week that are named beside days relative to today and are none of
// them: "I can't tomorrow, is Monday possible?" Beside a date, the day of the week only repeats it.
func (r *reader) besideRelative() []Date {
	if len(r.dates) == 0 || r.relatives < len(r.dates) {
		return nil
	}
	var others []Date
	for _, d := range r.weekdays {
		if !slices.ContainsFunc(r.dates, func(named Date) bool { return named.Weekday() == d.Weekday }) {
			others = append(others, r.coming(d)...)
		}
	}
	return others
}

// wish combines what was read.
func (r *reader) wish() Wish {
	if r.weeks > 0 {
		r.addWeeks()
	}
	w := Wish{Dates: slices.Concat(r.dates, r.besideRelative()),
		Soonest: r.soonest, Later: r.later, NoSuchDay: r.noSuch, Said: r.said}
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

// clockIn returns the clock of a wish that also names a part of the day.
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

// boundIn returns a clock with one open end whose bound is in a part of the day: "after 6 in the evening".
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

// addWeeks moves a day by the weeks named with it: on Friday in a week, two weeks today.
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

// coming returns the dates of a day of the week: those within the named week, otherwise the next one.
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
	case d.next && ahead < 2: // otherwise people say today or tomorrow
		ahead += 7
	}
	return []Date{r.today.Add(ahead)}
}
