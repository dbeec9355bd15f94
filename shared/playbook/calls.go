package playbook

import "frontdesk/shared/table"

// MaxCalls is how many actions of an agent may call a webhook: one message may set off all of them.
const MaxCalls = 50

// calls is the number of an agent's summary that counts its actions that call a webhook.
const calls = "calls"

// limitCalls has the write of an agent's summary count its actions that call a webhook, and fail beyond
// MaxCalls, where a row becomes one or is one no more. Nil is no row.
func limitCalls[T any](summary *table.Write, before, after *T) {
	change := callsOf(after) - callsOf(before)
	if change == 0 {
		return
	}
	summary.Add[calls] = change
	if change > 0 {
		if summary.AtMost == nil {
			summary.AtMost = map[string]int64{}
		}
		summary.AtMost[calls] = MaxCalls
	}
}

// callsOf returns 1 for an action that calls a webhook, else 0.
func callsOf[T any](row *T) int64 {
	if a, ok := any(row).(*Action); ok && a != nil && a.ActionType == FireWebhook {
		return 1
	}
	return 0
}
