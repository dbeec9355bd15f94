package playbook

import (
	"cmp"
	"context"
	"slices"
	"time"

	"frontdesk/shared/fault"
	"frontdesk/shared/id"
	"frontdesk/shared/table"
	"frontdesk/shared/wire"
)

// A StepStore keeps the steps of funnels, and deletes funnels with them.
type StepStore struct {
	Table table.Table
	Now   func() time.Time
	IDs   *id.Source
}

// List reads the steps of a funnel in their order. ErrNotFound where the workspace has no such agent, or the agent no
// such funnel.
func (s StepStore) List(ctx context.Context, account, agent, funnel int64) ([]FunnelStep, error) {
	var steps []FunnelStep
	err := table.Parallel(ctx, func(ctx context.Context) error {
		_, err := find(ctx, s.Table, account, agent, funnelKey(account, agent, funnel))
		return err
	}, func(ctx context.Context) (err error) {
		steps, err = s.Read(ctx, account, agent, funnel)
		return err
	})
	return steps, err
}

// Read is List of whoever finds out by itself whether there is such a funnel: there are no steps where there is none.
func (s StepStore) Read(ctx context.Context, account, agent, funnel int64) ([]FunnelStep, error) {
	page, err := s.Table.Query(ctx, table.Query{
		PK: StepKey(account, agent, funnel, 0).PK, Prefix: StepPrefix(funnel),
	})
	if err != nil {
		return nil, err
	}
	steps := make([]FunnelStep, len(page.Items))
	for i, item := range page.Items {
		if steps[i], err = Read[FunnelStep](item); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(steps, inOrder)
	return steps, nil
}

func inOrder(a, b FunnelStep) int {
	return cmp.Or(cmp.Compare(a.Order, b.Order), cmp.Compare(a.ID, b.ID))
}

func funnelKey(account, agent, funnel int64) table.Key {
	return Key(account, agent, string(Funnels), funnel)
}

// Create stores a new step of a funnel. Ids, times and the order behind all others are set here; fill does the rest,
// and ends it by an error. Errors are those of List, and an *api.Error where the funnel has as many steps as it may have.
func (s StepStore) Create(ctx context.Context, account, agent, funnel int64, fill func(*FunnelStep) error) (FunnelStep, error) {
	var step FunnelStep
	err := table.Retry(ctx, func() error {
		found, err := find(ctx, s.Table, account, agent, funnelKey(account, agent, funnel))
		if err != nil {
			return err
		}
		steps, err := readOutline(found[0])
		if err != nil {
			return err
		}
		if len(steps) >= MaxSteps {
			return fault.New(fault.ValidationError, "A funnel may have at most %d steps.", MaxSteps)
		}
		now := s.now()
		step = FunnelStep{
			Row:      Row{ID: s.IDs.Next(), AgentID: agent, CreatedAt: now, UpdatedAt: now},
			FunnelID: funnel, Order: steps.next(),
		}
		if err := fill(&step); err != nil {
			return err
		}
		steps[step.ID] = step.Order
		head, err := steps.put(found[0])
		if err != nil {
			return err
		}
		item, err := stepItem(account, step, 0)
		if err != nil {
			return err
		}
		return s.Table.Transact(ctx, head, table.PutIfAbsent(item), revise(account, agent))
	})
	return step, err
}

func stepItem(account int64, step FunnelStep, version int64) (table.Item, error) {
	doc, err := wire.Marshal(step)
	key := StepKey(account, step.AgentID, step.FunnelID, step.ID)
	return table.Item{Key: key, Doc: doc, Version: version}, err
}

// Update changes a step, as Store.Update does a row.
func (s StepStore) Update(ctx context.Context, account, agent, funnel, id int64, change func(*FunnelStep) error) (FunnelStep, error) {
	var step FunnelStep
	err := table.Retry(ctx, func() error {
		found, err := s.find(ctx, account, agent, funnel, id)
		if err != nil {
			return err
		}
		before, err := Read[FunnelStep](found.step)
		if err != nil {
			return err
		}
		step = before
		if err := change(&step); err != nil || step == before {
			return err
		}
		step.UpdatedAt = s.now()
		item, err := stepItem(account, step, found.step.Version)
		if err != nil {
			return err
		}
		writes := []table.Write{table.PutIfVersion(item), revise(account, agent)}
		if step.Order != before.Order {
			found.steps[id] = step.Order
			head, err := found.steps.put(found.funnel)
			if err != nil {
				return err
			}
			writes = append(writes, head)
		}
		return s.Table.Transact(ctx, writes...)
	})
	return step, err
}

// Delete removes a step. ErrNotFound where there is none.
func (s StepStore) Delete(ctx context.Context, account, agent, funnel, id int64) error {
	return table.Retry(ctx, func() error {
		found, err := s.find(ctx, account, agent, funnel, id)
		if err != nil {
			return err
		}
		delete(found.steps, id)
		head, err := found.steps.put(found.funnel)
		if err != nil {
			return err
		}
		return s.Table.Transact(ctx, head, table.DeleteIfExists(found.step.Key), revise(account, agent))
	})
}

// A foundStep is a step as it was read, with its funnel.
type foundStep struct {
	funnel, step table.Item
	steps        outline
}

func (s StepStore) find(ctx context.Context, account, agent, funnel, id int64) (foundStep, error) {
	items, err := find(ctx, s.Table, account, agent,
		funnelKey(account, agent, funnel), StepKey(account, agent, funnel, id))
	if err != nil {
		return foundStep{}, err
	}
	steps, err := readOutline(items[0])
	return foundStep{items[0], items[1], steps}, err
}

// DeleteFunnel removes a funnel with its steps. ErrNotFound where there is none.
func (s StepStore) DeleteFunnel(ctx context.Context, account, agent, funnel int64) error {
	return table.Retry(ctx, func() error {
		found, err := find(ctx, s.Table, account, agent, funnelKey(account, agent, funnel))
		if err != nil {
			return err
		}
		steps, err := readOutline(found[0])
		if err != nil {
			return err
		}
		writes := []table.Write{uncount(account, agent, Funnels), table.DeleteIfVersion(found[0].Key, found[0].Version)}
		for step := range steps {
			writes = append(writes, table.Delete(StepKey(account, agent, funnel, step)))
		}
		return s.Table.Transact(ctx, writes...)
	})
}

func (s StepStore) now() time.Time { return s.Now().UTC().Truncate(time.Millisecond) }
