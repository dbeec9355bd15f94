// Package when reads what people write about times: the day and the hour that somebody wishes for, "tomorrow
// at 3", and the opening hours that a business states, "Mon-Fri 9-18". It writes times too.
//
// What it knows of a language stands in tables.go. The libraries that were looked at fall short of what a
// front desk needs: olebedev/when reads "tomorrow at 3" as tomorrow at this hour and "the day after tomorrow
// at noon" as tomorrow, in five languages, with regular expressions that are compiled at every start of a
// process; go-dateparser takes 150 ms and 95 MB there and reads neither "Friday morning" nor "half past
// three". All of them return one moment, where "Friday morning" is a period and what "at 3" means depends on
// when the business is open.
package when

import (
	"fmt"
	"slices"
	"time"
)

// A Date is a day of the calendar, whatever the time zone. The zero Date is none.
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

// DateOf is the day of a moment in its own zone.
func DateOf(t time.Time) Date {
	y, m, d := t.Date()
	return Date{y, m, d}
}

func (d Date) utc() time.Time { return time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, time.UTC) }

// Add is the day so many days later.
func (d Date) Add(days int) Date { return DateOf(d.utc().AddDate(0, 0, days)) }

// Weekday is its day of the week.
func (d Date) Weekday() time.Weekday { return d.utc().Weekday() }

// Compare is negative when d is before e, 0 when they are the same, else positive.
func (d Date) Compare(e Date) int { return d.utc().Compare(e.utc()) }

// String is the day after ISO 8601.
func (d Date) String() string { return fmt.Sprintf("%04d-%02d-%02d", d.Year, d.Month, d.Day) }

// valid reports whether the calendar has the day.
func (d Date) valid() bool {
	return 1970 <= d.Year && d.Year <= 2999 && 1 <= d.Month && d.Month <= 12 && 1 <= d.Day &&
		DateOf(d.utc()) == d
}

// Day is the length of a day in minutes.
const Day = 24 * 60

// At is the moment at which clocks in the zone show a minute of the day, and whether they show it: where they
// are put forward an hour is missing. Where they are put back it is the first of two. A minute past Day is in
// the day after.
func (d Date) At(minute int, zone *time.Location) (time.Time, bool) {
	d, minute = d.Add(minute/Day), minute%Day
	t := time.Date(d.Year, d.Month, d.Day, minute/60, minute%60, 0, 0, zone)
	if earlier := t.Add(-time.Hour); earlier.Hour() == t.Hour() && earlier.Minute() == t.Minute() {
		t = earlier
	}
	return t, t.Hour() == minute/60 && t.Minute() == minute%60
}

// A Clock is a time of the day: the minutes From to To, both included, in which something is to begin. They
// are equal where one time is named. The zero Clock is none.
type Clock struct {
	From, To int
	// Half tells that it may mean the half of the day that is not named: 3 o'clock, which may be 15:00.
	Half bool
}

// A Wish is what a text says about a time.
type Wish struct {
	Dates []Date // the days that it names, in order; none where it names no day
	Clock Clock
	// Weekday tells that the days are named as days of the week alone, which there are every week.
	Weekday bool
	// Later is how much later than now that is, where the text may as well mean later than a time that was
	// spoken of: "an hour later". 0 for other texts.
	Later time.Duration
	// Ensuing tells that the day of the week is the one after a day that was spoken of: "the Tuesday after".
	Ensuing bool
	// NoSuchDay tells that a day is named which no calendar has: the 31st of November. It is not among the
	// Dates.
	NoSuchDay bool
	// Soonest tells that any time will do, the sooner the better.
	Soonest bool
	// Said are the places of the text that speak of a time, in order.
	Said []Range
}

// Number reads a text that is a number and nothing else, in digits or as a word of the language.
func Number(language, text string) (n int, ok bool) {
	l := lexiconOf(language)
	r := &reader{lexicon: l, text: text, words: l.tokens(text)}
	n, words := r.number(0)
	return n, words > 0 && words == len(r.words)
}

// A Range is a part of a text by its bytes, from Start to before End.
type Range struct{ Start, End int }

// Empty reports whether the text says nothing about a time.
func (w Wish) Empty() bool { return len(w.Dates) == 0 && w.Clock == Clock{} && !w.Soonest }

// HasClock reports whether the text says something about the time of the day.
func (w Wish) HasClock() bool { return w.Clock != Clock{} }

// Exact reports whether one time of the day is named.
func (w Wish) Exact() bool { return w.HasClock() && w.Clock.From == w.Clock.To }

// From is the wish where what it is later than, if that is what it says, is a time that was spoken of.
func (w Wish) From(t time.Time) Wish {
	switch {
	case t.IsZero():
	case w.Ensuing && len(w.Dates) == 1:
		day := DateOf(t)
		ahead := (int(w.Dates[0].Weekday())-int(day.Weekday())+6)%7 + 1
		w.Dates, w.Ensuing = []Date{day.Add(ahead)}, false
	case w.Later >= 24*time.Hour:
		w.Dates, w.Later = []Date{DateOf(t.Add(w.Later))}, 0
	case w.Later > 0:
		t = t.Add(w.Later)
		minute := t.Hour()*60 + t.Minute()
		w.Dates, w.Clock, w.Later = []Date{DateOf(t)}, Clock{From: minute, To: minute}, 0
		if minute == 0 { // which would be no clock at all
			w.Dates, w.Clock = []Date{w.Dates[0].Add(-1)}, Clock{From: Day, To: Day}
		}
	}
	return w
}

// Over is the wish with what an earlier one says and it does not: "at 4" after "tomorrow".
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

// within is the clock in the half of the day that lies in a part of the day: "at 9" after "in the evening".
// One that lies in it with both halves or with none stays open.
func (c Clock) within(part Clock) Clock {
	in := slices.DeleteFunc(c.Clocks(),
		func(half Clock) bool { return half.From < part.From || half.From > part.To })
	if len(in) != 1 {
		return c
	}
	return in[0]
}

// Clocks are the times of the day that the clock may mean, the likelier first: what somebody says about 1 to
// 6 o'clock they mostly say about the afternoon.
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

// dates sorts days and drops those that come twice.
func dates(all []Date) []Date {
	slices.SortFunc(all, Date.Compare)
	return slices.Compact(all)
}
