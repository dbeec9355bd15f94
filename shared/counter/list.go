package counter

import (
	"context"

	"frontdesk/shared/agent"
	"frontdesk/shared/table"
)

// OfOneAgent is how a list of what an agent has is counted: by a count of the agent's.
// agent.ErrNotFound where the workspace has no such agent.
func OfOneAgent(t table.Table, account, agentID int64, count func(Counts) int64) func(context.Context) (int64,
	error) {
	return func(ctx context.Context) (int64, error) {
		counts, err := OfAgent(ctx, t, account, agentID)
		return count(counts), err
	}
}

// OfAllAgents is how a list of what the agents of a workspace have is counted, and which of its items are
// kept: those that belong to an agent which was deleted are neither. AgentOf tells whose an item is.
func OfAllAgents(t table.Table, account int64, count func(Counts) int64,
	agentOf func(table.Item) (int64, error)) (func(context.Context) (int64, error),
	func(table.Item) (bool, error)) {
	var deleted agent.Deleted // as of the counting, which comes before the first item is kept
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
