// Package booking arranges appointments in a chat: it finds times that are free, and talks with a contact
// until one is chosen, moved or cancelled. What it decides is for the caller to store; it reads and writes
// nothing by itself.
//
// A turn goes like this. Begin looks whether the message belongs to a booking. The caller then reads what
// takes the agent's time in the Window (appointment.Store.Busy), after it has read the item under
// appointment.ReservedKey, and calls Decide. It stores the Outcome in one transaction: what
// appointment.Store.Book or Revise return, and with a time that is taken also appointment.Reserve with the
// item that it read before. Of two who take one time at the same moment the second fails there, reads anew,
// and is offered others.
package booking

import (
	"slices"
	"time"

	"frontdesk/shared/appointment"
	"frontdesk/shared/when"
)

const (
	// lead is how long before it begins an appointment can be made.
	lead = 30 * time.Minute
	// horizon is how far ahead an appointment can be made.
	horizon = 90 * 24 * time.Hour
	// usual is how long an appointment lasts unless its service says something else.
	usual = 30 * time.Minute
	// choices is how many times are offered.
	choices = 3
)

// An Agenda is an agent's time. One appointment is possible at a time.
type Agenda struct {
	Hours when.Hours
	Zone  *time.Location
	Now   time.Time
	Busy  []appointment.Busy
	// Moving is the appointment whose own time is free for it, 0 for none.
	Moving int64
	// About is a time that was spoken of: a clock that may mean two times means the one near it. Zero for
	// none.
	About  time.Time
	Length time.Duration
	// Within is how much of the length must lie in the opening hours; 0 for all of it. Guests at a table may
	// stay.
	Within time.Duration
}

// Free reports whether an appointment can begin at a moment. Where the hours are not known only what is taken
// counts.
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

// open reports whether the business is open all the time from start to end.
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

// step is how far the times lie apart that are offered.
func (a Agenda) step() int {
	if a.Length < usual {
		return 15
	}
	return 30
}

// on are the free times of a day, in order, that begin within the clock.
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

// On are the free times of a day, in order.
func (a Agenda) On(d when.Date) []time.Time { return a.on(d, when.Clock{}) }

// meant is what a clock means on a day: the likelier of its halves in which the business is open then.
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

// At is the one moment that a wish names.
func (a Agenda) At(w when.Wish) (time.Time, bool) {
	if len(w.Dates) != 1 || !w.Exact() {
		return time.Time{}, false
	}
	return w.Dates[0].At(a.meant(w.Dates[0], w.Clock).From, a.Zone)
}

// Near are free times for a wish, three at most and in order: what it asks for, or else what comes closest to
// it. Fits tells that they are what it asks for.
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

// target is the moment in the middle of what a wish asks for.
func (a Agenda) target(w when.Wish) time.Time {
	c := a.meant(w.Dates[0], w.Clock)
	t, _ := w.Dates[0].At((c.From+c.To)/2, a.Zone)
	return t
}

// ahead are free times from a day on: one a day where the wish names a time of day, else the next ones.
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

// spread takes times out of all of them, with like distances.
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

// nearby is how far from the time that was wished for others are offered, as long as there is one so close:
// who wants to come in the evening does not want to come at noon.
const nearby = 3 * time.Hour

// near takes the times that lie closest to a moment.
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
