package booking

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"frontdesk/shared/when"
)

// choice returns the index of the offered time that the message chooses by its number or by its day and
// time; -1 for none.
func (d *Dialog) choice(of []time.Time) int {
	if len(of) == 0 {
		return -1
	}
	if d.wish.Empty() {
		for i, ordinal := range strings.Split(d.heard.Ordinals, ";") {
			if i < len(of) && d.says(ordinal) {
				return i
			}
		}
		if d.says(d.heard.Last) {
			return len(of) - 1
		}
	}
	if n := d.place(); 1 <= n && n <= len(of) {
		return n - 1
	}
	if d.wish.Soonest {
		return 0
	}
	if d.wish.Empty() {
		return -1
	}
	found := -1
	for i, t := range of {
		local := t.In(d.Zone)
		if len(d.wish.Dates) > 0 && !slices.Contains(d.wish.Dates, when.DateOf(local)) ||
			!meansClock(d.wish, clockOf(local)) {
			continue
		}
		if found >= 0 {
			return -1 // ambiguous
		}
		found = i
	}
	return found
}

// place returns the number in a short message that chooses by number: "2", "number 2", "le 2"; 0 for none. A
// number after a word for a time is an hour instead.
func (d *Dialog) place() int {
	words := strings.FieldsFunc(d.Message,
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != ':' })
	if len(words) == 0 || len(words) > 2 || len(words) == 2 && d.wish.HasClock() {
		return 0
	}
	n, err := strconv.Atoi(words[len(words)-1])
	if err != nil {
		return 0
	}
	return n
}

// meansClock reports whether the clock of a wish contains a minute of the day.
func meansClock(w when.Wish, minute int) bool {
	if !w.HasClock() {
		return true
	}
	return slices.ContainsFunc(w.Clock.Clocks(),
		func(c when.Clock) bool { return c.From <= minute && minute <= c.To })
}

// bareHour returns an hour that is given as a number alone, in answer to a question for a time: "8 suits
// me". It must be the only number before the first punctuation mark.
func bareHour(message string) (hour int, at when.Range, ok bool) {
	end := strings.IndexAny(message, ".,;!\n")
	if end < 0 {
		end = len(message)
	}
	digits := func(r rune) bool { return unicode.IsDigit(r) }
	start := strings.IndexFunc(message[:end], digits)
	if start < 0 || len(strings.Fields(message[:end])) > maxBareWords {
		return 0, at, false
	}
	stop := start + len(message[start:end])
	if n := strings.IndexFunc(message[start:end], func(r rune) bool { return !unicode.IsDigit(r) }); n >= 0 {
		stop = start + n
	}
	alone := (start == 0 || message[start-1] == ' ') &&
		(stop == len(message) || strings.ContainsRune(" .,;!\n", rune(message[stop])))
	hour, err := strconv.Atoi(message[start:stop])
	if err != nil || !alone || hour < 1 || hour > 23 || strings.ContainsFunc(message[stop:end], digits) {
		return 0, at, false
	}
	return hour, when.Range{Start: start, End: stop}, true
}

// maxBareWords is the limit of words of a clause whose number is read as an hour.
const maxBareWords = 6
