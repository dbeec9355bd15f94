package agents_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"frontdesk/functions/agents"
	"frontdesk/shared/agent"
)

// TestModelsOfPlans holds language models to the plan: a dear one is refused when it is chosen, and where the
// plan has become a smaller one the agent says that the built-in engine answers.
func TestModelsOfPlans(t *testing.T) {
	s := serve(t)
	c := s.client(t, "pro")
	const dear, cheap, unknown = `"bedrock:claude-sonnet-4-6"`, `"bedrock:nova-lite"`, `"openai:llama3.2"`
	a := c.create(t, `{"name": "Mia", "ai_model": `+dear+`}`)
	if len(a.AI.Restrictions) != 0 || a.AI.AIDailyBudgetUSD != 20 {
		t.Errorf("on pro: %+v", a.AI)
	}
	c.WantError(t, 403, "plan_limit", "ai_model", "PATCH", path(a.ID),
		`{"ai_model": "bedrock:claude-opus-4-6"}`)
	c.WantError(t, 403, "plan_limit", "ai_model", "POST", "/agents/",
		`{"name": "Max", "ai_model": "bedrock:claude-opus-4-6"}`)

	if _, err := s.Workspaces.SetPlan(t.Context(), c.Account, "free"); err != nil {
		t.Fatal(err)
	}
	if got := c.get(t, a.ID).AI.Restrictions; !cmp.Equal(got, []agent.Restriction{agent.ModelNotInPlan}) {
		t.Errorf("on free: %v", got)
	}
	c.call(t, "PATCH", path(a.ID), `{"name": "Ada"}`, 200, nil) // another field may be changed all the same
	for _, model := range []string{cheap, unknown, `"builtin"`} {
		var got agents.Agent
		c.call(t, "PATCH", path(a.ID), `{"ai_model": `+model+`}`, 200, &got)
		if len(got.AI.Restrictions) != 0 {
			t.Errorf("%s: %v", model, got.AI.Restrictions)
		}
	}
}

// TestBudget shows what a language model has cost today, and that its budget is spent.
func TestBudget(t *testing.T) {
	s := serve(t)
	c := s.client(t, "free")
	a := c.create(t, `{"name": "Mia", "ai_model": "bedrock:nova-lite", "ai_daily_budget_usd": 0.5}`)
	spend := func(microUSD int64) {
		if err := s.Table.Transact(t.Context(),
			agent.Spend(c.Account, a.ID, s.Now(), microUSD, 1_000_000)); err != nil {
			t.Fatal(err)
		}
	}
	spend(499_999)
	if got := c.get(t, a.ID).AI.Limits; !cmp.Equal(got,
		agents.Limits{AIDailyBudgetUSD: 0.5, AISpentTodayUSD: 0.499999,
			Restrictions: []agent.Restriction{}}) {
		t.Errorf("%+v", got)
	}
	spend(1)
	if got := c.get(t, a.ID).AI.Restrictions; !cmp.Equal(got, []agent.Restriction{agent.BudgetSpent}) {
		t.Errorf("%v", got)
	}
	var got agents.Agent
	c.call(t, "PATCH", path(a.ID), `{"ai_daily_budget_usd": null}`, 200, &got)
	if got.AI.AIDailyBudgetUSD != 1 || len(got.AI.Restrictions) != 0 {
		t.Errorf("by the plan: %+v", got.AI.Limits)
	}
	for _, bad := range []string{"-0.01", "10001"} {
		c.WantError(t, 400, "validation_error", "ai_daily_budget_usd", "PATCH", path(a.ID),
			`{"ai_daily_budget_usd": `+bad+`}`)
	}
}

// TestDowngrade leaves a workspace with more agents than its plan has: the oldest answer, the others say that
// they do not, and a deletion makes room for the next.
func TestDowngrade(t *testing.T) {
	s := serve(t)
	c := s.client(t, "starter")
	var ids []int64
	for range 3 {
		ids = append(ids, c.create(t, `{"name": "Mia"}`).ID)
	}
	if _, err := s.Workspaces.SetPlan(t.Context(), c.Account, "free"); err != nil {
		t.Fatal(err)
	}
	over := func() (over []bool) {
		for _, id := range ids {
			over = append(over, cmp.Equal(c.get(t, id).AI.Restrictions, []agent.Restriction{agent.OverPlan}))
		}
		return over
	}
	if got := over(); !cmp.Equal(got, []bool{false, true, true}) {
		t.Errorf("%v", got)
	}
	c.call(t, "DELETE", path(ids[0]), "", 204, nil)
	ids = ids[1:]
	if got := over(); !cmp.Equal(got, []bool{false, true}) {
		t.Errorf("after the oldest is gone: %v", got)
	}
}
