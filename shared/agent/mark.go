package agent

import (
	"context"

	"frontdesk/shared/event"
	"frontdesk/shared/table"
)

// Marks are what a change of something by its own id needs to know about the workspace's agents: which were
// deleted, and what the actions of the others subscribe to.
type Marks struct {
	Deleted
	subscriptions map[table.Key]event.Subscriptions
}

// ReadMarks reads the marks that begin with the prefix in one round trip: MarkPrefix before a change, and
// DeletedPrefix for reads, since agents with actions may be many.
func ReadMarks(ctx context.Context, t table.Table, account int64, prefix table.SortPrefix) (Marks, error) {
	page, err := t.Query(ctx, table.Query{PK: ListPartition(account), Prefix: prefix})
	if err != nil {
		return Marks{}, err
	}
	m := Marks{Deleted{account, map[table.Key]struct{}{}}, map[table.Key]event.Subscriptions{}}
	for _, mark := range page.Items {
		m.marks[mark.Key] = struct{}{}
		if set := event.SubscriptionsOf(mark.Numbers); set != nil {
			m.subscriptions[mark.Key] = set
		}
	}
	return m, nil
}

// ReadMarked reads an item by its own key, and the marks that ReadMarks reads, in one round trip. It returns
// table.ErrNotFound if the item does not exist. The caller checks whether its agent was deleted.
func ReadMarked(ctx context.Context, t table.Table, account int64, key table.Key,
	prefix table.SortPrefix) (item table.Item, marks Marks, err error) {
	err = table.Parallel(ctx, func(ctx context.Context) (err error) {
		item, err = t.Get(ctx, key)
		return err
	}, func(ctx context.Context) (err error) {
		marks, err = ReadMarks(ctx, t, account, prefix)
		return err
	})
	return item, marks, err
}

// Subscriptions returns those of an agent's actions.
func (m Marks) Subscriptions(agent int64) event.Subscriptions {
	return m.subscriptions[TriggersKey(m.account, agent)]
}
