package agent

import (
	"context"

	"frontdesk/shared/table"
	"frontdesk/shared/trigger"
)

// Marks are what of a workspace's agents those need to know who change something of theirs by its own id: which were
// deleted, and what the actions of the others wait for.
type Marks struct {
	Deleted
	waiting map[table.Key]trigger.Set
}

// ReadMarks reads those that begin with the prefix, in one trip: table.MarkPrefix for a change, and for what is only
// read table.DeletedAgentPrefix, since agents with actions may be many.
func ReadMarks(ctx context.Context, t table.Table, account int64, prefix string) (Marks, error) {
	page, err := t.Query(ctx, table.Query{PK: table.AccountKey(account).PK, Prefix: prefix})
	if err != nil {
		return Marks{}, err
	}
	m := Marks{Deleted{account, map[table.Key]struct{}{}}, map[table.Key]trigger.Set{}}
	for _, mark := range page.Items {
		m.marks[mark.Key] = struct{}{}
		if set := trigger.SetOf(mark.Numbers); set != nil {
			m.waiting[mark.Key] = set
		}
	}
	return m, nil
}

// Waiting is what the agent's actions wait for.
func (m Marks) Waiting(agent int64) trigger.Set {
	return m.waiting[table.AgentTriggersKey(m.account, agent)]
}
