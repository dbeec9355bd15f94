package auth

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"frontdesk/shared/table"
)

// An Account is a workspace: what agents, keys and limits belong to.
type Account struct {
	ID        int64     `json:"id"`
	Name      string    `json:"name"`
	Plan      string    `json:"plan"`
	CreatedAt time.Time `json:"created_at"`
}

// AccountItem is the account as it is stored.
func AccountItem(a Account) (table.Item, error) {
	doc, err := json.Marshal(a)
	return table.Item{Key: AccountKey(a.ID), Doc: doc}, err
}

// ReadAccount is the account that an item holds.
func ReadAccount(item table.Item) (Account, error) {
	var a Account
	if err := json.Unmarshal(item.Doc, &a); err != nil {
		return Account{}, fmt.Errorf("auth: account %s: %w", item.PK, err)
	}
	return a, nil
}

// PeriodLength is how long the AI replies of a plan last.
const PeriodLength = 14 * 24 * time.Hour

// A Period is a stretch of time that AI replies are counted in. The first begins when the workspace is made.
type Period struct {
	Number int64
	Ends   time.Time
}

// PeriodAt is the period that a moment lies in.
func (a Account) PeriodAt(now time.Time) Period {
	n := max(0, int64(now.Sub(a.CreatedAt)/PeriodLength))
	return Period{n, a.CreatedAt.Add(time.Duration(n+1) * PeriodLength).UTC()}
}

// usageShards is how many items share the count of a plan without a limit. A limit needs one item, which its
// size keeps calm; without one, replies of many conversations at once would wait for each other.
const usageShards = 8

// replies is the name of the number that counts AI replies.
const replies = "replies"

// UsageKey is the item that counts the replies of the period at that moment, for a plan with a limit.
func (a Account) UsageKey(now time.Time) table.Key {
	return UsageKey(a.ID, a.PeriodAt(now).Number, 0)
}

// UsageQuery reads all items that count the replies of the period at that moment, whatever the plan has been.
func (a Account) UsageQuery(now time.Time) table.Query {
	key := a.UsageKey(now)
	return table.Query{PK: key.PK, Prefix: table.SortPrefix(strings.TrimSuffix(key.SK, "00"))}
}

// Used sums up the replies counted in items under UsageKey or of UsageQuery.
func Used(items ...table.Item) int64 {
	var sum int64
	for _, item := range items {
		sum += item.Numbers[replies]
	}
	return sum
}

// CountReply counts one reply, and fails where the plan has none left. Spread chooses among the shards; any
// number will do.
func (a Account) CountReply(plan Plan, now time.Time, spread int64) table.Write {
	w := table.Add(UsageKey(a.ID, a.PeriodAt(now).Number, int(uint64(spread)%usageShards)), replies, 1)
	if plan.Replies > 0 {
		w = table.AddAtMost(a.UsageKey(now), replies, 1, plan.Replies)
	}
	w.Item.Expires = a.PeriodAt(now).Ends.Add(90 * 24 * time.Hour).Truncate(time.Second)
	return w
}

// ReturnReply undoes a CountReply of that moment, for a plan with a limit.
func (a Account) ReturnReply(now time.Time) table.Write {
	return table.Add(a.UsageKey(now), replies, -1)
}
