// Package tally counts what agents have, such as contacts. The counts are exact: each changes in the transaction of
// what it counts. An agent's counts lie in several items, so that writers who count at the same time seldom meet; those
// of all agents of a workspace lie in one partition, so that one query sums them up.
package tally

import (
	"context"
	"maps"
	"strings"

	"frontdesk/shared/agent"
	"frontdesk/shared/table"
)

// shards is how many items share the counts of an agent.
const shards = 8

// Counts are counts by name. What was never counted is 0.
type Counts map[string]int64

// Add is the write that adds amounts, which may be negative, to the counts of an agent, for the transaction of what is
// counted; there is none where nothing changes. Spread chooses the item that counts: ids, whose last bits are random,
// do well.
func Add(account, agent, spread int64, amounts ...Counts) []table.Write {
	add := map[string]int64{}
	for _, counts := range amounts {
		for name, amount := range counts {
			add[name] += amount
		}
	}
	maps.DeleteFunc(add, func(_ string, amount int64) bool { return amount == 0 })
	if len(add) == 0 {
		return nil
	}
	return []table.Write{{
		Op: table.OpAdd, Item: table.Item{Key: table.TallyKey(account, agent, int(uint64(spread)%shards))}, Add: add,
	}}
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

// OfAgent reads the counts of an agent, in one trip. agent.ErrNotFound where the workspace has no such agent.
func OfAgent(ctx context.Context, t table.Table, account, agentID int64) (Counts, error) {
	var page table.Page
	err := table.Together(ctx, func(ctx context.Context) error {
		_, err := (&agent.Store{Table: t}).LoadSummary(ctx, account, agentID)
		return err
	}, func(ctx context.Context) (err error) {
		page, err = t.Query(ctx, table.Query{PK: table.TallyKey(account, agentID, 0).PK, Prefix: table.TallyPrefix(agentID)})
		return err
	})
	counts := Counts{}
	for _, item := range page.Items {
		counts.add(item)
	}
	return counts, err
}

// OfAccount reads the counts of a workspace, in one trip: what its agents have together, without those that were
// deleted, which it returns too.
func OfAccount(ctx context.Context, t table.Table, account int64) (Counts, agent.Deleted, error) {
	var page table.Page
	var deleted agent.Deleted
	err := table.Together(ctx, func(ctx context.Context) (err error) {
		page, err = t.Query(ctx, table.Query{PK: table.TallyKey(account, 0, 0).PK})
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
		id, err := table.ReadTallyKey(item.Key)
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
