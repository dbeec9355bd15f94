package when

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"frontdesk/shared/language"
	"frontdesk/shared/text"
)

// Write is a moment as people of a language write it, day and time, in the zone that it has: "Friday, 27
// November at 15:00". Where the business is in America an English one is "Friday, November 27 at 3:00 PM".
func Write(tag string, t time.Time) string {
	d := language.Of(tag).Dates()
	form := d.Moment
	if t.Hour() == 1 && d.MomentAtOne != "" {
		form = d.MomentAtOne
	}
	return strings.NewReplacer("{day}", WriteDay(tag, t), "{clock}", WriteClock(tag, t)).Replace(form)
}

// WriteDay is the day of a moment without its year: "Friday, 27 November".
func WriteDay(tag string, t time.Time) string {
	l, d := lexiconOf(tag), language.Of(tag).Dates()
	form := d.Day
	switch {
	case d.AmericanDay != "" && l.american(t.Location()):
		form = d.AmericanDay
	case d.FirstDay != "" && t.Day() == 1:
		form = d.FirstDay
	}
	return strings.NewReplacer(
		"{weekday}", shown(l.Weekdays, (int(t.Weekday())+6)%7),
		"{number}", strconv.Itoa(t.Day()),
		"{month}", shown(l.Months, int(t.Month())-1),
	).Replace(form)
}

// WriteWeekday is the day of the week of a moment: "Friday".
func WriteWeekday(tag string, t time.Time) string {
	return text.Capital(shown(lexiconOf(tag).Weekdays, (int(t.Weekday())+6)%7))
}

// WriteNumbers is the day and the month of a moment in numbers, as short as it can be: "27/11".
func WriteNumbers(tag string, t time.Time) string {
	if lexiconOf(tag).american(t.Location()) {
		return t.Format("1/2")
	}
	return t.Format("2/1")
}

// WriteTime is the time of day of a moment without a word such as o'clock.
func WriteTime(tag string, t time.Time) string { return writeClock(tag, t) }

// WriteClock is the time of day of a moment.
func WriteClock(tag string, t time.Time) string {
	return strings.TrimSpace(writeClock(tag, t) + " " + language.Of(tag).Dates().ClockUnit)
}

func writeClock(tag string, t time.Time) string {
	d := language.Of(tag).Dates()
	if d.AmericanClock != "" && lexiconOf(tag).american(t.Location()) {
		return t.Format(d.AmericanClock)
	}
	return t.Format(d.Clock)
}

// WriteSpans are the hours of a day, as people of a language write them: "12:00–14:30, 18:00–22:30".
func WriteSpans(tag string, d Date, spans []Span, zone *time.Location) string {
	var all []string
	for _, s := range spans {
		from, _ := d.At(s.From, zone)
		to, _ := d.At(s.To, zone)
		all = append(all, writeClock(tag, from)+"–"+WriteClock(tag, to))
	}
	return strings.Join(all, ", ")
}

// american reports whether English is written there as in America.
func (l *lexicon) american(zone *time.Location) bool {
	return l.MonthFirst &&
		(strings.HasPrefix(zone.String(), "America/") || strings.HasPrefix(zone.String(), "US/"))
}

// shown is the first phrase of a group.
func shown(groups string, i int) string {
	group := strings.Split(groups, ";")[i]
	first, _, _ := strings.Cut(group, ",")
	return strings.TrimSpace(first)
}

// WriteWeek are the hours of a week, a line for each run of days from Monday on that have the same:
// "Monday–Friday: 09:00–18:00". Closed is what stands for the hours of a day without any.
func WriteWeek(tag string, h Hours, monday Date, zone *time.Location, closed string) string {
	l := lexiconOf(tag)
	var lines []string
	for from := 0; from < 7; {
		spans := h.week[(from+1)%7]
		to := from
		for to+1 < 7 && slices.Equal(h.week[(to+2)%7], spans) {
			to++
		}
		days := shown(l.Weekdays, from)
		if to > from {
			days += "–" + shown(l.Weekdays, to)
		}
		hours := WriteSpans(tag, monday.Add(from), spans, zone)
		if len(spans) == 0 {
			hours = closed
		}
		lines = append(lines, days+": "+hours)
		from = to + 1
	}
	return strings.Join(lines, "\n")
}
