package auth

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"frontdesk/shared/table"
)

// An Account is a workspace. Agents, members, API keys and limits belong to one.
type Account struct {
	ID        int64     `json:"id"`
	Name      string    `json:"name"`
	Plan      string    `json:"plan"`
	CreatedAt time.Time `json:"created_at"`
}

// AccountItem returns the account as it is stored.
func AccountItem(a Account) (table.Item, error) {
	doc, err := json.Marshal(a)
	return table.Item{Key: AccountKey(a.ID), Doc: doc}, err
}

// ReadAccount decodes an item of AccountItem.
func ReadAccount(item table.Item) (Account, error) {
	var a Account
	if err := json.Unmarshal(item.Doc, &a); err != nil {
		return Account{}, fmt.Errorf("auth: account %s: %w", item.PK, err)
	}
	return a, nil
}

// PeriodLength is the length of a billing period, in which a plan's AI replies are counted.
const PeriodLength = 14 * 24 * time.Hour

// A Period is one billing period. The first, number 0, begins when the workspace is created.
type Period struct {
	Number int64
	Ends   time.Time
}

// PeriodAt returns the period that contains now.
func (a Account) PeriodAt(now time.Time) Period {
	n := max(0, int64(now.Sub(a.CreatedAt)/PeriodLength))
	return Period{n, a.CreatedAt.Add(time.Duration(n+1) * PeriodLength).UTC()}
}

// usageShards is how many items share the counter of a plan without a limit, so that concurrent replies do
// not contend for one item. A limit needs a single item; it also keeps the rate of writes low.
const usageShards = 8

// replies is the attribute that counts AI replies.
const replies = "replies"

// UsageKey returns the key of the counter of the current period, for a plan with a limit.
func (a Account) UsageKey(now time.Time) table.Key {
	return UsageKey(a.ID, a.PeriodAt(now).Number, 0)
}

// UsageQuery reads all counters of the current period, whichever plans the workspace has had in it.
func (a Account) UsageQuery(now time.Time) table.Query {
	key := a.UsageKey(now)
	return table.Query{PK: key.PK, Prefix: table.SortPrefix(strings.TrimSuffix(key.SK, "00"))}
}

// Used returns the sum of the replies counted in items of UsageKey or UsageQuery.
func Used(items ...table.Item) int64 {
	var sum int64
	for _, item := range items {
		sum += item.Numbers[replies]
	}
	return sum
}

// CountReply returns the write that counts one reply. Its condition fails if the plan's replies are used
// up. spread selects the shard; any number will do.
func (a Account) CountReply(plan Plan, now time.Time, spread int64) table.Write {
	w := table.Add(UsageKey(a.ID, a.PeriodAt(now).Number, int(uint64(spread)%usageShards)), replies, 1)
	if plan.Replies > 0 {
		w = table.AddAtMost(a.UsageKey(now), replies, 1, plan.Replies)
	}
	w.Item.Expires = a.PeriodAt(now).Ends.Add(90 * 24 * time.Hour).Truncate(time.Second)
	return w
}

// ReturnReply returns the write that reverses a CountReply at that time, for a plan with a limit.
func (a Account) ReturnReply(now time.Time) table.Write {
	return table.Add(a.UsageKey(now), replies, -1)
}
