package when

// period reads a time of the day, or a period of it: at 3, 15:30, after 4, between 2 and 4 pm.
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

// bound reads a time that is not before or not after another: "after 4", "until noon".
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

// dashed reports whether a dash stands within n words from i: "tuesday 14-16".
func (r *reader) dashed(i, n int) bool {
	for j := i; j < i+n; j++ {
		if r.is(j, "-") {
			return true
		}
	}
	return false
}

// cue is how many words from i on say that a bound follows, with what leads to a time behind them: "efter kl
// 17". It is 0 where they are part of a longer name: "après midi".
func (r *reader) cue(s sense, i int) int {
	_, n := r.at(s, i)
	if _, p := r.at(part, i); n == 0 || p > n {
		return 0
	}
	_, k := r.at(at, i+n)
	return n + k
}

// postposed reads a bound or a period whose word stands behind it: "klo 17 jälkeen", "14 és 16 óra között".
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

// counts reports whether what stands before i is a number of things, a length of time.
func (r *reader) counts(i int) bool {
	if _, n := r.at(part, i); n > 0 { // "дня" is both
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

// bare reports whether a number from i to end is a time without anything that says so: behind a day at the
// end of what is said, "tomorrow 3", or when there is hardly anything else.
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
	few := len(r.words) <= 3 && r.digits(i) > 0 || len(r.words) == 1 // "the second one" is no time
	return few && len(r.dates) == 0 && last && !r.is(end, ".")
}

// opensDay reports whether a day is named at i, or behind a word that leads to one.
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

// marked reports whether one of the n words from i says that they are hours.
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

// fromTo reads two times with a dash or a word between; "and" is one behind a word that says that a period
// begins.
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

// afternoon reports whether one of the n words from i says that the hour is in the second half of the day.
func (r *reader) afternoon(i, n int) bool {
	for j := i; j < i+n; j++ {
		if _, k := r.at(later, j); k > 0 {
			return true
		}
	}
	return false
}

// time reads one time of the day, and says whether anything but a number is in it.
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

// shifted reads an hour, and is so many minutes later.
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
		c.Half = true // halb zwölf, and not half an hour before noon
	}
	if m <= 0 {
		m += Day
	}
	return Clock{From: m, To: m, Half: c.Half || c.From == 60}, n
}

// hours reads an hour with its minutes and what belongs to it.
func (r *reader) hours(i int) (c Clock, n int, marked bool) {
	h, n := r.number(i)
	if n == 0 || h > 24 {
		return Clock{}, 0, false
	}
	if _, k := r.written(i); k > 0 {
		return Clock{}, 0, false
	}
	figures := r.digits(i)
	if figures > 2 || figures > 0 && r.is(i+1, "/") && r.joined(i+1) {
		return Clock{}, 0, false
	}
	m := 0
	half := 1 <= h && h < 12 && !(figures == 2 && h < 10)
	set := false
	if figures > 0 && (r.is(i+n, ":") || r.is(i+n, ".")) && r.joined(i+n) && r.joined(i+n+1) &&
		r.digits(i+n+1) == 2 {
		m = r.words[i+n+1].number
		set = r.is(i+n, ":")
		marked = set || m > 12
		n += 2
		if m > 59 || r.is(i+n, ".") && r.joined(i+n) && r.joined(i+n+1) && r.digits(i+n+1) > 0 {
			return Clock{}, 0, false
		}
		set = true
	}
	if _, k := r.at(oclock, i+n); k > 0 && !(r.tag == "en" && r.is(i+n, "h") && !r.joined(i+n)) {
		_, unit := r.at(hour, i+n)
		marked = marked || unit == 0 || h >= 7
		n += k
		if k := r.digits(i + n); !set && k == 2 && r.words[i+n].number < 60 {
			m, set = r.words[i+n].number, true
			n++
		}
	}
	spaced := i+n < len(r.words) && r.words[i+n].spaced
	if r.tag == "en" || r.tag == "es" || !spaced {
		if _, k := r.at(morning, i+n); k > 0 && h <= 12 {
			n, marked, half, h = n+k, true, false, h%12
		} else if _, k := r.at(later, i+n); k > 0 && h <= 12 {
			n, marked, half, h = n+k, true, false, h%12+12
		}
	}
	if !set {
		k, minutes := r.behind(i + n)
		if k > 0 {
			n, m, marked = n+k, minutes, true
		}
	}
	total := h*60 + m
	if total < 0 || total > Day {
		return Clock{}, 0, false
	}
	if total == 0 {
		total = Day
	}
	return Clock{From: total, To: total, Half: half}, n, marked
}

// behind reads the minutes that are said after an hour: y media, moins le quart, e dez, thirty.
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
