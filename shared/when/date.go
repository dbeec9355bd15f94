package when

import "time"

// date reads a day by its number: 3 May, May 3rd, 3.5., 2026-05-03, the 3rd. One that no calendar has, the
// 31st of February, is passed over whole, and not taken for the 31st.
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
		if day, ok := r.dayNumber(i + n); ok && !r.is(i+n+1, ":") {
			n++
			if r.is(i+n, ".") && r.joined(i+n) {
				n++
			} else if _, o := r.at(ordinal, i+n); o > 0 && r.joined(i+n) {
				n += o
			}
			return r.yearBehind(i, n, m+1, day)
		}
		return Date{}, 0
	}
	day, ok := r.dayNumber(i)
	n := 1
	if !ok {
		return Date{}, 0
	}
	if r.is(i+n, ".") && r.joined(i+n) {
		n++
	} else if _, o := r.at(ordinal, i+n); o > 0 && r.joined(i+n) {
		n += o
	}
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

// dayNumber is the number of a day of the month, in one or two digits.
func (r *reader) dayNumber(i int) (int, bool) {
	if k := r.digits(i); k != 1 && k != 2 {
		return 0, false
	}
	d := r.words[i].number
	return d, 1 <= d && d <= 31
}

// yearBehind takes the year that may follow n words of a date.
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

// inYear is the next day that has this month and number. One that is just over is of this year all the same:
// who names it is mistaken, and should be told.
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

// numeric reads a date in digits alone. Two numbers with a dash between are a period of hours, unless a word
// for a day stands before them or the first is no hour: "op 9-11", "30-11".
func (r *reader) numeric(i int, day bool) (Date, int) {
	if r.digits(i) == 0 || !(r.joined(i+1) && r.joined(i+2)) || r.digits(i+2) == 0 {
		return Date{}, 0
	}
	sep := r.words[i+1].text
	third := 0
	if r.is(i+3, sep) && r.joined(i+3) && r.joined(i+4) {
		third = r.digits(i + 4)
	}
	a, b := r.words[i].number, r.words[i+2].number
	switch {
	case sep != "/" && sep != "." && sep != "-" || r.digits(i+2) > 2:
		return Date{}, 0
	case r.digits(i) == 4 && (third == 1 || third == 2): // 2026-05-03
		if d := (Date{a, time.Month(b), r.words[i+4].number}); d.valid() {
			return d, 5
		}
		return Date{}, 0
	case r.digits(i) > 2 || sep == "-" && third == 0 && !day && a <= 24:
		return Date{}, 0
	}
	dayNumber, m := a, b
	if r.monthsFirst && sep != "." && a <= 12 || b > 12 && a <= 12 && sep != "." {
		dayNumber, m = b, a
	}
	if m < 1 || m > 12 || dayNumber < 1 {
		return Date{}, 0
	}
	if third == 2 || third == 4 {
		year := r.words[i+4].number
		if third == 2 {
			year += 2000
		}
		if d := (Date{year, time.Month(m), dayNumber}); d.valid() {
			return d, 5
		}
		return Date{}, 0
	}
	n := 3
	if sep == "." && r.is(i+3, ".") && r.joined(i+3) { // 3.5.
		n++
	} else if sep == "." && r.hourBehind(i+3) {
		return Date{}, 0
	}
	if dayNumber > 31 {
		return Date{}, 0
	}
	d, _ := r.inYear(m, dayNumber, n)
	return d, n
}

// hourBehind reports whether a word that makes a number an hour stands at i.
func (r *reader) hourBehind(i int) bool {
	for _, s := range [...]sense{oclock, morning, later} {
		if _, n := r.at(s, i); n > 0 {
			return true
		}
	}
	return r.is(i, "-")
}

// ofMonth reads the number of a day of the month alone: the 3rd, am 3., el 3.
func (r *reader) ofMonth(i int) (Date, int) {
	_, cue := r.at(on, i)
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
	case r.Compounds || r.hourBehind(end) || r.is(end, ":"): // "am 3" with no stop says nothing
		return Date{}, 0
	}
	if _, u := r.unit(end); u > 0 {
		return Date{}, 0
	}
	d := r.today
	for range 62 {
		if d.Day == day {
			return d, end - i
		}
		d = d.Add(1)
	}
	return Date{}, 0
}
