package playbook

import (
	"fmt"

	"frontdesk/shared/delivery"
	"frontdesk/shared/table"
)

const (
	partitions table.Prefix = "playbook"

	// actionRuns begins the sort keys of how often an action has run, beside its deliveries.
	actionRuns table.SortPrefix = "run/"
	// actionEvents begins those of the events that an action has run for.
	actionEvents table.SortPrefix = "run/event/"
)

// Key is the key of a row of a kind that an agent has many of, such as its products.
func Key(account, agent int64, kind string, row int64) table.Key {
	return table.Key{PK: partitions.Of(account, agent, kind), SK: table.PadID(row)}
}

// CopyKey is the key of the copy of a row under a name of its own, where rows of its kind have one.
func CopyKey(account, agent int64, kind, name string) table.Key {
	return table.Key{PK: partitions.Of(account, agent, kind, "keys"), SK: name}
}

// StepKey is the key of a step of one of the agent's funnels.
func StepKey(account, agent, funnel, step int64) table.Key {
	return table.Key{PK: partitions.Of(account, agent, "steps"), SK: StepPrefix(funnel).Of(table.PadID(step))}
}

// StepPrefix begins the sort keys of the steps of one funnel.
func StepPrefix(funnel int64) table.SortPrefix { return table.SortPrefix(table.PadID(funnel) + "/") }

// runPartition is the partition of an action's deliveries, so that they and its actionRuns are deleted
// together.
func runPartition(account, agent, action int64) string {
	return delivery.Partition(account, agent, fmt.Sprintf("action/%d", action))
}

// ActionRunKey is the key of how often an action has run for a contact and when it last did.
func ActionRunKey(account, agent, action, contact int64) table.Key {
	return table.Key{PK: runPartition(account, agent, action),
		SK: actionRuns.Of("contact/", table.PadID(contact))}
}

// ActionDayKey is the key of how often an action has run on a day of its agent's time zone, a date such as
// 2026-03-02.
func ActionDayKey(account, agent, action int64, date string) table.Key {
	return table.Key{PK: runPartition(account, agent, action), SK: actionRuns.Of("day/", date)}
}

// ActionEventKey is the key of the note that an action has run for an event of the outbox, where no delivery
// tells so.
func ActionEventKey(account, agent, action, event int64) table.Key {
	return table.Key{PK: runPartition(account, agent, action), SK: actionEvents.Of(table.PadID(event))}
}
