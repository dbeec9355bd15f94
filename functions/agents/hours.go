package agents

import (
	"fmt"
	"strings"
	"time"

	"frontdesk/shared/agent"
	"frontdesk/shared/when"
)

// An OpeningTime is an interval of a weekday in which the business is open.
type OpeningTime struct {
	Day  Weekday `json:"day" example:"monday"`
	From string  `json:"from" example:"09:00"`
	To   string  `json:"to" doc:"24:00 is the end of the day. A time before from is one of the next day." example:"18:00"`
}

// A Weekday is the English name of a weekday in lower case.
type Weekday string

// Values returns the weekdays, Monday first.
func (Weekday) Values() []string {
	names := make([]string, 0, 7)
	for i := range 7 {
		names = append(names, string(weekdayOf(i)))
	}
	return names
}

// weekdayOf returns the weekday i days after Monday.
func weekdayOf(i int) Weekday { return Weekday(strings.ToLower(dayOf(i).String())) }

func dayOf(i int) time.Weekday { return (time.Monday + time.Weekday(i)) % 7 }

// openingTimes returns the weekly opening hours as they were parsed, Monday first. It is never nil.
func openingTimes(a *agent.Agent) []OpeningTime {
	times := []OpeningTime{}
	hours := when.ParseHours(string(a.Language), a.KnownHours())
	for i := range 7 {
		for _, span := range hours.Weekly(dayOf(i)) {
			times = append(times, OpeningTime{Day: weekdayOf(i), From: clock(span.From), To: clock(span.To)})
		}
	}
	return times
}

// clock formats a minute of a day as 15:04. Minutes above 24:00 are those of the next day; 24:00 stays.
func clock(minute int) string {
	if minute > when.Day {
		minute -= when.Day
	}
	return fmt.Sprintf("%02d:%02d", minute/60, minute%60)
}
