package when

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// A piece is a run of words between two punctuation marks: a clause, a line, or a text in brackets.
type piece struct {
	words   []token
	begins  bool // it begins a sentence or a line
	closes  bool // it follows closing brackets
	opens   bool // it is in brackets
	topic   topic
	label   string
	heading bool // it is only a label
}

// A section has the pieces of one topic.
type section struct {
	topic   topic
	label   string
	words   []token
	heading bool
	days    [7]bool
	hours   Hours
	round   bool // it only says that someone can always be reached
}

// readParts reads a text by parts.
func readParts(l *lexicon, text string) Hours {
	all := newHoursReader(l, text, l.tokens(text))
	sections, left := all.sections()
	for i := range sections {
		s := &sections[i]
		r := newHoursReader(l, text, s.words)
		r.read()
		s.hours = r.hours()
		s.round = !slices.ContainsFunc(r.groups, func(g group) bool { return len(g.spans) > 0 && !g.always })
	}
	main := chosen(sections)
	var words []token
	for i := range sections {
		if main[i] {
			words = append(words, sections[i].words...)
		}
	}
	slices.SortFunc(words, func(a, b token) int { return a.start - b.start })
	h := all.hoursOf(words)
	house := slices.ContainsFunc(sections, func(s section) bool { return s.topic == reception })
	for i, s := range sections {
		if main[i] && (s.topic == unlabelled || s.topic == own && house) {
			h.label = s.label
			break
		}
	}
	h.Unread = append(h.Unread, left...)
	for i, s := range sections {
		if !main[i] && (s.hours.anything || s.topic == season) {
			h.apart(text, s)
		}
	}
	return h
}

// apart adds a section that is not about the business itself. One about a season or meals leaves the hours
// of its days in doubt.
func (h *Hours) apart(text string, s section) {
	stated := strings.Trim(text[s.words[0].start:s.words[len(s.words)-1].end], " \n,;")
	h.Parts = append(h.Parts, Part{Label: s.label, Text: stated, Hours: s.hours, topic: s.topic})
	switch s.topic {
	case season:
		h.unsure = [7]bool{true, true, true, true, true, true, true}
		h.Unread = append(h.Unread, stated)
	case meal:
		h.Unread = append(h.Unread, stated)
	}
}

// chosen reports by index which sections state the business's own hours: those without a label or with an
// explicit one, otherwise the first with its own hours. A line that is always answered comes last.
func chosen(sections []section) []bool {
	main := make([]bool, len(sections))
	if first := likeliest(sections); first >= 0 {
		for i, s := range sections {
			of := sections[first]
			adds := s.topic == own && of.topic == unlabelled && !meet(of.hours, s.hours)
			meals := s.topic == meal && of.topic == meal
			main[i] = i == first || s.hours.anything && (adds || meals)
		}
	}
	for i, s := range sections { // closed days and unreadable text concern the business
		free := s.topic <= own || s.topic == other && s.hours.days
		main[i] = main[i] || !s.hours.anything && free
	}
	return main
}

// likeliest returns the index of the first section that probably has the business's hours, -1 if none has
// hours.
func likeliest(sections []section) int {
	for _, is := range []func(section) bool{
		func(s section) bool { return s.topic == unlabelled },
		func(s section) bool { return s.topic == own && !s.round },
		func(s section) bool { return s.topic == own },
		func(s section) bool { return s.topic == meal },
		func(s section) bool { return s.topic < phone && !s.round },
		func(s section) bool { return s.topic != emergency && !s.round },
		func(s section) bool { return !s.round },
		func(section) bool { return true },
	} {
		first := slices.IndexFunc(sections, func(s section) bool {
			return s.hours.anything && s.topic != season && is(s)
		})
		if first >= 0 {
			return first
		}
	}
	return -1
}

// meet reports whether two weeks have hours on the same day.
func meet(a, b Hours) bool {
	for d := range a.week {
		if len(a.week[d]) > 0 && len(b.week[d]) > 0 {
			return true
		}
	}
	return false
}

// sections groups the pieces of the text by topic, in order. left are pieces without a day or hours to refer
// to: "Last entry 17:30", "closed on public holidays".
func (r *hoursReader) sections() (all []section, left []string) {
	all = []section{{}}
	at, before := 0, 0 // index of the previous piece's section, and of the one before brackets
	for _, p := range r.pieces() {
		if p.closes {
			at = before
		}
		if p.opens {
			before = at
		}
		days, stated := r.saysOf(p.words)
		if r.idle(p, days, stated) {
			stated := r.text[p.words[0].start:p.words[len(p.words)-1].end]
			left = append(left, strings.Trim(stated, " \n,;.()"))
			continue
		}
		if p.topic == unlabelled && stated && r.differs(all, p) {
			p.topic = other
		}
		switch {
		case p.topic != unlabelled:
			same := func(s section) bool { return s.topic == p.topic && s.label == p.label }
			at = slices.IndexFunc(all, same)
			if at < 0 {
				all, at = append(all, section{topic: p.topic, label: p.label}), len(all)
			}
			all[at].heading = p.heading
		case !all[at].continues(p, days, stated):
			at = 0
		}
		s := &all[at]
		if s.topic == unlabelled && s.label == "" && stated && r.namesPart(p.label) {
			s.label = p.label
		}
		s.heading = s.heading && !stated
		s.words = append(s.words, p.words...)
		for d, is := range days {
			s.days[d] = s.days[d] || is
		}
	}
	return slices.DeleteFunc(all, func(s section) bool { return len(s.words) == 0 }), left
}

// differs reports whether a piece begins with an unknown word and contradicts the business's hours: "Mon-Sun
// 6-23. Trainers Mon-Fri 9-21".
func (r *hoursReader) differs(before []section, p piece) bool {
	if !r.namesPart(p.label) {
		return false
	}
	now := r.hoursOf(p.words)
	return slices.ContainsFunc(before, func(s section) bool {
		of := r.hoursOf(s.words)
		for d := range of.week {
			if s.topic <= own && overlap(of.week[d], now.week[d]) {
				return true
			}
		}
		return false
	})
}

// namesPart reports whether the words before hours have one that is unknown: "Restaurant Mon-Sun 12-22".
func (r *hoursReader) namesPart(label string) bool {
	return slices.ContainsFunc(tokens(label), func(t token) bool {
		return t.isWord() && utf8.RuneCountInString(t.text) > inflects && len(r.phrases[t.text]) == 0
	})
}

// hoursOf returns the hours in words.
func (r *hoursReader) hoursOf(words []token) Hours {
	sub := newHoursReader(r.lexicon, r.text, words)
	sub.read()
	return sub.hours()
}

// idle reports whether a piece has no day, and has a time that is no opening time or a reason for being
// closed. Phone numbers are not times.
func (r *hoursReader) idle(p piece, days [7]bool, stated bool) bool {
	sub := newHoursReader(r.lexicon, r.text, p.words)
	if days != [7]bool{} || p.topic > own {
		return false
	}
	times, shut, worded := false, false, false
	for i := 0; i < len(sub.words); {
		if _, n := sub.dateAt(i); n > 0 && sub.says(i) == 0 {
			return false
		}
		if _, n := sub.at(closed, i); n > 0 {
			shut = true
			i += n
			continue
		}
		_, n, _ := sub.time(i)
		times = times || n > 0
		_, lead := sub.at(until, i)
		if lead > 0 && n == 0 && sub.opensUntil(i+lead) {
			return false
		}
		worded = worded || sub.words[i].isWord()
		i += max(1, n)
	}
	return times && !stated || shut && worded && !times
}

// opensUntil reports whether only a closing time follows at i: "until 20".
func (r *hoursReader) opensUntil(i int) bool {
	_, n, _ := r.time(i)
	return n > 0 && r.wordless(i+n, len(r.words))
}

// continues reports whether a piece without a label belongs to the section before it.
func (s *section) continues(p piece, days [7]bool, stated bool) bool {
	switch {
	case s.topic == unlabelled, s.topic == own, s.heading, !stated:
		return true
	case days == [7]bool{}:
		return !p.begins && s.days != [7]bool{}
	case s.days == [7]bool{}:
		return false
	}
	for d := range days {
		if days[d] && s.days[d] {
			return false
		}
	}
	return true
}

// saysOf returns the days in words, and whether they say when something is open or closed.
func (r *hoursReader) saysOf(words []token) (days [7]bool, stated bool) {
	sub := newHoursReader(r.lexicon, r.text, words)
	sub.read()
	for _, g := range sub.groups {
		stated = stated || g.stated()
		for d, is := range g.days {
			days[d] = days[d] || is
		}
	}
	return days, stated
}

// pieces splits the text.
func (r *hoursReader) pieces() []piece {
	var all []piece
	p := piece{begins: true}
	stated := false // the piece has hours
	start := 0
	cut := func(end int, next piece) {
		if end > start {
			p.words = r.words[start:end]
			p.topic, p.label, p.heading = r.label(start, end)
			all = append(all, p)
			start = end
		} else {
			next.begins = next.begins || p.begins
			next.closes = next.closes || p.closes
		}
		p, stated = next, false
	}
	for i := 0; i < len(r.words); {
		if i > start && r.newLine(i) {
			cut(i, piece{begins: true})
		}
		n := r.says(i)
		switch {
		case n > 0:
			stated = true
			i += n
			continue
		case strings.Contains(";|•·!", r.words[i].text), r.is(i, ".") && r.endsSentence(i):
			cut(i+1, piece{begins: true})
		case r.is(i, "(") && r.topicBehind(i+1):
			cut(i, piece{opens: true})
		case r.is(i, ")") && p.opens:
			cut(i+1, piece{closes: true})
		case (r.is(i, ",") || r.is(i, "،")) && stated:
			cut(i+1, piece{})
		case stated && i > start && r.labelsWhatFollows(i):
			cut(i, piece{})
		}
		i++
	}
	cut(len(r.words), piece{})
	return all
}

// endsSentence reports whether the full stop at i ends a sentence, rather than an abbreviation: "Tel. 8-12",
// "Mo. 9-12".
func (r *hoursReader) endsSentence(i int) bool {
	if i+1 >= len(r.words) {
		return true
	}
	if r.joined(i + 1) {
		return false
	}
	if i == 0 || !r.joined(i) {
		return true
	}
	if _, n := r.dayName(i - 1); n > 0 && utf8.RuneCountInString(r.words[i-1].text) <= abbreviated {
		return false
	}
	t, _ := r.topicAt(r.words[i-1:])
	return !(t == phone && len(r.words[i-1].text) <= abbreviated)
}

// abbreviated is the limit of letters of an abbreviation.
const abbreviated = 4

// newLine reports whether the word at i is the first of a line. Both halves of a compound have the same
// offset.
func (r *hoursReader) newLine(i int) bool {
	if i == 0 || r.words[i].start < r.words[i-1].end {
		return false
	}
	return strings.Contains(r.text[r.words[i-1].end:r.words[i].start], "\n")
}

// topicBehind reports whether one of the next words, before any hours, names a topic, and the brackets have
// hours or a time.
func (r *hoursReader) topicBehind(i int) bool {
	end := i
	for end < len(r.words) && !r.is(end, ")") {
		end++
	}
	if i >= end || !r.hasNumber(i, end) && !r.statesHours(i, end) {
		return false
	}
	for j := i; j < min(i+4, len(r.words)) && r.says(j) == 0 && !r.is(j, ")"); j++ {
		if t, n := r.topicAt(r.words[j:]); n > 0 && t != own {
			return true
		}
		if r.monthAlone(j) {
			return true
		}
	}
	return false
}

// statesHours reports whether words say when something is open or closed.
func (r *hoursReader) statesHours(i, end int) bool {
	_, stated := r.saysOf(r.words[i:end])
	return stated
}

// labelsWhatFollows reports whether a topic at i is followed by hours before the next punctuation mark.
func (r *hoursReader) labelsWhatFollows(i int) bool {
	t, n := r.topicAt(r.words[i:])
	if n == 0 || t == meal || t == own {
		return false
	}
	for j := i + n; j < len(r.words) && !r.is(j, ",") && !r.is(j, ";") && !r.ends(j) && !r.is(j, ")"); j++ {
		if r.says(j) > 0 {
			return true
		}
	}
	return false
}

// says returns the number of words of the hours, or of the phrase for closed or always open, at i; 0 for
// none.
func (r *hoursReader) says(i int) int {
	for _, s := range [...]sense{always, closed} {
		if _, n := r.at(s, i); n > 0 {
			return n
		}
	}
	_, n := r.span(i)
	return n
}

// label returns the topic of the words from i to end, by the words before their first day or hour, or else
// by those after it: "24 hours emergency line".
func (r *hoursReader) label(i, end int) (t topic, label string, alone bool) {
	head, colon, worded := i, -1, false
	for ; head < end && !r.opensHours(head); head++ {
		if r.is(head, ":") && worded {
			colon = head
			break
		}
		worded = worded || r.words[head].isWord()
	}
	first := i
	for first < head && !r.words[first].isWord() {
		first++
	}
	if first < head {
		label = strings.Trim(r.text[r.words[first].start:r.words[head-1].end], " -–—,(")
	}
	t = r.topicOf(first, head)
	rest := max(head, colon+1)
	alone = t != unlabelled && (rest >= end || r.wordless(rest, end))
	switch {
	case r.paused(i, end):
		return unlabelled, "", false
	case t == unlabelled && colon >= 0 && r.hasNumber(first, head):
		return unlabelled, "", false // "from 8:30", an address
	case t == unlabelled && colon >= 0:
		return other, label, rest >= end || r.wordless(rest, end)
	case t != unlabelled:
		return t, label, alone
	}
	if t, behind, alone := r.labelBehind(head, end); t != unlabelled {
		return t, behind, alone
	}
	return unlabelled, label, false
}

// labelBehind finds a topic among the words from i to end if they start with hours.
func (r *hoursReader) labelBehind(i, end int) (topic, string, bool) {
	for j := i; j < end; j++ {
		if r.says(j) > 0 {
			j += r.says(j) - 1
			continue
		}
		t, n := r.topicAt(r.words[j:end])
		if r.monthAlone(j) {
			t, n = season, 1
		}
		if n == 0 || t <= meal || t == arranged || t == phone && r.isPhoneNumber(j+n, end) {
			continue
		}
		return t, r.text[r.words[j].start:r.words[j+n-1].end], false
	}
	return unlabelled, "", false
}

// topicOf returns the topic of a label from i to end. A part of the business takes precedence over the
// business, "reception opening hours", unless both are named: "shop and reception".
func (r *hoursReader) topicOf(i, end int) topic {
	found := unlabelled
	joins := false
	for j := i; j < end; j++ {
		t, n := r.topicAt(r.words[j:end])
		if r.monthAlone(j) {
			t, n = season, 1
		}
		if n == 0 || t == phone && r.isPhoneNumber(j+n, end) {
			_, both := r.at(both, j)
			joins = joins || both > 0
			continue
		}
		switch {
		case found == unlabelled, found == own && !joins, t == season:
			found = t
		case t == own && joins && found != season:
			found = own
		}
		j += n - 1
	}
	return found
}

// paused reports whether the words from i to end mention a break.
func (r *hoursReader) paused(i, end int) bool {
	for j := i; j < end; j++ {
		if _, n := r.at(pause, j); n > 0 {
			return true
		}
	}
	return false
}

// monthAlone reports whether a month that is not part of a date is named at i.
func (r *hoursReader) monthAlone(i int) bool {
	if _, n := r.at(month, i); n == 0 || len(r.words[i].text) < 3 {
		return false
	}
	if _, n := r.dayName(i); n > 0 {
		return false
	}
	_, behind := r.dayNumber(i + 1)
	if i > 0 {
		_, before := r.dayNumber(i - 1)
		behind = behind || before
	}
	return !behind
}

// opensHours reports whether a day, hours, or a word for being closed begins at i.
func (r *hoursReader) opensHours(i int) bool {
	if r.says(i) > 0 {
		return true
	}
	for _, s := range [...]sense{everyday, workdays, weekend} {
		if _, n := r.at(s, i); n > 0 {
			return true
		}
	}
	_, n := r.dayName(i)
	return n > 0
}

func (r *hoursReader) hasNumber(i, end int) bool {
	return slices.ContainsFunc(r.words[min(i, end):end], token.isNumber)
}

// isPhoneNumber reports whether the words from i to end contain a number too long for a time.
func (r *hoursReader) isPhoneNumber(i, end int) bool {
	return slices.ContainsFunc(r.words[min(i, end):end],
		func(t token) bool { return t.isNumber() && t.end-t.start > 2 })
}

// wordless reports whether there is no word or number from i to end.
func (r *hoursReader) wordless(i, end int) bool {
	return !slices.ContainsFunc(r.words[i:end], func(t token) bool { return t.isWord() || t.isNumber() })
}
