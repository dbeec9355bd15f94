package playbook

import (
	"frontdesk/shared/agent"
	"frontdesk/shared/table"
)

// subscriptions are changes of the numbers that count the subscriptions of an agent's actions; see
// event.Trigger. They are stored in the agent's summary, and in its mark for writers that do not read the
// summary.
type subscriptions map[string]int64

// A subscriber is a row that subscribes to events.
type subscriber interface {
	// numbers returns the names of the numbers that count the row.
	numbers() []string
}

// subscriptionsOf returns the change when before becomes after; nil means none.
func subscriptionsOf[T any](before, after *T) subscriptions {
	change := subscriptions{}
	count := func(row *T, n int64) {
		s, ok := any(row).(subscriber)
		if row == nil || !ok {
			return
		}
		for _, number := range s.numbers() {
			change[number] += n
			if change[number] == 0 {
				delete(change, number)
			}
		}
	}
	count(before, -1)
	count(after, 1)
	return change
}

// mark returns the write that updates the mark, none if nothing changes.
func (s subscriptions) mark(account, agentID int64) []table.Write {
	if len(s) == 0 {
		return nil
	}
	return []table.Write{{Op: table.OpAdd, Item: table.Item{Key: agent.TriggersKey(account, agentID)},
		Add: s}}
}
