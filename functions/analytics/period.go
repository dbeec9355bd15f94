package analytics

import (
	"time"

	"frontdesk/shared/counter"
	"frontdesk/shared/fault"
)

// periodText tells of the period in the descriptions of the endpoints.
const periodText = "The period is of whole days in UTC, from the day of `since` to the day of `until`, " +
	"both included; without `until` to " +
	"today, without `since` it has 30 days."

// defaultDays is how many days a period has that says neither where it begins nor how long it is.
const defaultDays = 30

// maxDays is how many days a period may have: ten years.
const maxDays = 3660

type periodIn struct {
	AgentID int64  `path:"agent_id"`
	Since   string `query:"since" check:"format=day" doc:"A date, or a time of which the day in UTC counts; ISO 8601." example:"2026-03-01"`
	Until   string `query:"until" check:"format=day" doc:"A date, or a time of which the day in UTC counts; ISO 8601." example:"2026-03-30"`
}

// A period is the days, in UTC, from the first to the last, both included and told by their midnights.
type period struct{ first, last time.Time }

// String is the period as the API tells it.
func (p period) String() string { return counter.Date(p.first) + " / " + counter.Date(p.last) }

// period is the one that a request asks for. Where it does not say when that begins it has a number of days.
func (in periodIn) period(now time.Time, days int) (period, error) {
	p := period{last: now.UTC().Truncate(24 * time.Hour)}
	var err error
	if in.Until != "" {
		if p.last, err = time.Parse(time.DateOnly, in.Until); err != nil {
			return period{}, err
		}
	}
	p.first = p.last.AddDate(0, 0, 1-days)
	if in.Since != "" {
		if p.first, err = time.Parse(time.DateOnly, in.Since); err != nil {
			return period{}, err
		}
	}
	switch {
	case p.first.After(p.last) && in.Until != "":
		return period{}, fault.Invalid("until", "The period may not end before it begins.")
	case p.first.After(p.last):
		return period{}, fault.Invalid("since",
			"The period may not begin after today, %s, where until does not say when it ends.",
			counter.Date(p.last))
	case p.first.AddDate(0, 0, maxDays-1).Before(p.last):
		return period{}, fault.Invalid("since", "The period may have at most %d days.", maxDays)
	}
	return p, nil
}
