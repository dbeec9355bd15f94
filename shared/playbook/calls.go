package playbook

import "frontdesk/shared/table"

// MaxCalls is the limit of an agent's actions that call a webhook: one message may trigger all of them.
const MaxCalls = 50

// calls is the number in the agent's summary that counts its actions that call a webhook.
const calls = "calls"

// limitCalls makes the write of the agent's summary count the actions that call a webhook, and fail above
// MaxCalls. nil means no row.
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

// callsOf returns 1 for an action that calls a webhook, otherwise 0.
func callsOf[T any](row *T) int64 {
	if a, ok := any(row).(*Action); ok && a != nil && a.ActionType == FireWebhook {
		return 1
	}
	return 0
}
