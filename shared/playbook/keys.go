package playbook

import (
	"fmt"

	"frontdesk/shared/delivery"
	"frontdesk/shared/table"
)

const (
	partitions table.Prefix = "playbook"

	// actionRuns begins the sort keys of the counts of an action's runs, in the partition of its deliveries.
	actionRuns table.SortPrefix = "run/"
	// actionEvents begins those of the events that an action ran for.
	actionEvents table.SortPrefix = "run/event/"
)

// Key returns the key of a row of a kind.
func Key(account, agent int64, kind string, row int64) table.Key {
	return table.Key{PK: partitions.Join(account, agent, kind), SK: table.PadID(row)}
}

// CopyKey returns the key of a row's copy under its own key, for kinds with keys.
func CopyKey(account, agent int64, kind, name string) table.Key {
	return table.Key{PK: partitions.Join(account, agent, kind, "keys"), SK: name}
}

// StepKey returns the key of a step of a funnel.
func StepKey(account, agent, funnel, step int64) table.Key {
	return table.Key{
		PK: partitions.Join(account, agent, "steps"), SK: StepPrefix(funnel).Join(table.PadID(step)),
	}
}

// StepPrefix begins the sort keys of the steps of one funnel.
func StepPrefix(funnel int64) table.SortPrefix { return table.SortPrefix(table.PadID(funnel) + "/") }

// runPartition returns the partition of an action's deliveries and runs, which are deleted together.
func runPartition(account, agent, action int64) string {
	return delivery.Partition(account, agent, fmt.Sprintf("action/%d", action))
}

// ActionRunKey returns the key of the count of an action's runs for a contact.
func ActionRunKey(account, agent, action, contact int64) table.Key {
	return table.Key{PK: runPartition(account, agent, action),
		SK: actionRuns.Join("contact/", table.PadID(contact))}
}

// ActionDayKey returns the key of the count of an action's runs on a date, such as 2026-03-02, in the agent's
// time zone.
func ActionDayKey(account, agent, action int64, date string) table.Key {
	return table.Key{PK: runPartition(account, agent, action), SK: actionRuns.Join("day/", date)}
}

// ActionEventKey returns the key of the record that an action ran for an event, for actions without
// deliveries.
func ActionEventKey(account, agent, action, event int64) table.Key {
	return table.Key{PK: runPartition(account, agent, action), SK: actionEvents.Join(table.PadID(event))}
}
