package when

import (
	"fmt"
	"strings"
	"time"
)

// Write is a moment as people of a language write it, day and time, in the zone that it has: "Friday, 27 November at
// 15:00". Where the business is in America an English one is "Friday, November 27 at 3:00 PM".
func Write(language string, t time.Time) string {
	d, clock := WriteDay(language, t), WriteClock(language, t)
	switch l := lexiconOf(language); l.tag {
	case "en":
		return d + " at " + clock
	case "es":
		if t.Hour() == 1 {
			return d + " a la " + clock
		}
		return d + " a las " + clock
	case "fr":
		return d + " à " + clock
	case "de":
		return d + " um " + clock
	case "it":
		if t.Hour() == 1 {
			return d + " all'" + clock
		}
		return d + " alle " + clock
	case "pt":
		if t.Hour() == 1 {
			return d + " à " + clock
		}
		return d + " às " + clock
	case "nl":
		return d + " om " + clock
	case "sv", "da", "no":
		return d + " kl. " + clock
	case "fi":
		return d + " klo " + clock
	case "ro":
		return d + ", ora " + clock
	case "ru":
		return d + ", " + clock
	case "tr":
		return d + " saat " + clock
	case "ar":
		return d + " الساعة " + clock
	}
	return d + " " + clock
}

// WriteDay is the day of a moment without its year: "Friday, 27 November".
func WriteDay(language string, t time.Time) string {
	l := lexiconOf(language)
	name, m := l.dayName(t.Weekday()), shown(l.months, int(t.Month())-1)
	switch l.tag {
	case "en":
		if l.american(t.Location()) {
			return fmt.Sprintf("%s, %s %d", name, m, t.Day())
		}
		return fmt.Sprintf("%s, %d %s", name, t.Day(), m)
	case "es":
		return fmt.Sprintf("%s %d de %s", strings.ToLower(name), t.Day(), m)
	case "pt":
		return fmt.Sprintf("%s, %d de %s", name, t.Day(), m)
	case "fr":
		if t.Day() == 1 {
			return fmt.Sprintf("%s 1er %s", name, m)
		}
	case "de":
		return fmt.Sprintf("%s, %d. %s", name, t.Day(), m)
	case "da":
		return fmt.Sprintf("%s den %d. %s", name, t.Day(), m)
	case "no", "fi":
		return fmt.Sprintf("%s %d. %s", name, t.Day(), m)
	case "ro", "ru":
		return fmt.Sprintf("%s, %d %s", name, t.Day(), m)
	case "hu":
		return fmt.Sprintf("%s %d., %s", m, t.Day(), name)
	case "tr":
		return fmt.Sprintf("%d %s %s", t.Day(), m, name)
	}
	return fmt.Sprintf("%s %d %s", name, t.Day(), m)
}

// WriteClock is the time of day of a moment.
func WriteClock(language string, t time.Time) string {
	switch l := lexiconOf(language); l.tag {
	case "en":
		if l.american(t.Location()) {
			return t.Format("3:04 PM")
		}
	case "fr":
		return t.Format("15h04")
	case "de":
		return t.Format("15:04") + " Uhr"
	case "da", "fi":
		return t.Format("15.04")
	}
	return t.Format("15:04")
}

// WriteSpans are the hours of a day, as people of a language write them: "12:00–14:30, 18:00–22:30".
func WriteSpans(language string, d Date, spans []Span, zone *time.Location) string {
	var all []string
	for _, s := range spans {
		from, _ := d.At(s.From, zone)
		to, _ := d.At(s.To, zone)
		begin, _ := strings.CutSuffix(WriteClock(language, from), " Uhr") // which is said once, at the end
		all = append(all, begin+"–"+WriteClock(language, to))
	}
	return strings.Join(all, ", ")
}

// american reports whether English is written there as in America.
func (l *language) american(zone *time.Location) bool {
	return l.monthFirst && (strings.HasPrefix(zone.String(), "America/") || strings.HasPrefix(zone.String(), "US/"))
}

func (l *language) dayName(d time.Weekday) string { return shown(l.weekdays, (int(d)+6)%7) }

// shown is the first phrase of a group.
func shown(groups string, i int) string {
	group := strings.Split(groups, ";")[i]
	first, _, _ := strings.Cut(group, ",")
	return strings.TrimSpace(first)
}
