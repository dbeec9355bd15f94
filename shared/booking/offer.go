package booking

import (
	"time"

	"frontdesk/shared/conversation"
	"frontdesk/shared/frame"
	"frontdesk/shared/when"
)

// choices returns the possible answers to the agent's last question as buttons; nil if they are not limited.
func (d *Dialog) choices() []conversation.Choice {
	switch d.state.Step {
	case frame.AskedService:
		return conversation.Choices(d.serviceNames()...)
	case frame.Offered:
		return d.timeChoices(d.state.Offers, nil)
	case frame.AskedWhich:
		var starts []time.Time
		var titles []string
		for _, id := range d.state.Own {
			for _, b := range d.agenda.Busy {
				if b.ID == id {
					starts, titles = append(starts, b.Start), append(titles, b.Title)
				}
			}
		}
		return d.timeChoices(starts, titles)
	case frame.AskedConfirm, frame.AskedCancel:
		return conversation.YesNo(d.Language)
	}
	return nil
}

// timeChoices returns choices for times, with titles if given. Labels have the day of the week and the time,
// or the date if two days have the same name.
func (d *Dialog) timeChoices(times []time.Time, titles []string) []conversation.Choice {
	var days []string
	for _, t := range times {
		days = append(days, when.WriteWeekday(d.Language, t.In(d.Zone)))
	}
	if !d.distinct(times, days) {
		for i, t := range times {
			days[i] = when.WriteNumbers(d.Language, t.In(d.Zone))
		}
	}
	var all []conversation.Choice
	for i, t := range times {
		c := conversation.Choice{
			Label: days[i] + " " + when.WriteTime(d.Language, t.In(d.Zone)), Value: d.write(t),
		}
		if titles != nil {
			c.Label += ", " + titles[i]
		}
		all = append(all, c)
	}
	return all
}

// distinct reports whether each of the days' names stands for one date only.
func (d *Dialog) distinct(times []time.Time, days []string) bool {
	on := map[string]when.Date{}
	for i, t := range times {
		day := when.DateOf(t.In(d.Zone))
		if other, known := on[days[i]]; known && other != day {
			return false
		}
		on[days[i]] = day
	}
	return true
}
