package when

import "time"

// date reads a date: 3 May, May 3rd, 3.5., 2026-05-03, the 3rd. An invalid date, such as the 31st of
// February, is skipped as a whole instead of being read as the 31st.
func (r *reader) date(i int) int {
	d, n := r.dateAt(i)
	switch {
	case n > 0 && d.valid():
		r.dates = append(r.dates, d)
		r.lastDay = i + n
	case n > 0:
		r.noSuch = true
	}
	return n
}

func (r *reader) dateAt(i int) (Date, int) {
	_, cue := r.at(on, i)
	if d, n := r.written(i + cue); n > 0 {
		return d, cue + n
	}
	if d, n := r.numeric(i+cue, cue > 0); n > 0 {
		return d, cue + n
	}
	return r.ofMonth(i)
}

// written reads a date with the name of its month.
func (r *reader) written(i int) (Date, int) {
	if m, n := r.at(month, i); n > 0 { // May 3rd, május 3.
		if r.is(i+n, ".") {
			n++
		}
		if day, k := r.dayInMonth(i + n); k > 0 && !r.is(i+n+k, ":") {
			return r.yearBehind(i, n+k+r.ordinalEnd(i+n+k), m+1, day)
		}
		return Date{}, 0
	}
	day, n := r.dayInMonth(i)
	if n == 0 {
		return Date{}, 0
	}
	n += r.ordinalEnd(i + n)
	for r.is(i+n, "de") || r.is(i+n, "of") || r.is(i+n, "di") { // 3 de mayo, 3rd of May
		n++
	}
	m, k := r.at(month, i+n)
	if k == 0 {
		return Date{}, 0
	}
	n += k
	if r.is(i+n, ".") && r.joined(i+n) {
		n++
	}
	return r.yearBehind(i, n, m+1, day)
}

// ordinalEnd returns the number of words that make the number before i an ordinal: a full stop, or the th of
// 4th.
func (r *reader) ordinalEnd(i int) int {
	if r.is(i, ".") && r.joined(i) {
		return 1
	}
	if _, n := r.at(ordinal, i); n > 0 && r.joined(i) {
		return n
	}
	return 0
}

// dayInMonth reads the number of a day of the month in digits or as a word.
func (r *reader) dayInMonth(i int) (day, n int) {
	if day, ok := r.dayNumber(i); ok {
		return day, 1
	}
	if value, n := r.at(dayWord, i); n > 0 {
		return value + 1, n
	}
	return 0, 0
}

// dayNumber reads the number of a day of the month in one or two digits.
func (r *reader) dayNumber(i int) (int, bool) {
	if k := r.digits(i); k != 1 && k != 2 {
		return 0, false
	}
	d := r.words[i].number
	return d, 1 <= d && d <= 31
}

// yearBehind reads the optional year after the n words of a date.
func (r *reader) yearBehind(i, n, m, day int) (Date, int) {
	at := i + n
	if r.is(at, ",") || r.is(at, "de") || r.is(at, "del") {
		at++
	}
	if r.digits(at) == 4 {
		if d := (Date{r.words[at].number, time.Month(m), day}); d.valid() {
			return d, at + 1 - i
		}
	}
	d, k := r.inYear(m, day, n)
	return d, max(n, k)
}

// inYear returns the next date with this month and day. A date that has just passed stays in this year: the
// contact is probably mistaken and should be told.
func (r *reader) inYear(m, day, n int) (Date, int) {
	d := Date{r.today.Year, time.Month(m), day}
	if d.Compare(r.today.Add(-30)) < 0 || m == 2 && day == 29 && !d.valid() {
		d.Year++
	}
	if !d.valid() {
		return Date{}, 0
	}
	return d, n
}

// numeric reads a date in digits. Two numbers with a dash are a period of hours, unless a word for a day
// precedes them or the first is no hour: "op 9-11", "30-11".
func (r *reader) numeric(i int, day bool) (Date, int) {
	sep := r.separator(i)
	if sep == "" {
		return Date{}, 0
	}
	third := 0
	if r.is(i+3, sep) && r.joined(i+3) && r.joined(i+4) {
		third = r.digits(i + 4)
	}
	a, b := r.words[i].number, r.words[i+2].number
	switch {
	case r.digits(i) == 4 && (third == 1 || third == 2): // 2026-05-03
		return validIn(a, b, r.words[i+4].number)
	case r.digits(i) > 2 || sep == "-" && third == 0 && !day && a <= 24:
		return Date{}, 0
	}
	number, m := r.dayAndMonth(a, b, sep)
	switch {
	case m < 1 || m > 12 || number < 1:
		return Date{}, 0
	case third == 2:
		return validIn(2000+r.words[i+4].number, m, number)
	case third == 4:
		return validIn(r.words[i+4].number, m, number)
	}
	return r.yearless(i, m, number, sep)
}

// separator returns the separator at i between two numbers of a possible date, "" for none.
func (r *reader) separator(i int) string {
	if r.digits(i) == 0 || !r.joined(i+1) || !r.joined(i+2) || r.digits(i+2) == 0 || r.digits(i+2) > 2 {
		return ""
	}
	switch sep := r.words[i+1].text; sep {
	case "/", ".", "-":
		return sep
	}
	return ""
}

// dayAndMonth decides which of two numbers is the day and which the month, by the usage where the business
// is and by which can be a month.
func (r *reader) dayAndMonth(a, b int, sep string) (day, month int) {
	if sep != "." && a <= 12 && (r.monthsFirst || b > 12) {
		return b, a
	}
	return a, b
}

// validIn returns a date of five words, and 0 words for an invalid date.
func validIn(year, m, day int) (Date, int) {
	if d := (Date{year, time.Month(m), day}); d.valid() {
		return d, 5
	}
	return Date{}, 0
}

// yearless reads a date in digits without a year. Numbers with a full stop between them may be an hour.
func (r *reader) yearless(i, m, day int, sep string) (Date, int) {
	n := 3
	if sep == "." && r.is(i+3, ".") && r.joined(i+3) { // 3.5.
		n++
	} else if sep == "." && r.hourBehind(i+3) {
		return Date{}, 0
	}
	if day > 31 {
		return Date{}, 0
	}
	d, _ := r.inYear(m, day, n)
	return d, n
}

// hourBehind reports whether the word at i makes the number before it an hour.
func (r *reader) hourBehind(i int) bool {
	for _, s := range [...]sense{oclock, morning, later} {
		if _, n := r.at(s, i); n > 0 {
			return true
		}
	}
	return r.is(i, "-")
}

// ofMonth reads a day of the month without its month: the 3rd, am 3., el 3, the twenty-third.
func (r *reader) ofMonth(i int) (Date, int) {
	_, cue := r.at(on, i)
	if d, n := r.ofMonthInWords(i, cue); n > 0 {
		return d, n
	}
	day, ok := r.dayNumber(i + cue)
	if !ok {
		return Date{}, 0
	}
	end := i + cue + 1
	_, o := r.at(ordinal, end)
	switch {
	case o > 0 && r.joined(end):
		end += o
	case cue == 0 || r.tag == "en":
		return Date{}, 0
	case r.is(end, ".") && r.joined(end):
		end++
	case r.Compounds || r.hourBehind(end) || r.is(end, ":"): // "am 3" without a full stop is no date
		return Date{}, 0
	}
	if _, u := r.unit(end); u > 0 {
		return Date{}, 0
	}
	return r.nextOf(day), end - i
}

// ofMonthInWords reads a day of the month as a word, after a preposition for a day. Small numbers are rather
// a choice: "the second one".
func (r *reader) ofMonthInWords(i, cue int) (Date, int) {
	value, n := r.at(dayWord, i+cue)
	end := i + cue + n
	if n == 0 || cue == 0 || value < leastInWords && !r.is(i, "on") && !r.is(i, "am") || r.is(end, "one") {
		return Date{}, 0
	}
	if _, u := r.unit(end); u > 0 || r.hourBehind(end) {
		return Date{}, 0
	}
	return r.nextOf(value + 1), end - i
}

// leastInWords is the least value of a dayWord that is read as a date without a word such as "on"; smaller
// ones may be a choice. A value is one less than its day.
const leastInWords = 8

// nextOf returns the next date with that day of the month.
func (r *reader) nextOf(day int) Date {
	d := r.today
	for d.Day != day {
		d = d.Add(1)
	}
	return d
}
