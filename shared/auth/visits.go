package auth

import (
	"strconv"
	"time"

	"frontdesk/shared/table"
)

// Visits are what came from one network by the chat boxes of a workspace.
type Visits struct {
	Messages int64 // of a day
	Sessions int64 // begun in a day
	Replies  int64 // AI replies of a period
}

// Numbers of an item of visits. Those of a day are followed by the day.
const (
	visitMessages = "messages/"
	visitSessions = "sessions/"
	visitReplies  = "replies"
)

// NextDay is when the counts of a day begin anew: at midnight in UTC.
func NextDay(now time.Time) time.Time { return now.UTC().Truncate(24 * time.Hour).Add(24 * time.Hour) }

// dayNumber names the day of a moment, in UTC.
func dayNumber(now time.Time) string { return strconv.FormatInt(now.Unix()/86400, 10) }

// VisitsIn returns what an item under VisitsKey has counted: of this day and of its period.
func VisitsIn(item table.Item, now time.Time) Visits {
	day := dayNumber(now)
	return Visits{item.Numbers[visitMessages+day], item.Numbers[visitSessions+day],
		item.Numbers[visitReplies]}
}

// CountVisits adds visits, which may be negative, to those of a network, and fails where a limit of the plan
// would be exceeded.
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
