package booking

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"frontdesk/shared/when"
)

// choice is which of the times that were told the message means, by its place or by its day and time; -1 for
// none.
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
			return -1 // it may be either
		}
		found = i
	}
	return found
}

// place is the number that a message of few words is: "2", "number 2", "le 2"; 0 for none. Behind a word that
// says so it is an hour.
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

// meansClock reports whether a minute of the day is in what a wish says of the time of the day.
func meansClock(w when.Wish, minute int) bool {
	if !w.HasClock() {
		return true
	}
	return slices.ContainsFunc(w.Clock.Clocks(),
		func(c when.Clock) bool { return c.From <= minute && minute <= c.To })
}

// bareHour finds a number that is an hour for who was asked for a time: "8 suits me". It stands alone in the
// text before the first mark, where no other number does.
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

// maxBareWords is how many words a clause has at most in which a number is an hour.
const maxBareWords = 6
