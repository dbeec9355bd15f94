package when

// period reads a time of day or a period: at 3, 15:30, after 4, between 2 and 4 pm.
func (r *reader) period(i int) int {
	if n := r.cue(from, i); n > 0 {
		if c, k := r.fromTo(i+n, true); k > 0 {
			r.clock = c
			return n + k
		}
	}
	if c, n := r.bound(i); n > 0 {
		r.clock = c
		return n
	}
	_, n := r.at(at, i)
	if c, k := r.postposed(i + n); k > 0 {
		r.clock = c
		return n + k
	}
	if c, k := r.fromTo(i+n, false); k > 0 && (n > 0 || r.marked(i, k) || r.lastDay == i && r.dashed(i, k)) {
		r.clock = c
		return n + k
	}
	c, k, marked := r.time(i + n)
	if k == 0 || r.counts(i+n+k) {
		return 0
	}
	if n == 0 && !marked && !r.bare(i, i+k) {
		return 0
	}
	r.clock = c
	return n + k
}

// bound reads a period with only one end: "after 4", "until noon".
func (r *reader) bound(i int) (Clock, int) {
	if n := r.cue(after, i); n > 0 {
		if c, k, _ := r.time(i + n); k > 0 && c.From < Day && !r.counts(i+n+k) {
			return Clock{From: c.From, To: Day - 1, Half: c.Half}, n + k
		}
	}
	if n := r.cue(before, i); n > 0 {
		if c, k, _ := r.time(i + n); k > 0 && !r.counts(i+n+k) {
			return Clock{To: c.To, Half: c.Half}, n + k
		}
	}
	return Clock{}, 0
}

// dashed reports whether one of the n words from i is a dash: "tuesday 14-16".
func (r *reader) dashed(i, n int) bool {
	for j := i; j < i+n; j++ {
		if r.is(j, "-") {
			return true
		}
	}
	return false
}

// cue returns the number of words at i that announce a bound, including a word for a time after them: "efter
// kl 17". It returns 0 if they are part of a longer phrase: "après midi".
func (r *reader) cue(s sense, i int) int {
	_, n := r.at(s, i)
	if _, p := r.at(part, i); n == 0 || p > n {
		return 0
	}
	_, k := r.at(at, i+n)
	return n + k
}

// postposed reads a bound or a period with its word at the end: "klo 17 jälkeen", "14 és 16 óra között".
func (r *reader) postposed(i int) (Clock, int) {
	if r.tag != "fi" && r.tag != "hu" && r.tag != "tr" {
		return Clock{}, 0
	}
	if c, k := r.fromTo(i, true); k > 0 {
		if _, n := r.at(from, i+k); n > 0 {
			return c, k + n
		}
	}
	c, k, _ := r.time(i)
	if k == 0 || c.From >= Day {
		return Clock{}, 0
	}
	if _, n := r.at(after, i+k); n > 0 {
		return Clock{From: c.From, To: Day - 1, Half: c.Half}, k + n
	}
	if _, n := r.at(before, i+k); n > 0 {
		return Clock{To: c.To, Half: c.Half}, k + n
	}
	return Clock{}, 0
}

// counts reports whether the words before i are a count or a duration.
func (r *reader) counts(i int) bool {
	if _, n := r.at(part, i); n > 0 { // "дня" has both meanings
		return false
	}
	if _, n := r.at(weekday, i); n > 0 { // "يوم الاثنين" begins with a unit
		return false
	}
	for _, s := range [...]sense{minute, day, week, months} {
		if _, n := r.at(s, i); n > 0 {
			return true
		}
	}
	return false
}

// bare reports whether the number from i to end is a time without a word for it: after a day at the end of a
// phrase, "tomorrow 3", or in a very short text.
func (r *reader) bare(i, end int) bool {
	last := end == len(r.words) || !r.words[end].isWord() && !r.words[end].isNumber()
	if r.lastDay == i || r.lastDay == i-1 && r.is(i-1, ",") {
		_, p := r.at(part, end)
		return last || p > 0
	}
	if _, p := r.at(part, end); p > 0 && !r.joined(end) { // "11 in the morning"
		return true
	}
	if r.lastPart == i && (last || r.opensDay(end)) { // "evening 5", "morning 10 on Friday"
		return true
	}
	few := len(r.words) <= 3 && r.digits(i) > 0 || len(r.words) == 1 // "the second one" is not a time
	return few && len(r.dates) == 0 && last && !r.is(end, ".")
}

// opensDay reports whether a day is named at i, or after a preposition for one.
func (r *reader) opensDay(i int) bool {
	_, n := r.at(on, i)
	if n == 0 {
		_, n = r.at(this, i)
	}
	if n == 0 && r.tag == "en" && r.is(i, "on") {
		n = 1
	}
	for _, s := range [...]sense{weekday, relative} {
		if _, k := r.at(s, i+n); k > 0 {
			return true
		}
	}
	return false
}

// marked reports whether one of the n words from i marks numbers as hours.
func (r *reader) marked(i, n int) bool {
	for j := i; j < i+n; j++ {
		for _, s := range [...]sense{oclock, morning, later} {
			if _, k := r.at(s, j); k > 0 {
				return true
			}
		}
		if r.is(j, ":") {
			return true
		}
	}
	return false
}

// fromTo reads two times with a dash or a word between them. "and" is such a word if begun is set, which
// follows a word such as "between".
func (r *reader) fromTo(i int, begun bool) (Clock, int) {
	defer func(plain bool) { r.plain = plain }(r.plain)
	r.plain = true
	first, n, _ := r.time(i)
	if n == 0 {
		return Clock{}, 0
	}
	dash := 0
	if r.is(i+n, "-") {
		dash = 1
	} else if _, dash = r.at(until, i+n); dash == 0 {
		return Clock{}, 0
	} else if _, listed := r.at(both, i+n); listed > 0 && !begun {
		return Clock{}, 0
	}
	second, k, _ := r.time(i + n + dash)
	if k == 0 || r.counts(i+n+dash+k) {
		return Clock{}, 0
	}
	c := Clock{From: first.From, To: second.To, Half: first.Half && second.Half}
	switch {
	case first.Half && first.From+Day/2 < second.To && r.afternoon(i+n+dash, k): // 2-5pm
		c.From += Day / 2
	case c.To <= c.From && second.Half: // 10-2
		c.To += Day / 2
		c.Half = false
	}
	if c.To <= c.From {
		return Clock{}, 0
	}
	return c, n + dash + k
}

// afternoon reports whether one of the n words from i puts the hour into the second half of the day.
func (r *reader) afternoon(i, n int) bool {
	for j := i; j < i+n; j++ {
		if _, k := r.at(later, j); k > 0 {
			return true
		}
	}
	return false
}

// time reads a time of day. marked is set if it has more than a number.
func (r *reader) time(i int) (c Clock, n int, marked bool) {
	if _, n := r.at(noon, i); n > 0 {
		k, minutes := r.behind(i + n)
		m := Day/2 + minutes
		return Clock{From: m, To: m}, n + k, true
	}
	for _, p := range [...]struct {
		sense   sense
		minutes int
	}{{quarterTo, -15}, {quarterPast, 15}, {halfTo, -30}, {halfPast, 30}} {
		if _, n := r.at(p.sense, i); n > 0 {
			if c, k := r.shifted(i+n, p.minutes); k > 0 {
				return c, n + k, true
			}
		}
	}
	if m, n := r.number(i); n > 0 && !r.plain && m%5 == 0 && 0 < m && m < 30 {
		for _, p := range [...]struct {
			sense sense
			sign  int
		}{{past, 1}, {to, -1}} {
			if _, k := r.at(p.sense, i+n); k > 0 {
				if c, h := r.shifted(i+n+k, p.sign*m); h > 0 {
					return c, n + k + h, true
				}
			}
		}
	}
	return r.hours(i)
}

// shifted reads an hour and adds minutes to it.
func (r *reader) shifted(i, minutes int) (Clock, int) {
	plain := r.plain
	r.plain = true
	c, n, _ := r.hours(i)
	r.plain = plain
	if n == 0 || c.From%60 != 0 {
		return Clock{}, 0
	}
	m := c.From + minutes
	if c.From == Day/2 && minutes < 0 {
		c.Half = true // halb zwölf, not half an hour before noon
	}
	if m <= 0 {
		m += Day
	}
	return Clock{From: m, To: m, Half: c.Half || c.From == 60}, n
}

// hours reads an hour with its minutes. marked is set if it has more than a number.
func (r *reader) hours(i int) (c Clock, n int, marked bool) {
	h, n := r.number(i)
	if n == 0 || h > 24 {
		return Clock{}, 0, false
	}
	figures := r.digits(i)
	if _, k := r.written(i); k > 0 || figures > 2 || figures > 0 && r.is(i+1, "/") && r.joined(i+1) {
		return Clock{}, 0, false
	}
	t := hourOf{hour: h, words: n, half: 1 <= h && h < 12 && !(figures == 2 && h < 10)}
	if figures > 0 && !r.minutes(i, &t) {
		return Clock{}, 0, false
	}
	r.oclock(i, &t)
	r.halfOfDay(i, &t)
	if !t.set {
		if k, minutes := r.behind(i + t.words); k > 0 {
			t.words, t.minute, t.marked = t.words+k, minutes, true
		}
	}
	total := t.hour*60 + t.minute
	if total < 0 || total > Day {
		return Clock{}, 0, false
	}
	if total == 0 {
		total = Day
	}
	return Clock{From: total, To: total, Half: t.half}, t.words, t.marked
}

// An hourOf is an hour while it is read.
type hourOf struct {
	hour, minute int
	words        int  // number of words
	half         bool // may be in either half of the day
	set          bool // its minutes are given
	marked       bool // more than a number identifies it
}

// minutes reads digits for the minutes after an hour: 15:30, 15.30. It returns false if what follows rules
// out a time.
func (r *reader) minutes(i int, t *hourOf) bool {
	at := i + t.words
	if !(r.is(at, ":") || r.is(at, ".")) || !r.joined(at) || !r.joined(at+1) || r.digits(at+1) != 2 {
		return true
	}
	t.minute, t.set = r.words[at+1].number, true
	t.marked = r.is(at, ":") || t.minute > 12
	t.words += 2
	end := at + 2
	return t.minute <= 59 && !(r.is(end, ".") && r.joined(end) && r.joined(end+1) && r.digits(end+1) > 0)
}

// oclock reads a word that marks the number before it as an hour, and the minutes after it: 15 Uhr 30.
func (r *reader) oclock(i int, t *hourOf) {
	at := i + t.words
	_, k := r.at(oclock, at)
	if k == 0 || r.tag == "en" && r.is(at, "h") && !r.joined(at) {
		return
	}
	_, unit := r.at(hour, at)
	t.marked = t.marked || unit == 0 || t.hour >= 7
	t.words += k
	if at += k; !t.set && r.digits(at) == 2 && r.words[at].number < 60 {
		t.minute, t.set = r.words[at].number, true
		t.words++
	}
}

// halfOfDay reads a word for the first or the second half of the day: 3 pm.
func (r *reader) halfOfDay(i int, t *hourOf) {
	at := i + t.words
	spaced := at < len(r.words) && r.words[at].spaced
	if t.hour > 12 || spaced && r.tag != "en" && r.tag != "es" {
		return
	}
	if _, k := r.at(morning, at); k > 0 {
		t.words, t.marked, t.half, t.hour = t.words+k, true, false, t.hour%12
	} else if _, k := r.at(later, at); k > 0 {
		t.words, t.marked, t.half, t.hour = t.words+k, true, false, t.hour%12+12
	}
}

// behind reads minutes in words after an hour: y media, moins le quart, e dez, thirty.
func (r *reader) behind(i int) (n, minutes int) {
	for _, p := range [...]struct {
		sense   sense
		minutes int
	}{{lessQuarter, -15}, {andHalf, 30}, {andQuarter, 15}} {
		if _, n := r.at(p.sense, i); n > 0 {
			return n, p.minutes
		}
	}
	if r.plain {
		return 0, 0
	}
	for _, p := range [...]struct {
		sense sense
		sign  int
	}{{and, 1}, {less, -1}} {
		if _, n := r.at(p.sense, i); n > 0 {
			if m, k := r.number(i + n); k > 0 && m%5 == 0 && 0 < m && m < 60 {
				return n + k, p.sign * m
			}
		}
	}
	if m, n := r.at(number, i); n > 0 && m >= 10 && m%5 == 0 {
		return n, m
	}
	return 0, 0
}
