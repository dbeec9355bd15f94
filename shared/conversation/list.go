package conversation

import (
	"context"

	"frontdesk/shared/agent"
	"frontdesk/shared/table"
)

// A Filter is what the conversations of a list have in common. The zero value is all.
type Filter struct {
	Status   Status // "" for any
	From, To int64  // bounds of the ids, both inclusive; 0 is no bound
	MinScore int    // the least lead score
}

// Statuses are those that the filter lets through.
func (f Filter) Statuses() []string {
	if f.Status != "" {
		return []string{string(f.Status)}
	}
	return Status.Values("")
}

// OfAgent is the query for an agent's conversations, the newest first, and the further partitions that belong
// to it. It returns keys, for table.Whole; Keep tells which of them have MinScore.
func (f Filter) OfAgent(account, agent int64) (q table.Query, also []string) {
	return f.query(table.Index3, func(status string) string { return lists.Of(account, agent, status) })
}

// OfAccount is the query for a workspace's conversations, as OfAgent is for an agent's. Those of deleted
// agents, which KeyByAccount names, are for the reader to leave out.
func (f Filter) OfAccount(account int64) (q table.Query, also []string) {
	return f.query(table.Index4, func(status string) string { return lists.Of(account, status) })
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

// bounds are those of the sort keys in the lists.
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

// Count counts an agent's conversations by their keys, in one trip for every 8,000 of a status. The agent
// must be the workspace's; agent.ErrNotFound where it is not.
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
