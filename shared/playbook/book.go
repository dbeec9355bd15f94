package playbook

import (
	"cmp"
	"context"
	"slices"

	"frontdesk/shared/agent"
	"frontdesk/shared/table"
)

// revision is the name of the number of the agent's summary that goes up with every change of its playbook.
const revision = "playbook"

// revise is the write that counts a change. It fails where the workspace has no such agent.
func revise(account, agentID int64) table.Write {
	return table.Add(agent.Key(account, agentID), revision, 1).Existing()
}

// A Book is all that an agent has in its playbook. Whoever keeps one does not change it.
type Book struct {
	Products      []Product
	Funnels       []Funnel
	Steps         map[int64][]FunnelStep // by the funnel, in their order
	QuickAnswers  []QuickAnswer
	Procedures    []Procedure
	Guidance      []Guidance // the greater priority first
	Actions       []Action   // in the order in which they were made
	Roles         []Role
	JourneyStages []JourneyStage // in their order
}

// Revision tells, by the numbers of an agent's summary, one state of its playbook from another; 0 is an empty
// one. A book that is read later than the summary is of that state or a later one.
func Revision(summary map[string]int64) int64 {
	for _, kind := range kinds {
		if summary[string(kind)] > 0 {
			return summary[revision] + 1
		}
	}
	return 0
}

// ReadBook reads the playbook of an agent, as far as the numbers of its summary say that there is something:
// in one trip, where no kind has more than a megabyte.
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
