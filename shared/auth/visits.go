package auth

import (
	"strconv"
	"time"

	"frontdesk/shared/table"
)

// Visits are counts of one network in the chat boxes of a workspace.
type Visits struct {
	Messages int64 // of a day
	Sessions int64 // begun in a day
	Replies  int64 // AI replies of a period
}

// Attributes of a visits item. Those of a day have the day as suffix.
const (
	visitMessages = "messages/"
	visitSessions = "sessions/"
	visitReplies  = "replies"
)

// NextDay returns when the counts of a day are reset: the next midnight in UTC.
func NextDay(now time.Time) time.Time { return now.UTC().Truncate(24 * time.Hour).Add(24 * time.Hour) }

// dayNumber returns the number of the day in UTC.
func dayNumber(now time.Time) string { return strconv.FormatInt(now.Unix()/86400, 10) }

// VisitsIn returns the counts in an item of VisitsKey, of the current day and period.
func VisitsIn(item table.Item, now time.Time) Visits {
	day := dayNumber(now)
	return Visits{item.Numbers[visitMessages+day], item.Numbers[visitSessions+day],
		item.Numbers[visitReplies]}
}

// CountVisits returns the write that adds visits, which may be negative, to those of a network. Its condition
// fails above a limit of the plan.
func (a Account) CountVisits(plan Plan, network string, now time.Time, v Visits) table.Write {
	w := table.Write{
		Op: table.OpAdd, Item: table.Item{Key: a.VisitsKey(network, now)},
		Add: map[string]int64{}, AtMost: map[string]int64{},
	}
	w.Item.Expires = a.PeriodAt(now).Ends.Truncate(time.Second).Add(time.Second)
	day := dayNumber(now)
	for _, part := range []struct {
		name   string
		n, max int64
	}{
		{visitMessages + day, v.Messages, plan.Visitor.Messages},
		{visitSessions + day, v.Sessions, plan.Visitor.Sessions},
		{visitReplies, v.Replies, plan.Visitor.Replies},
	} {
		if part.n != 0 {
			w.Add[part.name] = part.n
		}
		if part.n > 0 && part.max > 0 {
			w.AtMost[part.name] = part.max
		}
	}
	return w
}
