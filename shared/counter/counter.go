// Package counter counts what agents have, such as contacts, and what they do on a day. The counts are exact:
// each changes in the transaction of what it counts. An agent's counts lie in several items, so that writers
// who count at the same time seldom meet. Those of all agents of a workspace lie in one partition, so that
// one query sums them up; those of an agent's days lie in order, so that one query reads a period.
package counter

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"frontdesk/shared/agent"
	"frontdesk/shared/table"
)

// shards is how many items share the counts of an agent, and those of each of its days.
const shards = 8

// Counts are counts by name. What was never counted is 0.
type Counts map[string]int64

// A Change is what changes in the counts of an agent: in those of all time, and in those of days. The zero
// Change changes nothing.
type Change struct {
	counts map[string]Counts // by the day's date, "" for all time
}

// Count adds n, which may be negative, to a count of all time.
func (c *Change) Count(name string, n int64) { c.add("", name, n) }

// CountOn adds n, which may be negative, to a count of the day that the moment is in, in UTC.
func (c *Change) CountOn(at time.Time, name string, n int64) { c.add(Date(at), name, n) }

func (c *Change) add(date, name string, n int64) {
	if c.counts == nil {
		c.counts = map[string]Counts{}
	}
	if c.counts[date] == nil {
		c.counts[date] = Counts{}
	}
	c.counts[date][name] += n
}

// Add is the writes that carry out changes in the counts of an agent, for the transaction of what is counted:
// one for all time and one for each day, where something changes. Spread chooses the items that count: ids,
// whose last bits are random, do well.
func Add(account, agent, spread int64, changes ...Change) []table.Write {
	var sum Change
	for _, change := range changes {
		for date, counts := range change.counts {
			for name, n := range counts {
				sum.add(date, name, n)
			}
		}
	}
	shard := int(uint64(spread) % shards)
	var writes []table.Write
	for _, date := range slices.Sorted(maps.Keys(sum.counts)) {
		add := sum.counts[date]
		maps.DeleteFunc(add, func(_ string, n int64) bool { return n == 0 })
		if len(add) == 0 {
			continue
		}
		key := Key(account, agent, shard)
		if date != "" {
			key = DayKey(account, agent, date, shard)
		}
		writes = append(writes, table.Write{Op: table.OpAdd, Item: table.Item{Key: key}, Add: add})
	}
	return writes
}

// Sum is the sum of all counts whose names begin with the prefix.
func (c Counts) Sum(prefix string) int64 {
	var sum int64
	for name, n := range c {
		if strings.HasPrefix(name, prefix) {
			sum += n
		}
	}
	return sum
}

// OfAgent reads the counts of an agent, in one trip. They follow a write by some milliseconds on DynamoDB, as
// the lists do that they count. agent.ErrNotFound where the workspace has no such agent.
func OfAgent(ctx context.Context, t table.Table, account, agentID int64) (Counts, error) {
	var page table.Page
	err := table.Parallel(ctx, func(ctx context.Context) error {
		_, err := (&agent.Store{Table: t}).LoadSummary(ctx, account, agentID)
		return err
	}, func(ctx context.Context) (err error) {
		page, err = t.Query(ctx, table.Query{
			PK: Key(account, agentID, 0).PK, Prefix: KeyPrefix(agentID), Stale: true,
		})
		return err
	})
	counts := Counts{}
	for _, item := range page.Items {
		counts.add(item)
	}
	return counts, err
}

// OfAccount reads the counts of a workspace as OfAgent does those of an agent, in one trip: what its agents
// have together, without those that were deleted, which it returns too.
func OfAccount(ctx context.Context, t table.Table, account int64) (Counts, agent.Deleted, error) {
	var page table.Page
	var deleted agent.Deleted
	err := table.Parallel(ctx, func(ctx context.Context) (err error) {
		page, err = t.Query(ctx, table.Query{PK: Key(account, 0, 0).PK, Stale: true})
		return err
	}, func(ctx context.Context) (err error) {
		deleted, err = agent.ReadDeleted(ctx, t, account)
		return err
	})
	if err != nil {
		return nil, agent.Deleted{}, err
	}
	counts := Counts{}
	for _, item := range page.Items {
		id, err := ReadKey(item.Key)
		if err != nil {
			return nil, agent.Deleted{}, err
		}
		if !deleted.Has(id) {
			counts.add(item)
		}
	}
	return counts, deleted, nil
}

func (c Counts) add(item table.Item) {
	for name, n := range item.Numbers {
		c[name] += n
	}
}
