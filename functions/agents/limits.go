package agents

import (
	"context"
	"math"

	"frontdesk/shared/agent"
	"frontdesk/shared/ai"
	"frontdesk/shared/auth"
	"frontdesk/shared/fault"
	"frontdesk/shared/table"
)

// Limits are the limits of an agent's replies, and why it does not answer as it is configured.
type Limits struct {
	AIDailyBudgetUSD float64             `json:"ai_daily_budget_usd" doc:"The agent's own, or else the plan's." example:"5"`
	AISpentTodayUSD  float64             `json:"ai_spent_today_usd" doc:"What the language model has cost since midnight in UTC, by list prices; 0 where the price of the model is not known." example:"0.42"`
	Restrictions     []agent.Restriction `json:"restrictions" doc:"Why the agent does not answer as it is set up. agent_limit: the plan has fewer agents, of which the oldest answer, and this one keeps messages for people. model_not_in_plan and budget_spent: the built-in engine answers in place of the language model, the latter until midnight in UTC." example:"[]"`
}

const microUSD = 1_000_000 // micro-dollars in a dollar

// limitsOf returns the limits of an agent that has spent so many micro-dollars today. A model without a price
// spends nothing, so no budget restricts it.
func limitsOf(plan auth.Plan, a *agent.Agent, spent int64, more ...agent.Restriction) Limits {
	budget := a.Budget(plan.DailyBudget)
	l := Limits{
		AIDailyBudgetUSD: float64(budget) / microUSD, AISpentTodayUSD: float64(spent) / microUSD,
		Restrictions: append([]agent.Restriction{}, more...),
	}
	switch price := a.AIModel.Price(); {
	case !hasModel(plan, a.AIModel):
		l.Restrictions = append(l.Restrictions, agent.ModelNotInPlan)
	case price != ai.Price{} && spent >= budget:
		l.Restrictions = append(l.Restrictions, agent.BudgetSpent)
	}
	return l
}

// limitKeys returns the keys of the items that withLimits needs.
func (s *Service) limitKeys(account, id int64) []table.Key {
	return []table.Key{agent.CountKey(account), agent.SpentKey(account, id, s.Now())}
}

// withLimits returns the agent with its limits. items has what limitKeys named.
func (s *Service) withLimits(ctx context.Context, a *agent.Agent, items map[table.Key]table.Item) (Agent,
	error) {
	plan := auth.CallerOf(ctx).Plan
	answers, err := agent.AnswersIn(ctx, s.Table, a.AccountID, a.ID, items[agent.CountKey(a.AccountID)],
		plan.Agents)
	if err != nil {
		return Agent{}, err
	}
	var over []agent.Restriction
	if !answers {
		over = append(over, agent.OverPlan)
	}
	spent := agent.Spent(items[agent.SpentKey(a.AccountID, a.ID, s.Now())])
	return agentOf(ctx, a, limitsOf(plan, a, spent, over...)), nil
}

func hasModel(plan auth.Plan, model ai.ModelName) bool { return plan.HasModel(model.Price().Output) }

// checkModel refuses a language model that the caller's plan does not include.
func (in *fields) checkModel(plan auth.Plan) error {
	if hasModel(plan, in.AIModel.Value) {
		return nil
	}
	e := fault.New(fault.PlanLimit, "The plan %s has language models of at most $%d for a million tokens "+
		"of output; %s costs more.",
		plan.Name, plan.ModelPrice/microUSD, in.AIModel.Value)
	e.Field = "ai_model"
	return e
}

// setBudget sets the daily budget if one was sent. null selects the plan's budget.
func (in *fields) setBudget(a *agent.Agent) {
	if !in.AIDailyBudgetUSD.Set {
		return
	}
	a.AIDailyBudget = nil
	if !in.AIDailyBudgetUSD.Null {
		budget := int64(math.Round(in.AIDailyBudgetUSD.Value * microUSD))
		a.AIDailyBudget = &budget
	}
}
