// Package booking arranges appointments in a chat. It finds free times, and asks the contact until an
// appointment is booked, moved or cancelled. It reads and stores nothing itself.
//
// For each message, the caller calls Begin, which reports whether the message belongs to a booking. The
// caller then reads the item under appointment.ReservedKey and after it the busy times in the Window
// (appointment.Store.Busy), and calls Decide. It stores the Outcome in one transaction: the writes of
// appointment.Store.Book or Revise and, if the outcome takes time, those of appointment.Reserve with the
// item that was read before. If two contacts take the same time concurrently, the second transaction fails;
// its caller reads again and offers other times.
package booking

import (
	"slices"
	"time"

	"frontdesk/shared/appointment"
	"frontdesk/shared/when"
)

const (
	// lead is the least time between booking an appointment and its start.
	lead = 30 * time.Minute
	// horizon is how far ahead appointments can be booked.
	horizon = 90 * 24 * time.Hour
	// usual is the length of an appointment if its service states none.
	usual = 30 * time.Minute
	// choices is the number of times to offer.
	choices = 3
)

// An Agenda computes an agent's free times. Appointments do not overlap.
type Agenda struct {
	Hours when.Hours
	Zone  *time.Location
	Now   time.Time
	Busy  []appointment.Busy
	// Moving is the id of an appointment that is being moved, whose own time counts as free; 0 for none.
	Moving int64
	// About resolves an ambiguous clock time, such as 8 for 8:00 or 20:00, to the one nearer to it. It is
	// the zero Time if no time was mentioned.
	About  time.Time
	Length time.Duration
	// Within is how much of an appointment must lie within the opening hours; 0 for all of it. Guests at a
	// table may stay after closing time.
	Within time.Duration
}

// Free reports whether an appointment can start at a time. If the opening hours are unknown, only other
// appointments are considered.
func (a Agenda) Free(start time.Time) bool {
	end, within := start.Add(a.Length), a.Length
	if a.Within > 0 {
		within = min(within, a.Within)
	}
	if start.Before(a.Now.Add(lead)) || start.After(a.Now.Add(horizon)) || a.Hours.Known() &&
		!a.open(start, start.Add(within)) {
		return false
	}
	return !slices.ContainsFunc(a.Busy, func(b appointment.Busy) bool {
		return b.ID != a.Moving && b.Start.Before(end) && start.Before(b.End)
	})
}

// open reports whether the business is open without a break from start to end.
func (a Agenda) open(start, end time.Time) bool {
	day := when.DateOf(start.In(a.Zone))
	for _, d := range []when.Date{day.Add(-1), day} { // hours may go past midnight
		for _, s := range a.Hours.On(d) {
			from, to := a.span(d, s)
			if !start.Before(from) && !end.After(to) {
				return true
			}
		}
	}
	return false
}

func (a Agenda) span(d when.Date, s when.Span) (from, to time.Time) {
	from, _ = d.At(s.From, a.Zone)
	to, _ = d.At(s.To, a.Zone)
	return from, to
}

// step returns the interval between offered times, in minutes.
func (a Agenda) step() int {
	if a.Length < usual {
		return 15
	}
	return 30
}

// on returns the free start times of a day within a clock, ascending. The zero Clock is the whole day.
func (a Agenda) on(d when.Date, c when.Clock) []time.Time {
	var free []time.Time
	for _, s := range a.Hours.On(d) {
		for m := s.From; m < s.To; m += a.step() {
			if c != (when.Clock{}) && (m%when.Day < c.From || m%when.Day > c.To) {
				continue
			}
			if start, ok := d.At(m, a.Zone); ok && a.Free(start) {
				free = append(free, start)
			}
		}
	}
	return free
}

// On returns the free start times of a day, ascending.
func (a Agenda) On(d when.Date) []time.Time { return a.on(d, when.Clock{}) }

// meant resolves an ambiguous clock on a day: to the likeliest reading at which the business is open, or to
// the likeliest if it is closed at all of them.
func (a Agenda) meant(d when.Date, c when.Clock) when.Clock {
	all := c.Clocks()
	if !a.About.IsZero() {
		from := func(c when.Clock) int { return max(c.From-clockOf(a.About), clockOf(a.About)-c.From) }
		slices.SortStableFunc(all, func(x, y when.Clock) int { return from(x) - from(y) })
	}
	for _, c := range all {
		for _, s := range a.Hours.On(d) {
			if c.From < s.To && c.To >= s.From {
				return c
			}
		}
	}
	return all[0]
}

// At returns the time that a wish names, and false unless it is a single one.
func (a Agenda) At(w when.Wish) (time.Time, bool) {
	if len(w.Dates) != 1 || !w.Exact() {
		return time.Time{}, false
	}
	return w.Dates[0].At(a.meant(w.Dates[0], w.Clock).From, a.Zone)
}

// Near returns at most three free times for a wish, ascending. fits is false if none fits and these are the
// closest instead. It returns none if nothing is free within the horizon.
func (a Agenda) Near(w when.Wish) (times []time.Time, fits bool) {
	if len(w.Dates) == 0 {
		return a.ahead(when.DateOf(a.Now.In(a.Zone)), w), true
	}
	var within, those []time.Time
	for _, d := range w.Dates {
		day := a.on(d, when.Clock{})
		those = append(those, day...)
		c := a.meant(d, w.Clock)
		for _, t := range day {
			if local := t.In(a.Zone); !w.HasClock() || clockOf(local) >= c.From && clockOf(local) <= c.To {
				within = append(within, t)
			}
		}
	}
	switch {
	case w.Exact() && len(within) == 0 && len(those) > 0:
		return near(those, a.target(w)), false
	case len(within) > 0:
		return spread(within), true
	case len(those) > 0:
		return near(those, a.target(w)), false
	}
	return a.ahead(w.Dates[len(w.Dates)-1].Add(1), when.Wish{Clock: w.Clock}), false
}

func clockOf(t time.Time) int { return t.Hour()*60 + t.Minute() }

// target returns the middle of the clock of a wish on its first date.
func (a Agenda) target(w when.Wish) time.Time {
	c := a.meant(w.Dates[0], w.Clock)
	t, _ := w.Dates[0].At((c.From+c.To)/2, a.Zone)
	return t
}

// ahead returns the first free times from a date on: one a day if the wish has a clock, otherwise up to two
// a day.
func (a Agenda) ahead(from when.Date, w when.Wish) []time.Time {
	var times []time.Time
	last := when.DateOf(a.Now.Add(horizon).In(a.Zone))
	for d := from; d.Compare(last) <= 0 && len(times) < choices; d = d.Add(1) {
		var c when.Clock
		if w.HasClock() {
			if c = a.meant(d, w.Clock); c.From == c.To {
				if t, ok := d.At(c.From, a.Zone); ok && a.Free(t) {
					times = append(times, t)
				}
				continue
			}
		}
		day := a.on(d, c)
		switch {
		case len(day) == 0:
		case w.HasClock():
			times = append(times, day[0])
		default:
			times = append(times, spread(day)[:min(len(day), choices, 2)]...)
		}
	}
	return times[:min(len(times), choices)]
}

// spread returns evenly distributed ones of all times.
func spread(all []time.Time) []time.Time {
	if len(all) <= choices {
		return all
	}
	var some []time.Time
	for i := range choices {
		some = append(some, all[i*(len(all)-1)/(choices-1)])
	}
	return some
}

// nearby is the greatest distance of an alternative from the time that the contact named, if there is one
// within it. A contact who asks for the evening is not offered noon.
const nearby = 3 * time.Hour

// near returns the times closest to a time, ascending. all must not be empty.
func near(all []time.Time, to time.Time) []time.Time {
	some := slices.Clone(all)
	slices.SortStableFunc(some, func(a, b time.Time) int { return int(a.Sub(to).Abs() - b.Sub(to).Abs()) })
	some = some[:min(len(some), choices)]
	if some[0].Sub(to).Abs() <= nearby {
		some = slices.DeleteFunc(some, func(t time.Time) bool { return t.Sub(to).Abs() > nearby })
	}
	slices.SortFunc(some, time.Time.Compare)
	return some
}
