package skill

import (
	"time"

	"frontdesk/shared/when"
)

// Stated returns the opening hours that the business has stated and their time zone, and whether any could
// be read. Hours.Sure reports for which days.
func (s *State) Stated() (hours when.Hours, zone *time.Location, known bool) {
	hours = when.ParseHours(s.Language(), s.Agent.KnownHours())
	zone, err := time.LoadLocation(s.Agent.Timezone)
	return hours, zone, err == nil && hours.Known()
}

// Open reports whether the business is open now, and whether that is known.
func (s *State) Open() (open, known bool) {
	hours, zone, known := s.Stated()
	if !known {
		return false, false
	}
	now := s.Now.In(zone)
	today, minute := when.DateOf(now), now.Hour()*60+now.Minute()
	if !hours.Sure(today) {
		return false, false
	}
	for _, span := range hours.On(today) {
		open = open || span.From <= minute && minute < span.To
	}
	for _, span := range hours.On(today.Add(-1)) { // hours past midnight
		open = open || minute+when.Day < span.To
	}
	return open, true
}

// Zone returns the agent's time zone, or UTC if it is missing or unknown.
func (s *State) Zone() *time.Location {
	if zone, err := time.LoadLocation(s.Agent.Timezone); err == nil {
		return zone
	}
	return time.UTC
}
