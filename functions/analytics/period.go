package analytics

import (
	"time"

	"frontdesk/shared/counter"
	"frontdesk/shared/fault"
)

// periodText describes the period in the endpoints' descriptions.
const periodText = "The period is of whole days in UTC, from the day of `since` to the day of `until`, " +
	"both included; without `until` to " +
	"today, without `since` it has 30 days."

// defaultDays is the number of days of a period without a beginning and a length.
const defaultDays = 30

// maxDays is the most days of a period, about ten years. Each day is one item to read.
const maxDays = 3660

type periodIn struct {
	AgentID int64  `path:"agent_id"`
	Since   string `query:"since" check:"format=day" doc:"A date, or a time of which the day in UTC counts; ISO 8601." example:"2026-03-01"`
	Until   string `query:"until" check:"format=day" doc:"A date, or a time of which the day in UTC counts; ISO 8601." example:"2026-03-30"`
}

// A period is a span of whole days in UTC, given by the midnights of its first and its last day.
type period struct{ first, last time.Time }

// String returns the period as the API shows it.
func (p period) String() string { return counter.Date(p.first) + " / " + counter.Date(p.last) }

// period returns the requested period. days is its length if the request has no beginning.
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
	// The error names the field to change: until if it was sent, otherwise since.
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
