package playbook

import (
	"frontdesk/shared/agent"
	"frontdesk/shared/table"
)

// subscriptions are what changes in the numbers of an agent that count the subscriptions of its actions; see
// event.Trigger. They are kept twice: in the summary, and in the mark for those who do not read the summary.
type subscriptions map[string]int64

// A subscriber is a row that subscribes to events.
type subscriber interface {
	// numbers are those that count the row.
	numbers() []string
}

// subscriptionsOf is what changes when the row before becomes after; nil is none.
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

// mark is the write that keeps the mark; there is none where nothing changes.
func (s subscriptions) mark(account, agentID int64) []table.Write {
	if len(s) == 0 {
		return nil
	}
	return []table.Write{{Op: table.OpAdd, Item: table.Item{Key: agent.TriggersKey(account, agentID)},
		Add: s}}
}
