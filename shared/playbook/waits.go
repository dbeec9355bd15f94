package playbook

import (
	"frontdesk/shared/agent"
	"frontdesk/shared/table"
)

// waits is what changes in the numbers of an agent that count what its actions wait for; see package trigger. They are
// kept twice: in the summary and, for those who do not read it, in the mark.
type waits map[string]int64

// A waiter is met by rows that wait for something.
type waiter interface {
	// numbers are those that count the row.
	numbers() []string
}

// waitsOf is what changes when the row before becomes after; nil is none.
func waitsOf[T any](before, after *T) waits {
	change := waits{}
	count := func(row *T, n int64) {
		w, ok := any(row).(waiter)
		if row == nil || !ok {
			return
		}
		for _, number := range w.numbers() {
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
func (w waits) mark(account, agentID int64) []table.Write {
	if len(w) == 0 {
		return nil
	}
	return []table.Write{{Op: table.OpAdd, Item: table.Item{Key: agent.TriggersKey(account, agentID)}, Add: w}}
}
