package playbook

import (
	"cmp"
	"context"
	"slices"

	"frontdesk/shared/agent"
	"frontdesk/shared/table"
)

// revision is the number in the agent's summary that each change of the playbook increments.
const revision = "playbook"

// revise returns the write that counts a change. Its condition fails if the workspace has no such agent.
func revise(account, agentID int64) table.Write {
	return table.Add(agent.Key(account, agentID), revision, 1).Existing()
}

// A Book is the whole playbook of an agent. It is cached and must not be changed.
type Book struct {
	Products      []Product
	Funnels       []Funnel
	Steps         map[int64][]FunnelStep // by funnel, in their order
	QuickAnswers  []QuickAnswer
	Procedures    []Procedure
	Guidance      []Guidance // highest priority first
	Actions       []Action   // in the order of creation
	Roles         []Role
	JourneyStages []JourneyStage // in their order
}

// Revision returns a number that differs between states of the playbook, from the numbers of the agent's
// summary; 0 means an empty playbook. A Book that is read after the summary has that state or a later one.
func Revision(summary map[string]int64) int64 {
	for _, kind := range kinds {
		if summary[string(kind)] > 0 {
			return summary[revision] + 1
		}
	}
	return 0
}

// ReadBook reads the playbook of an agent, except kinds that the numbers of its summary say are empty. It
// takes one round trip if no kind has more than 1 MB.
func ReadBook(ctx context.Context, t table.Table, account, agent int64,
	summary map[string]int64) (*Book, error) {
	b := &Book{Steps: map[int64][]FunnelStep{}}
	var steps []FunnelStep
	reads := []func(context.Context) error{
		rowsOf(t, account, agent, summary, Products, &b.Products),
		rowsOf(t, account, agent, summary, Funnels, &b.Funnels),
		rowsOf(t, account, agent, summary, QuickAnswers, &b.QuickAnswers),
		rowsOf(t, account, agent, summary, Procedures, &b.Procedures),
		rowsOf(t, account, agent, summary, Guidances, &b.Guidance),
		rowsOf(t, account, agent, summary, Actions, &b.Actions),
		rowsOf(t, account, agent, summary, Roles, &b.Roles),
		rowsOf(t, account, agent, summary, JourneyStages, &b.JourneyStages),
	}
	if summary[string(Funnels)] > 0 {
		reads = append(reads, rows(t, StepKey(account, agent, 0, 0).PK, &steps))
	}
	if err := table.Parallel(ctx, reads...); err != nil {
		return nil, err
	}
	for _, step := range steps {
		b.Steps[step.FunnelID] = append(b.Steps[step.FunnelID], step)
	}
	for _, of := range b.Steps {
		slices.SortFunc(of, inOrder)
	}
	slices.SortStableFunc(b.Guidance, func(a, b Guidance) int { return cmp.Compare(b.Priority, a.Priority) })
	slices.SortStableFunc(b.JourneyStages,
		func(a, b JourneyStage) int { return cmp.Compare(a.Order, b.Order) })
	return b, nil
}

// rowsOf reads the rows of a kind, if the agent has any.
func rowsOf[T any](t table.Table, account, agent int64, summary map[string]int64, kind Kind,
	to *[]T) func(context.Context) error {
	if summary[string(kind)] <= 0 {
		return func(context.Context) error { return nil }
	}
	return rows(t, partition(account, agent, kind), to)
}

func rows[T any](t table.Table, partition string, to *[]T) func(context.Context) error {
	return func(ctx context.Context) error {
		page, err := t.Query(ctx, table.Query{PK: partition})
		if err != nil {
			return err
		}
		for _, item := range page.Items {
			row, err := Read[T](item)
			if err != nil {
				return err
			}
			*to = append(*to, row)
		}
		return nil
	}
}
