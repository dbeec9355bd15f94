package assistant

import (
	"context"
	"time"
	_ "time/tzdata" // Lambda's machines have no time zones

	"frontdesk/shared/ai"
	"frontdesk/shared/booking/when"
)

// Hours is the intent of a question whether the business is open at this moment.
const Hours = "hours"

// hours takes up a question whether the business is open right now, where it has said when it is.
func (s *state) hours(context.Context) (*decision, error) {
	p := s.phrasing()
	if s.agent.AIModel != ai.Builtin || !s.reading.Asks || !s.says(p.open) || !s.says(p.now) {
		return nil, nil
	}
	open, known := s.open()
	if !known {
		return nil, nil
	}
	words := s.wording().closed
	if open {
		words = s.wording().open
	}
	return &decision{reply: s.reply(ai.Respond, Hours, s.append(words, s.agent.KnownHours()))}, nil
}

// open reports whether the business is open at the moment, and whether that is known.
func (s *state) open() (open, known bool) {
	hours := when.ParseHours(s.language(), s.agent.KnownHours())
	zone, err := time.LoadLocation(s.agent.Timezone)
	if err != nil || !hours.Known() || len(hours.Unread) > 0 {
		return false, false
	}
	now := s.now.In(zone)
	today, minute := when.DateOf(now), now.Hour()*60+now.Minute()
	for _, span := range hours.On(today) {
		open = open || span.From <= minute && minute < span.To
	}
	for _, span := range hours.On(today.Add(-1)) { // past midnight
		open = open || minute+when.Day < span.To
	}
	return open, true
}

// closing adds to a reply that promises a person, or that does not know, that nobody is there now, in the business's
// words.
func (s *state) closing(reply *ai.Reply) {
	if reply.Action != ai.Handoff && reply.Action != ai.Fallback || s.agent.OutOfHoursMessage == "" {
		return
	}
	if open, known := s.open(); known && !open {
		reply.Text = s.append(reply.Text, s.agent.OutOfHoursMessage)
	}
}
