package when

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"frontdesk/shared/language"
	"frontdesk/shared/text"
)

// Write returns a time as people of a language write it, with day and time in its own zone: "Friday, 27
// November at 15:00". English in an American zone is "Friday, November 27 at 3:00 PM".
func Write(tag string, t time.Time) string {
	d := language.Of(tag).Dates()
	form := d.Moment
	if t.Hour() == 1 && d.MomentAtOne != "" {
		form = d.MomentAtOne
	}
	return strings.NewReplacer("{day}", WriteDay(tag, t), "{clock}", WriteClock(tag, t)).Replace(form)
}

// WriteDay returns the date of a time without its year: "Friday, 27 November".
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

// WriteWeekday returns the day of the week of a time: "Friday".
func WriteWeekday(tag string, t time.Time) string {
	return text.Capital(shown(lexiconOf(tag).Weekdays, (int(t.Weekday())+6)%7))
}

// WriteNumbers returns the day and month of a time as short numbers: "27/11".
func WriteNumbers(tag string, t time.Time) string {
	if lexiconOf(tag).american(t.Location()) {
		return t.Format("1/2")
	}
	return t.Format("2/1")
}

// WriteTime returns the time of day without a word such as o'clock.
func WriteTime(tag string, t time.Time) string { return writeClock(tag, t) }

// WriteClock returns the time of day, with a word such as o'clock if the language uses one.
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

// WriteSpans returns the hours of a day as people of a language write them: "12:00–14:30, 18:00–22:30".
func WriteSpans(tag string, d Date, spans []Span, zone *time.Location) string {
	var all []string
	for _, s := range spans {
		from, _ := d.At(s.From, zone)
		to, _ := d.At(s.To, zone)
		all = append(all, writeClock(tag, from)+"–"+WriteClock(tag, to))
	}
	return strings.Join(all, ", ")
}

// american reports whether English is written in the American way in a zone.
func (l *lexicon) american(zone *time.Location) bool {
	return l.MonthFirst &&
		(strings.HasPrefix(zone.String(), "America/") || strings.HasPrefix(zone.String(), "US/"))
}

// shown returns the first phrase of the i-th group.
func shown(groups string, i int) string {
	group := strings.Split(groups, ";")[i]
	first, _, _ := strings.Cut(group, ",")
	return strings.TrimSpace(first)
}

// WriteWeek returns the hours of a week, with a line for each run of days from Monday on with the same
// hours: "Monday–Friday: 09:00–18:00". closed is the text for days without hours.
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
