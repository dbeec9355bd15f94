package widget_test

import (
	"fmt"
	"net/http"
	"strconv"
	"testing"

	"frontdesk/shared/auth"
)

// TestContactsOfOneAddress has one address make up visitors: it begins as many sessions a day as the plan
// allows, and no more contacts than those.
func TestContactsOfOneAddress(t *testing.T) {
	s := serve(t)
	plan, err := auth.PlanNamed("free")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.workspaces.SetPlan(t.Context(), s.agent.AccountID, plan.Name); err != nil {
		t.Fatal(err)
	}
	visitor := func(i int) map[string]any {
		return map[string]any{
			"session_id": fmt.Sprintf("11111111-2222-4333-8444-555555555%03d", i),
			"phone":      fmt.Sprintf("+1415555%04d", i),
		}
	}
	made := map[string]bool{}
	for i := range int(plan.Visitor.Sessions) {
		made[s.visitor().Want(t, 200, "POST", s.public()+"visitor/", visitor(i)).Number("contact_id")] = true
	}
	if len(made) != int(plan.Visitor.Sessions) {
		t.Errorf("%d contacts", len(made))
	}
	next := visitor(len(made))
	refused := s.visitor().WantError(t, 429, "rate_limited", "", "POST", s.public()+"visitor/", next)
	if wait, err := strconv.Atoi(refused.Header.Get("Retry-After")); err != nil || wait < 1 ||
		wait > 24*60*60 {
		t.Errorf("Retry-After: %q", refused.Header.Get("Retry-After"))
	}
	s.visitor().WantError(t, 429, "rate_limited", "", "POST", s.public()+"send/", `{"message": "Hello"}`)
	s.visitor().Want(t, 200, "POST", s.public()+"visitor/", visitor(0)) // a session that there is goes on
}

// TestLoaderIsCounted loads an agent's loader as often as one address may in a minute, and once more.
func TestLoaderIsCounted(t *testing.T) {
	s := serve(t)
	path := fmt.Sprintf("/widget/loader/%d.js", s.agent.ID)
	refused := 0
	for range 1300 { // of which 600 are let through in each minute of the clock
		answer, err := http.Get(s.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		switch answer.StatusCode {
		case http.StatusOK:
		case http.StatusTooManyRequests:
			refused++
		default:
			t.Fatal(answer.Status)
		}
	}
	if refused == 0 {
		t.Error("all were served")
	}
}
