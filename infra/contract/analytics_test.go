package contract

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestAnalytics begins, hands over and resolves conversations, and finds it in the figures.
func TestAnalytics(t *testing.T) {
	s := Open(t)
	c, stranger, pro := s.Client(t, "enterprise"), s.Client(t, "enterprise"), s.Client(t, "pro")
	agent := c.Agent(t, nil)
	id := strings.Split(agent, "/")[2]
	for _, action := range []string{"resolve", "handoff"} {
		a := c.Want(t, 200, "POST", agent+"chat/", map[string]any{"message": "Hello"})
		c.Want(t, 200, "POST", "/conversations/"+a.Number("conversation_id")+"/"+action+"/", nil)
	}
	contact := c.Want(t, 201, "POST", "/contacts/",
		map[string]any{"agent_id": number(id), "phone": "+14155550123", "stage": "customer"})
	c.Want(t, 201, "POST", "/appointments/", map[string]any{
		"agent_id": number(id), "contact_id": number(contact.Number("id")), "title": "Cut",
		"start_time": "2026-12-01T10:00:00Z",
	})
	embed := c.Want(t, 200, "GET", agent+"widget/", nil).Text("embed_key")
	said := c.Want(t, 200, "POST", "/widget/"+embed+"/send/", map[string]any{"message": "Hello"})
	c.Want(t, 200, "POST", "/widget/"+embed+"/feedback/", map[string]any{
		"session_id": said.Text("session_id"), "message_id": said.Fields["message_id"], "rating": "positive",
	})

	// Midnight may have passed since then, nothing more.
	today := time.Now().UTC()
	period := today.AddDate(0, 0, -1).Format(time.DateOnly) + " / " + today.Format(time.DateOnly)
	query := "?since=" + today.AddDate(0, 0, -1).Format(time.DateOnly) + "&until=" +
		today.Format(time.RFC3339)
	whole := c.Want(t, 200, "GET", agent+"analytics/"+query, nil)
	want := map[string]any{
		"period": period, "conversations_total": number("3"), "ai_resolved_pct": number("33.3"),
		"handoff_pct":         number("33.3"),
		"appointments_booked": number("1"), "messages_sent": number("3"), "messages_received": number("3"),
		"ai_input_tokens": number("0"), "ai_output_tokens": number("0"), "ai_cost_usd": number("0"),
	}
	if fmt.Sprint(whole.Fields) != fmt.Sprint(want) {
		t.Errorf("%s, want %v", whole.Body, want)
	}
	days := c.Want(t, 200, "GET", agent+"analytics/conversations/"+query, nil)
	var begun int64
	for _, day := range days.Results() {
		n, err := number(fmt.Sprint(day["count"])).Int64()
		if err != nil || len(fmt.Sprint(day["date"])) != len(time.DateOnly) {
			t.Errorf("%v: %v", day, err)
		}
		begun += n
	}
	if begun != 3 || len(days.Results()) != 2 || days.Text("period") != period ||
		days.Number("agent_id") != id {
		t.Errorf("%s", days.Body)
	}
	leads := c.Want(t, 200, "GET", agent+"analytics/leads/"+query, nil)
	if stages := fmt.Sprint(
		leads.Fields["by_stage"]); stages != "map[churned:0 customer:1 lead:3 prospect:0]" ||
		leads.Number("total_contacts") != "4" ||
		leads.Number("hot_leads") != "0" || leads.Number("warm_leads") != "1" ||
		leads.Number("cold_leads") != "3" || leads.Text("period") != period {
		t.Errorf("%s", leads.Body)
	}
	csat := c.Want(t, 200, "GET", agent+"analytics/csat/?days=2", nil)
	if got := fmt.Sprint(
		csat.Fields["message_feedback"]); got != "map[negative:0 positive:1 satisfaction_rate:100 total:1]" ||
		csat.Fields["csat"] == nil || csat.Fields["sla"] == nil {
		t.Errorf("%s", csat.Body)
	}
	if a := c.Want(t, 200, "GET", agent+"analytics/",
		nil); len(a.Text("period")) != len("2026-03-01 / 2026-03-30") {
		t.Errorf("%s", a.Body)
	}

	for _, path := range []string{"analytics/", "analytics/conversations/", "analytics/leads/",
		"analytics/csat/"} {
		stranger.WantError(t, 404, "not_found", "", "GET", agent+path, nil)
		c.WantError(t, 400, "validation_error", "since", "GET", agent+path+"?since=soon", nil)
		c.WantError(t, 400, "validation_error", "until", "GET",
			agent+path+"?since=2026-03-02&until=2026-03-01", nil)
	}
	for _, days := range []string{"0", "366"} {
		c.WantError(t, 400, "validation_error", "days", "GET", agent+"analytics/csat/?days="+days, nil)
	}
	pro.WantError(t, 501, "not_implemented", "", "GET", pro.Agent(t, nil)+"analytics/csat/", nil)
	c.Want(t, 204, "DELETE", agent, nil)
	c.WantError(t, 404, "not_found", "", "GET", agent+"analytics/", nil)
}
