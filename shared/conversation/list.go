package conversation

import (
	"context"

	"frontdesk/shared/agent"
	"frontdesk/shared/table"
)

// A Filter selects the conversations of a list. The zero value selects all.
type Filter struct {
	Status   Status // "" for any
	From, To int64  // bounds of the ids, both inclusive; 0 is no bound
	MinScore int    // the least lead score
}

// Statuses returns the statuses that the filter selects.
func (f Filter) Statuses() []string {
	if f.Status != "" {
		return []string{string(f.Status)}
	}
	return Status.Values("")
}

// OfAgent returns the query for an agent's conversations, newest first, and further partitions to merge with
// it. It returns keys, for table.Whole; Keep reports which of them have MinScore.
func (f Filter) OfAgent(account, agent int64) (q table.Query, also []string) {
	return f.query(table.Index3, func(status string) string { return lists.Join(account, agent, status) })
}

// OfAccount returns the query for a workspace's conversations, as OfAgent does. The caller leaves out those
// of deleted agents, which ReadKeyByAccount returns.
func (f Filter) OfAccount(account int64) (q table.Query, also []string) {
	return f.query(table.Index4, func(status string) string { return lists.Join(account, status) })
}

func (f Filter) query(index table.Index, partition func(status string) string) (table.Query, []string) {
	var partitions []string
	for _, status := range f.Statuses() {
		partitions = append(partitions, partition(status))
	}
	q := table.Query{Index: index, PK: partitions[0], Descending: true}
	q.From, q.To = f.bounds()
	return q, partitions[1:]
}

// bounds returns the sort keys between which the lists are read.
func (f Filter) bounds() (from, to string) {
	if f.From != 0 {
		from = table.PadID(f.From)
	}
	if f.To != 0 {
		to = table.PadID(f.To) + "~" // behind whatever follows the id
	}
	return from, to
}

// Keep reports whether a conversation that OfAgent found has MinScore.
func (f Filter) Keep(found table.Item) (bool, error) {
	score, err := ReadKeyByScore(found.Index3)
	return score >= f.MinScore, err
}

// Count counts an agent's conversations by their keys, in one round trip for every 8,000 of a status. It
// returns agent.ErrNotFound if the workspace has no such agent.
func (f Filter) Count(ctx context.Context, t table.Table, account, agentID int64) (int64, error) {
	counts := make([]int64, len(f.Statuses()))
	reads := []func(context.Context) error{func(ctx context.Context) error {
		_, err := (&agent.Store{Table: t}).LoadSummary(ctx, account, agentID)
		return err
	}}
	for i, status := range f.Statuses() {
		reads = append(reads, func(ctx context.Context) (err error) {
			counts[i], err = f.countOf(ctx, t, account, agentID, status)
			return err
		})
	}
	err := table.Parallel(ctx, reads...)
	var sum int64
	for _, n := range counts {
		sum += n
	}
	return sum, err
}

func (f Filter) countOf(ctx context.Context, t table.Table, account, agentID int64,
	status string) (int64, error) {
	q := table.Query{Index: table.Index3, PK: KeyByScore(account, agentID, status, 0, 0).PK}
	q.From, q.To = f.bounds()
	page, err := t.Query(ctx, q)
	if err != nil {
		return 0, err
	}
	var n int64
	for _, item := range page.Items {
		kept, err := f.Keep(item)
		if err != nil {
			return 0, err
		}
		if kept {
			n++
		}
	}
	return n, nil
}
