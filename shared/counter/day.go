package counter

import (
	"context"
	"time"

	"frontdesk/shared/agent"
	"frontdesk/shared/table"
)

// Date returns the UTC date of a time, such as 2026-03-02.
func Date(at time.Time) string { return at.UTC().Format(time.DateOnly) }

// Days are counts by date. A day without counts may be missing.
type Days map[string]Counts

// Sum returns the sums over all days.
func (d Days) Sum() Counts {
	sum := Counts{}
	for _, counts := range d {
		for name, n := range counts {
			sum[name] += n
		}
	}
	return sum
}

// queryDays is how many days one query reads. They fit into the 1 MB of a request even if every item has all
// numbers, which take 620 bytes.
const queryDays = 183

// OfDays reads the counts of an agent's UTC days from the day of first to that of last. It takes one round
// trip; long periods are read by concurrent queries. It returns agent.ErrNotFound if the workspace has no
// such agent.
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
