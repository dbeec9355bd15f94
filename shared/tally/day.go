package tally

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

// OfDays reads the counts of an agent's days from the first to the last, both given by a moment in them, in UTC. It takes
// one trip for each MB of them: about a year's where something is counted every day. agent.ErrNotFound where the
// workspace has no such agent.
func OfDays(ctx context.Context, t table.Table, account, agentID int64, first, last time.Time) (Days, error) {
	from, to := table.DayKey(account, agentID, Date(first), 0), table.DayKey(account, agentID, Date(last), shards-1)
	var page table.Page
	err := table.Together(ctx, func(ctx context.Context) error {
		_, err := (&agent.Store{Table: t}).LoadSummary(ctx, account, agentID)
		return err
	}, func(ctx context.Context) (err error) {
		page, err = t.Query(ctx, table.Query{PK: from.PK, From: from.SK, To: to.SK})
		return err
	})
	if err != nil {
		return nil, err
	}
	days := Days{}
	for _, item := range page.Items {
		date, err := table.ReadDayKey(item.Key)
		if err != nil {
			return nil, err
		}
		if days[date] == nil {
			days[date] = Counts{}
		}
		days[date].add(item)
	}
	return days, nil
}
