// Package resource lets packages that store data of an agent declare what to delete with the agent. Each has
// a function Resource; functions/jobs/purge lists and runs them all. Items in agent.Partition are deleted
// with the agent and need no resource.
package resource

import (
	"context"

	"frontdesk/shared/table"
)

// stepSize is how many items of a list one step deletes, each with what belongs to it.
const stepSize = 25

// pageSize is how many items of a partition one step deletes.
const pageSize = 500

// A Resource is data of an agent that is deleted with the agent.
type Resource struct {
	// Name is the plural of what is stored, as in "contacts". It is unique.
	Name string
	// Purge are run in order, each until nothing is left.
	Purge []Purge
}

// A Purge deletes some of a deleted agent's data, and reports whether there may be more. It may be repeated,
// also after it was interrupted.
type Purge func(ctx context.Context, t table.Table, account, agent int64) (more bool, err error)

// Partition returns a Purge of one partition for each agent.
func Partition(of func(account, agent int64) string) Purge {
	return func(ctx context.Context, t table.Table, account, agent int64) (bool, error) {
		return deletePage(ctx, t, table.Query{PK: of(account, agent), Limit: pageSize})
	}
}

// A Deletion returns the writes that delete an item of a list and the pointers to it. It deletes the
// partitions below the item before it returns, since they can be found only through the item.
type Deletion func(
	ctx context.Context, t table.Table, account, agent int64, item table.Item,
) ([]table.Write, error)

// Item is the Deletion of items without dependent items.
func Item(_ context.Context, _ table.Table, _, _ int64, item table.Item) ([]table.Write, error) {
	return []table.Write{table.Delete(item.Key)}, nil
}

// Listed returns a Purge of the items in a partition of Index1 for each agent.
func Listed(of func(account, agent int64) string, deletion Deletion) Purge {
	return ListedIn(table.Index1, of, deletion)
}

// ListedIn is Listed for another index.
func ListedIn(index table.Index, of func(account, agent int64) string, deletion Deletion) Purge {
	return func(ctx context.Context, t table.Table, account, agent int64) (bool, error) {
		page, err := t.Query(ctx, table.Query{Index: index, PK: of(account, agent), Limit: stepSize})
		if err != nil {
			return false, err
		}
		items, err := table.Whole(ctx, t, index, page.Items)
		if err != nil {
			return false, err
		}
		var writes []table.Write
		for _, item := range items {
			of, err := deletion(ctx, t, account, agent, item)
			if err != nil {
				return false, err
			}
			writes = append(writes, of...)
		}
		return len(page.Items) == stepSize, t.WriteAll(ctx, unique(writes)...)
	}
}

// DeletePartition deletes the items of a partition whose sort keys begin with prefix. It is not atomic, and
// may be repeated.
func DeletePartition(ctx context.Context, t table.Table, pk string, prefix table.SortPrefix) error {
	return DeleteQuery(ctx, t, table.Query{PK: pk, Prefix: prefix})
}

// DeleteQuery deletes the items of a query of the table. It is not atomic, and may be repeated.
func DeleteQuery(ctx context.Context, t table.Table, q table.Query) error {
	for q.Limit = pageSize; ; {
		more, err := deletePage(ctx, t, q)
		if err != nil || !more {
			return err
		}
	}
}

func deletePage(ctx context.Context, t table.Table, q table.Query) (more bool, err error) {
	page, err := t.Query(ctx, q)
	if err != nil {
		return false, err
	}
	var writes []table.Write
	for _, item := range page.Items {
		writes = append(writes, table.Delete(item.Key))
	}
	return page.Next != "", t.WriteAll(ctx, writes...)
}

// unique drops writes with the key of an earlier one: two contacts may have had the same e-mail address.
func unique(writes []table.Write) []table.Write {
	seen := map[table.Key]bool{}
	var left []table.Write
	for _, w := range writes {
		if !seen[w.Item.Key] {
			seen[w.Item.Key] = true
			left = append(left, w)
		}
	}
	return left
}

// eachPage is how many items Each reads at once.
const eachPage = 500

// Each calls do with every complete item of a query. It returns the first error.
func Each(ctx context.Context, t table.Table, q table.Query, do func(table.Item) error) error {
	for q.Limit = eachPage; ; {
		page, err := t.Query(ctx, q)
		if err != nil {
			return err
		}
		items, err := table.Whole(ctx, t, q.Index, page.Items)
		if err != nil {
			return err
		}
		for _, item := range items {
			if err := do(item); err != nil {
				return err
			}
		}
		if page.Next == "" {
			return nil
		}
		q.After = page.Next
	}
}

// Find returns the items of a query, and of further partitions like its own, that wanted accepts.
func Find[T any](
	ctx context.Context, t table.Table, q table.Query, also []string, read func(table.Item) (T, error),
	wanted func(T) bool,
) ([]T, error) {
	var found []T
	for _, q.PK = range append([]string{q.PK}, also...) {
		err := Each(ctx, t, q, func(item table.Item) error {
			one, err := read(item)
			if err == nil && wanted(one) {
				found = append(found, one)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}
