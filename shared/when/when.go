// Package when reads what people write about times: the wished day and hour, "tomorrow at 3", and the
// opening hours of a business, "Mon-Fri 9-18". It also writes times.
//
// Its phrases are those of package language. Existing libraries lack what a front desk needs: olebedev/when
// reads "tomorrow at 3" as tomorrow at the current hour and "the day after tomorrow at noon" as tomorrow, in
// five languages, with regular expressions that are compiled when a process starts; go-dateparser takes 150
// ms and 95 MB to start and reads neither "Friday morning" nor "half past three". All of them return one
// time, whereas "Friday morning" is a period and the meaning of "at 3" depends on the opening hours.
package when

import (
	"fmt"
	"slices"
	"time"
)

// A Date is a calendar date without a time zone. The zero Date is none.
type Date struct {
	Year  int
	Month time.Month
	Day   int
}

// MarshalText implements encoding.TextMarshaler.
func (d Date) MarshalText() ([]byte, error) {
	return time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, time.UTC).AppendFormat(nil, time.DateOnly), nil
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (d *Date) UnmarshalText(b []byte) error {
	t, err := time.Parse(time.DateOnly, string(b))
	if err == nil {
		*d = DateOf(t)
	}
	return err
}

// DateOf returns the date of a time in its own zone.
func DateOf(t time.Time) Date {
	y, m, d := t.Date()
	return Date{y, m, d}
}

func (d Date) utc() time.Time { return time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, time.UTC) }

// Add returns the date some days later.
func (d Date) Add(days int) Date { return DateOf(d.utc().AddDate(0, 0, days)) }

// Weekday returns the day of the week.
func (d Date) Weekday() time.Weekday { return d.utc().Weekday() }

// Compare returns a negative number if d is before e, 0 if they are equal, and otherwise a positive one.
func (d Date) Compare(e Date) int { return d.utc().Compare(e.utc()) }

// String returns the date in the form of ISO 8601.
func (d Date) String() string { return fmt.Sprintf("%04d-%02d-%02d", d.Year, d.Month, d.Day) }

// valid reports whether the date exists.
func (d Date) valid() bool {
	return 1970 <= d.Year && d.Year <= 2999 && 1 <= d.Month && d.Month <= 12 && 1 <= d.Day &&
		DateOf(d.utc()) == d
}

// Day is the length of a day in minutes.
const Day = 24 * 60

// At returns the time at a minute of the day in a zone. ok is false if clocks that are put forward skip it;
// if they are put back, the first of both times is returned. Minutes from Day on are in the next day.
func (d Date) At(minute int, zone *time.Location) (time.Time, bool) {
	d, minute = d.Add(minute/Day), minute%Day
	t := time.Date(d.Year, d.Month, d.Day, minute/60, minute%60, 0, 0, zone)
	if earlier := t.Add(-time.Hour); earlier.Hour() == t.Hour() && earlier.Minute() == t.Minute() {
		t = earlier
	}
	return t, t.Hour() == minute/60 && t.Minute() == minute%60
}

// A Clock is the range of minutes of the day, From and To included, in which something should begin. They
// are equal for a single time. The zero Clock is none.
type Clock struct {
	From, To int
	// Half is set if the time may also be in the other half of the day: 3 o'clock may be 15:00.
	Half bool
}

// A Wish is what a text says about a time.
type Wish struct {
	Dates []Date // named dates, ascending; none if no day is named
	Clock Clock
	// Weekday is set if the dates are named only by days of the week, which recur.
	Weekday bool
	// Later is the distance from now in a text that may also be relative to a time mentioned before: "an
	// hour later". It is negative for "an hour earlier", which needs such a time, and 0 for other texts.
	Later time.Duration
	// Ensuing is set if the day of the week follows a date mentioned before: "the Tuesday after".
	Ensuing bool
	// NoSuchDay is set if the text names a date that does not exist, such as the 31st of November. Dates
	// does not have it.
	NoSuchDay bool
	// Soonest is set if the text asks for the earliest possible time.
	Soonest bool
	// Said are the ranges of the text about a time, in order.
	Said []Range
}

// Number returns the number in a text that has nothing else, in digits or as a word of the language.
func Number(language, text string) (n int, ok bool) {
	l := lexiconOf(language)
	r := &reader{lexicon: l, text: text, words: l.tokens(text)}
	n, words := r.number(0)
	return n, words > 0 && words == len(r.words)
}

// A Range is a range of bytes of a text, from Start to before End.
type Range struct{ Start, End int }

// Empty reports whether the text says nothing about a time.
func (w Wish) Empty() bool {
	return len(w.Dates) == 0 && w.Clock == Clock{} && !w.Soonest && w.Later >= 0
}

// HasClock reports whether the text names a time of day.
func (w Wish) HasClock() bool { return w.Clock != Clock{} }

// Exact reports whether the text names a single time of day.
func (w Wish) Exact() bool { return w.HasClock() && w.Clock.From == w.Clock.To }

// From returns the wish relative to a time mentioned before. A wish with neither Later nor Ensuing is
// unchanged.
func (w Wish) From(t time.Time) Wish {
	switch {
	case t.IsZero():
	case w.Ensuing && len(w.Dates) == 1:
		day := DateOf(t)
		ahead := (int(w.Dates[0].Weekday())-int(day.Weekday())+6)%7 + 1
		w.Dates, w.Ensuing = []Date{day.Add(ahead)}, false
	case w.Later.Abs() >= 24*time.Hour:
		w.Dates, w.Later = []Date{DateOf(t.Add(w.Later))}, 0
	case w.Later != 0:
		t = t.Add(w.Later)
		minute := t.Hour()*60 + t.Minute()
		w.Dates, w.Clock, w.Later = []Date{DateOf(t)}, Clock{From: minute, To: minute}, 0
		if minute == 0 { // the zero Clock would be none
			w.Dates, w.Clock = []Date{w.Dates[0].Add(-1)}, Clock{From: Day, To: Day}
		}
	}
	return w
}

// Over returns the wish completed by an earlier one: "at 4" after "tomorrow".
func (w Wish) Over(earlier Wish) Wish {
	if len(w.Dates) == 0 {
		w.Dates = earlier.Dates
	}
	switch {
	case !w.HasClock():
		w.Clock = earlier.Clock
	case w.Exact() && earlier.HasClock() && !earlier.Exact() && !earlier.Clock.Half:
		w.Clock = w.Clock.within(earlier.Clock)
	}
	return w
}

// within returns the clock in that half of the day which lies in a part of the day: "at 9" after "in the
// evening". It is unchanged if both or none do.
func (c Clock) within(part Clock) Clock {
	in := slices.DeleteFunc(c.Clocks(),
		func(half Clock) bool { return half.From < part.From || half.From > part.To })
	if len(in) != 1 {
		return c
	}
	return in[0]
}

// Clocks returns the readings of an ambiguous clock, likelier first: 1 to 6 o'clock usually means the
// afternoon.
func (c Clock) Clocks() []Clock {
	other := c
	other.Half = false
	if !c.Half {
		return []Clock{other}
	}
	as := other
	if other.From > 0 || c.From == c.To {
		other.From += Day / 2
	}
	if other.To < Day-1 {
		other.To += Day / 2
	}
	first := c.From
	if first == 0 {
		first = c.To
	}
	if first < 7*60 {
		return []Clock{other, as}
	}
	return []Clock{as, other}
}

// dates sorts dates and removes duplicates.
func dates(all []Date) []Date {
	slices.SortFunc(all, Date.Compare)
	return slices.Compact(all)
}
