// Package counter counts what agents have, such as contacts, and what they do on a day. Counts are exact:
// each changes in the transaction of what it counts. An agent's counts are divided among several items, so
// that concurrent writers rarely conflict. The counts of all agents of a workspace are in one partition, so
// that one query sums them up; those of an agent's days are in order, so that one query reads a period.
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

// shards is how many items share the counts of an agent, and of each of its days.
const shards = 8

// Counts are counts by name. A missing one is 0.
type Counts map[string]int64

// A Change is a change of an agent's counts, in total and by day. The zero Change changes nothing.
type Change struct {
	counts map[string]Counts // by date, "" for the total
}

// Count adds n, which may be negative, to a total count.
func (c *Change) Count(name string, n int64) { c.add("", name, n) }

// CountOn adds n, which may be negative, to a count of the UTC day of at.
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

// Add returns the writes that carry out changes of an agent's counts, for the transaction of what is counted:
// one for the total and one for each day that changes. spread selects the shard; ids, whose low bits are
// random, are suitable.
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

// Sum returns the sum of the counts whose names begin with prefix.
func (c Counts) Sum(prefix string) int64 {
	var sum int64
	for name, n := range c {
		if strings.HasPrefix(name, prefix) {
			sum += n
		}
	}
	return sum
}

// OfAgent reads the total counts of an agent, in one round trip. The read is eventually consistent, as are
// the lists that these counts belong to. It returns agent.ErrNotFound if the workspace has no such agent.
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

// OfAccount reads the total counts of a workspace's agents, in one round trip. Deleted agents are not
// counted, and are returned. The read is eventually consistent.
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
