package counter

import (
	"context"

	"frontdesk/shared/agent"
	"frontdesk/shared/table"
)

// OfOneAgent returns the Count of a Listing of what one agent has. It returns agent.ErrNotFound if the
// workspace has no such agent.
func OfOneAgent(t table.Table, account, agentID int64, count func(Counts) int64) func(context.Context) (int64,
	error) {
	return func(ctx context.Context) (int64, error) {
		counts, err := OfAgent(ctx, t, account, agentID)
		return count(counts), err
	}
}

// OfAllAgents returns the Count and Keep of a Listing of what a workspace's agents have. Both leave out
// deleted agents. agentOf returns the agent of an item.
func OfAllAgents(t table.Table, account int64, count func(Counts) int64,
	agentOf func(table.Item) (int64, error)) (func(context.Context) (int64, error),
	func(table.Item) (bool, error)) {
	var deleted agent.Deleted // set by the count, which precedes the first call of keep
	total := func(ctx context.Context) (_ int64, err error) {
		var counts Counts
		counts, deleted, err = OfAccount(ctx, t, account)
		return count(counts), err
	}
	keep := func(item table.Item) (bool, error) {
		id, err := agentOf(item)
		return !deleted.Has(id), err
	}
	return total, keep
}
