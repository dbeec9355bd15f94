package playbook

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"time"

	"frontdesk/shared/fault"
	"frontdesk/shared/id"
	"frontdesk/shared/table"
	"frontdesk/shared/wire"
)

// A StepStore stores the steps of funnels, and deletes funnels with their steps. It is safe for concurrent
// use.
type StepStore struct {
	Table table.Table
	Now   func() time.Time
	IDs   *id.Source
}

// List returns the steps of a funnel in their order. It returns ErrNotFound if the workspace has no such
// agent, or the agent no such funnel.
func (s StepStore) List(ctx context.Context, account, agent, funnel int64) ([]FunnelStep, error) {
	var found []table.Item
	var steps []FunnelStep
	err := table.Parallel(ctx, func(ctx context.Context) (err error) {
		found, err = find(ctx, s.Table, account, agent, funnelKey(account, agent, funnel))
		return err
	}, func(ctx context.Context) (err error) {
		steps, err = s.Read(ctx, account, agent, funnel)
		return err
	})
	if err != nil {
		return nil, err
	}
	count(steps, found[0])
	return steps, nil
}

// count sets Reached of the steps from the numbers of the funnel's item.
func count(steps []FunnelStep, funnel table.Item) {
	for i := range steps {
		steps[i].Reached = funnel.Numbers[reachedNumber(steps[i].ID)]
	}
}

// reachedNumber returns the number of a funnel's item that counts how often a step was reached.
func reachedNumber(step int64) string { return strconv.FormatInt(step, 10) }

// CountReached returns the write that counts that a contact reached steps, none without steps. Its condition
// fails if the funnel was deleted.
func CountReached(account, agent, funnel int64, steps []int64) []table.Write {
	if len(steps) == 0 {
		return nil
	}
	w := table.Add(funnelKey(account, agent, funnel), reachedNumber(steps[0]), 1).Existing()
	for _, step := range steps[1:] {
		w.Add[reachedNumber(step)]++
	}
	return []table.Write{w}
}

// Read is List without the check that the funnel exists: it returns no steps if it does not.
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

// Create stores a new step. It sets ids, times and an order after all others; fill sets the rest, and its
// error ends the call. Errors are those of List, and a *fault.Error if the funnel has MaxSteps steps.
func (s StepStore) Create(ctx context.Context, account, agent, funnel int64,
	fill func(*FunnelStep) error) (FunnelStep, error) {
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
	step.Reached = 0 // stored in the funnel's item
	doc, err := wire.Marshal(step)
	key := StepKey(account, step.AgentID, step.FunnelID, step.ID)
	return table.Item{Key: key, Doc: doc, Version: version}, err
}

// Update changes a step, like Store.Update.
func (s StepStore) Update(ctx context.Context, account, agent, funnel, id int64,
	change func(*FunnelStep) error) (FunnelStep, error) {
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
		step.Reached = found.funnel.Numbers[reachedNumber(id)]
		unchanged := step
		if err := change(&step); err != nil || step == unchanged {
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

// Reorder sorts the steps of a funnel in the order of ids, and returns them. Errors are those of List, and a
// validation_error of the field order unless ids has each step exactly once.
func (s StepStore) Reorder(ctx context.Context, account, agent, funnel int64,
	ids []int64) ([]FunnelStep, error) {
	var steps []FunnelStep
	err := table.Retry(ctx, func() error {
		var items map[int64]table.Item
		var head table.Item
		err := table.Parallel(ctx, func(ctx context.Context) error {
			found, err := find(ctx, s.Table, account, agent, funnelKey(account, agent, funnel))
			if err == nil {
				head = found[0]
			}
			return err
		}, func(ctx context.Context) (err error) {
			items, err = s.items(ctx, account, agent, funnel)
			return err
		})
		if err != nil {
			return err
		}
		var writes []table.Write
		if steps, writes, err = s.inOrderOf(account, ids, items); err != nil {
			return err
		}
		if count(steps, head); writes == nil {
			return nil
		}
		orders := outline{}
		for _, step := range steps {
			orders[step.ID] = step.Order
		}
		put, err := orders.put(head)
		if err != nil {
			return err
		}
		return s.Table.Transact(ctx, append(writes, put, revise(account, agent))...)
	})
	return steps, err
}

// items reads the stored steps of a funnel by id.
func (s StepStore) items(ctx context.Context, account, agent, funnel int64) (map[int64]table.Item, error) {
	page, err := s.Table.Query(ctx, table.Query{
		PK: StepKey(account, agent, funnel, 0).PK, Prefix: StepPrefix(funnel),
	})
	items := map[int64]table.Item{}
	for _, item := range page.Items {
		step, err := Read[FunnelStep](item)
		if err != nil {
			return nil, err
		}
		items[step.ID] = item
	}
	return items, err
}

// inOrderOf numbers the steps from 1 in the order of ids, and returns the writes of those that change.
func (s StepStore) inOrderOf(account int64, ids []int64,
	items map[int64]table.Item) ([]FunnelStep, []table.Write,
	error) {
	var steps []FunnelStep
	var writes []table.Write
	seen := map[int64]bool{}
	for i, id := range ids {
		item, ok := items[id]
		if !ok || seen[id] {
			return nil, nil, fault.Invalid("order",
				"The field order names %d, which is no step of the funnel "+
					"or is named twice.", id)
		}
		seen[id] = true
		step, err := Read[FunnelStep](item)
		if err != nil {
			return nil, nil, err
		}
		if step.Order != i+1 {
			step.Order, step.UpdatedAt = i+1, s.now()
			changed, err := stepItem(account, step, item.Version)
			if err != nil {
				return nil, nil, err
			}
			writes = append(writes, table.PutIfVersion(changed))
		}
		steps = append(steps, step)
	}
	if len(ids) != len(items) {
		return nil, nil, fault.Invalid("order", "The field order names %d of the funnel's %d steps; it must "+
			"name each of them.", len(ids), len(items))
	}
	return steps, writes, nil
}

// Delete removes a step. It returns ErrNotFound if there is none.
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

// DeleteFunnel removes a funnel with its steps in one transaction. It returns ErrNotFound if there is none.
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
		writes := []table.Write{uncount(account, agent, Funnels),
			table.DeleteIfVersion(found[0].Key, found[0].Version)}
		for step := range steps {
			writes = append(writes, table.Delete(StepKey(account, agent, funnel, step)))
		}
		return s.Table.Transact(ctx, writes...)
	})
}

func (s StepStore) now() time.Time { return s.Now().UTC().Truncate(time.Millisecond) }
