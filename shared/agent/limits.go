package agent

import (
	"context"
	"time"

	"frontdesk/shared/table"
)

// A Restriction is a reason why an agent does not answer as it is configured.
type Restriction string

// The restrictions.
const (
	// OverPlan means that the plan allows fewer agents than the workspace has. Only the oldest ones answer,
	// and this is not one of them.
	OverPlan Restriction = "agent_limit"
	// ModelNotInPlan says that the plan does not have the agent's language model: the built-in engine
	// answers.
	ModelNotInPlan Restriction = "model_not_in_plan"
	// BudgetSpent says that the agent's language model has cost its budget today: the built-in engine
	// answers.
	BudgetSpent Restriction = "budget_spent"
)

// Values lists the restrictions.
func (Restriction) Values() []string {
	return []string{string(OverPlan), string(ModelNotInPlan), string(BudgetSpent)}
}

// spent is the number of an item under SpentKey: millionths of a dollar.
const spent = "micro_usd"

// keepSpent is how long the sums of past days are stored.
const keepSpent = 90 * 24 * time.Hour

// Spent returns the sum in an item under SpentKey, in millionths of a dollar.
func Spent(item table.Item) int64 { return item.Numbers[spent] }

// Spend returns the write that adds to what the agent's language model has cost on a day. The condition of a
// positive amount fails if the budget, in millionths of a dollar, is spent: the last call of a day may exceed
// it.
func Spend(account, agent int64, now time.Time, microUSD, budget int64) table.Write {
	key := SpentKey(account, agent, now)
	w := table.Add(key, spent, microUSD)
	if microUSD > 0 {
		w = table.AddAtMost(key, spent, microUSD, budget-1+microUSD)
	}
	w.Item.Expires = now.UTC().Truncate(24 * time.Hour).Add(keepSpent)
	return w
}

// Budget returns what the agent's language model may cost in a day, in millionths of a dollar: its own
// budget, or else the plan's.
func (s *Summary) Budget(plan int64) int64 {
	if s.AIDailyBudget != nil {
		return *s.AIDailyBudget
	}
	return plan
}

// Fits reports whether a workspace has no more agents than its plan, by the item under CountKey.
func Fits(count table.Item, limit int64) bool { return count.Numbers[agents] <= limit }

// AnswersIn reports whether an agent answers in a workspace whose plan has limit agents: the oldest ones do.
// count is the item under CountKey. It takes a round trip only if the workspace has more agents than that.
func AnswersIn(ctx context.Context, t table.Table, account, agent int64, count table.Item,
	limit int64) (bool, error) {
	if Fits(count, limit) {
		return true, nil
	}
	key := Key(account, agent)
	older, err := t.Query(ctx, table.Query{
		PK: key.PK, From: string(ListPrefix), To: key.SK, Limit: int(limit), Stale: true,
	})
	if err != nil {
		return false, err
	}
	for _, item := range older.Items {
		if item.Key == key {
			return true, nil
		}
	}
	return false, nil
}
