package agents

import (
	"fmt"
	"strings"
	"time"

	"frontdesk/shared/agent"
	"frontdesk/shared/when"
)

// An OpeningTime is a time of a day of the week at which the business is open.
type OpeningTime struct {
	Day  Weekday `json:"day" example:"monday"`
	From string  `json:"from" example:"09:00"`
	To   string  `json:"to" doc:"24:00 is the end of the day. A time before from is one of the next day." example:"18:00"`
}

// A Weekday is a day of the week by its English name.
type Weekday string

// Values lists the days, Monday first.
func (Weekday) Values() []string {
	names := make([]string, 0, 7)
	for i := range 7 {
		names = append(names, string(weekdayOf(i)))
	}
	return names
}

// weekdayOf is the day so many days after a Monday.
func weekdayOf(i int) Weekday { return Weekday(strings.ToLower(dayOf(i).String())) }

func dayOf(i int) time.Weekday { return (time.Monday + time.Weekday(i)) % 7 }

// openingTimes are the opening hours of each day of the week, as they were understood.
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

// clock is a minute of a day as 15:04. Minutes past midnight are those of the next day.
func clock(minute int) string {
	if minute > when.Day {
		minute -= when.Day
	}
	return fmt.Sprintf("%02d:%02d", minute/60, minute%60)
}
