package counter

import (
	"context"
	"time"

	"frontdesk/shared/agent"
	"frontdesk/shared/table"
)

// Date is the date of the day that a moment is in, in UTC, such as 2026-03-02.
func Date(at time.Time) string { return at.UTC().Format(time.DateOnly) }

// Days are the counts of days, by their dates. A day on which nothing was counted may be missing.
type Days map[string]Counts

// Sum is the counts of all the days together.
func (d Days) Sum() Counts {
	sum := Counts{}
	for _, counts := range d {
		for name, n := range counts {
			sum[name] += n
		}
	}
	return sum
}

// queryDays is how many days one query reads: at most as many as fit a request, which brings 1 MB, when each
// of their items has all numbers there are, in 620 bytes.
const queryDays = 183

// OfDays reads the counts of an agent's days from the first to the last, both given by a moment in them, in
// UTC. It takes one trip: the queries that read longer periods go together. agent.ErrNotFound where the
// workspace has no such agent.
func OfDays(ctx context.Context, t table.Table, account, agentID int64, first, last time.Time) (Days, error) {
	reads := []func(context.Context) error{func(ctx context.Context) error {
		_, err := (&agent.Store{Table: t}).LoadSummary(ctx, account, agentID)
		return err
	}}
	var pages []*table.Page
	end := DayKey(account, agentID, Date(last), shards-1).SK
	for from := first; Date(from) <= Date(last); from = from.AddDate(0, 0, queryDays) {
		key := DayKey(account, agentID, Date(from), 0)
		to := min(end, DayKey(account, agentID, Date(from.AddDate(0, 0, queryDays-1)), shards-1).SK)
		page := new(table.Page)
		pages = append(pages, page)
		reads = append(reads, func(ctx context.Context) (err error) {
			*page, err = t.Query(ctx, table.Query{PK: key.PK, From: key.SK, To: to})
			return err
		})
	}
	if err := table.Parallel(ctx, reads...); err != nil {
		return nil, err
	}
	days := Days{}
	for _, page := range pages {
		for _, item := range page.Items {
			date, err := ReadDayKey(item.Key)
			if err != nil {
				return nil, err
			}
			if days[date] == nil {
				days[date] = Counts{}
			}
			days[date].add(item)
		}
	}
	return days, nil
}
