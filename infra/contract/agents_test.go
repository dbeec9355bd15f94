package contract

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAgentRoundTrip(t *testing.T) {
	c := Open(t).Client(t, "pro")
	created := c.Want(t, 201, "POST", "/agents/", map[string]any{
		"name": "Ada", "industry": "restaurant", "tone": "formal", "business_name": "  Bean There  ",
		"booking_enabled":     false,
		"max_response_length": 50, "response_delay_seconds": 10, "unknown": map[string]any{"a": 1},
	})
	agent := "/agents/" + created.Number("id") + "/"
	if created.Text("status") != "draft" || created.Text("training_status") != "untrained" ||
		created.Text("tone") != "formal" ||
		created.Text("business_name") != "Bean There" || created.Text("language") != "en" ||
		created.Text("industry") != "restaurant" {
		t.Errorf("%s", created.Body)
	}
	for _, group := range []string{"business", "persona", "messages", "features", "capabilities", "sales",
		"ai", "training", "keywords", "widget"} {
		if _, ok := created.Fields[group].(map[string]any); !ok {
			t.Errorf("the full form has no object %s", group)
		}
	}
	read := c.Want(t, 200, "GET", agent, nil)
	if diff := cmp.Diff(created.Fields, read.Fields); diff != "" {
		t.Errorf("created (-), read (+):\n%s", diff)
	}
	// A document that was just read can be sent back.
	sent := c.Want(t, 200, "PATCH", agent, read.Body)
	sent.Fields["updated_at"] = read.Fields["updated_at"]
	if diff := cmp.Diff(read.Fields, sent.Fields); diff != "" {
		t.Errorf("read (-), after sending it back (+):\n%s", diff)
	}
	changed := c.Want(t, 200, "PATCH", agent, map[string]any{"name": "Béa 🙂", "language": "fr"})
	if changed.Text("name") != "Béa 🙂" || changed.Text("language") != "fr" ||
		changed.Text("business_name") != "Bean There" {
		t.Errorf("%s", changed.Body)
	}
	c.Want(t, 204, "DELETE", agent, nil)
	c.WantError(t, 404, "not_found", "", "GET", agent, nil)
	c.WantError(t, 404, "not_found", "", "DELETE", agent, nil)
}

func TestAgentRules(t *testing.T) {
	c := Open(t).Client(t, "enterprise")
	agent := c.Agent(t, nil)
	faqs := func(n int) []any {
		list := make([]any, n)
		for i := range list {
			list[i] = map[string]any{"question": fmt.Sprint("Question ", i), "answer": "Answer"}
		}
		return list
	}
	for _, test := range []struct {
		field string
		value any
		code  string // "" when it is allowed
	}{
		{"name", strings.Repeat("é", 100), ""},
		{"name", strings.Repeat("é", 101), "validation_error"},
		{"name", "", "validation_error"},
		{"name", 5, "bad_request"},
		{"industry", "farming", "validation_error"},
		{"tone", "rude", "validation_error"},
		{"language", "xx", "validation_error"},
		{"conversion_mode", "spam", "validation_error"},
		{"ai_model", "gpt-nothing", "validation_error"},
		{"ai_model", "", "validation_error"},
		{"ai_model", 5, "bad_request"},
		{"ai_model", "bedrock:nothing", "validation_error"},
		{"ai_model", "bedrock:", "validation_error"},
		{"ai_model", "bedrock:claude-haiku-4-5", ""},
		{"ai_model", "openai:", "validation_error"},
		{"ai_model", "openai:two words", "validation_error"},
		{"ai_model", "openai:" + strings.Repeat("a", 101), "validation_error"},
		{"ai_model", "openai:llama3.2:3b", ""},
		{"ai_model", "builtin:", "validation_error"},
		{"ai_model", "builtin", ""},
		{"max_response_length", 49, "validation_error"},
		{"max_response_length", 50, ""},
		{"max_response_length", 4000, ""},
		{"max_response_length", 4001, "validation_error"},
		{"max_response_length", "500", "bad_request"},
		{"channel_pause_seconds", -1, "validation_error"},
		{"channel_pause_seconds", 30, ""},
		{"channel_pause_seconds", 31, "validation_error"},
		{"retention_days", 0, "validation_error"},
		{"retention_days", 3650, ""},
		{"retention_days", 3651, "validation_error"},
		{"retention_days", "90", "bad_request"},
		{"retention_days", nil, ""},
		{"response_delay_seconds", -1, "validation_error"},
		{"response_delay_seconds", 0, ""},
		{"response_delay_seconds", 10, ""},
		{"response_delay_seconds", 11, "validation_error"},
		{"booking_enabled", "true", "bad_request"},
		{"booking_enabled", 1, "bad_request"},
		{"booking_enabled", nil, "bad_request"},
		{"lead_capture_enabled", true, ""},
		{"capability_quote_prices", "no", "bad_request"},
		{"faqs", faqs(200), ""},
		{"faqs", faqs(201), "validation_error"},
		{"faqs", "none", "bad_request"},
		{"available_services", make([]string, 0), ""},
		{"available_services", strings.Split(strings.Repeat("a,", 200), ","), "validation_error"},
	} {
		body := map[string]any{test.field: test.value}
		if test.code == "" {
			c.Want(t, 200, "PATCH", agent, body)
			continue
		}
		a := c.Call(t, "PATCH", agent, body)
		if a.Status != 400 || a.Text("error") != test.code || test.code == "validation_error" &&
			a.Text("field") != test.field {
			t.Errorf("%s = %.40v: %d %s", test.field, test.value, a.Status, a.Body)
		}
	}
	c.WantError(t, 400, "validation_error", "name", "POST", "/agents/", map[string]any{"tone": "formal"})
	if a := c.Call(t, "PATCH", agent, map[string]any{"tone": "rude"}); !strings.Contains(a.Text("detail"),
		"friendly, professional, casual, formal, enthusiastic, empathetic") {
		t.Errorf("the allowed values are not listed: %s", a.Body)
	}
	if a := c.Call(t, "PATCH", agent,
		map[string]any{"ai_model": "gpt-nothing"}); !strings.Contains(a.Text("detail"),
		"builtin, bedrock:claude-haiku-4-5, ") || !strings.Contains(a.Text("detail"), ", openai:<name>") {
		t.Errorf("the models are not listed: %s", a.Body)
	}
}

// TestModelOfPlan chooses language models on a small plan: a dear one is refused, others are not.
func TestModelOfPlan(t *testing.T) {
	c := Open(t).Client(t, "free")
	agent := c.Agent(t, nil)
	c.WantError(t, 403, "plan_limit", "ai_model", "PATCH", agent,
		map[string]any{"ai_model": "bedrock:claude-opus-4-6"})
	cheap := c.Want(t, 200, "PATCH", agent,
		map[string]any{"ai_model": "bedrock:nova-lite", "ai_daily_budget_usd": 0.5})
	if ai := cheap.Fields["ai"].(map[string]any); fmt.Sprintf("%v %v", ai["ai_daily_budget_usd"],
		ai["restrictions"]) != "0.5 []" {
		t.Errorf("%v", ai)
	}
	none := c.Want(t, 200, "PATCH", agent, map[string]any{"ai_daily_budget_usd": 0})
	if ai := none.Fields["ai"].(map[string]any); fmt.Sprint(ai["restrictions"]) != "[budget_spent]" {
		t.Errorf("%v", ai)
	}
}

func TestAgentStates(t *testing.T) {
	c := Open(t).Client(t, "pro")
	agent := c.Agent(t, map[string]any{"faqs": []any{}})
	trained := c.Want(t, 200, "POST", agent+"train/", nil)
	if trained.Text("training_status") != "ready" || trained.Text("system_prompt") == "" ||
		trained.Fields["can_activate"] != false {
		t.Errorf("trained without knowledge: %s", trained.Body)
	}
	c.Want(t, 200, "PATCH", agent, map[string]any{"business_description": "A café."})
	if trained := c.Want(t, 200, "POST", agent+"train/", nil); trained.Fields["can_activate"] != true ||
		!strings.Contains(trained.Text("system_prompt"), "A café.") {
		t.Errorf("trained with a description: %s", trained.Body)
	}
	for _, step := range []struct{ action, status string }{{"activate", "active"}, {"activate", "active"},
		{"pause", "paused"}, {"pause", "paused"}, {"activate", "active"}} {
		a := c.Want(t, 200, "POST", agent+step.action+"/", nil)
		if _, full := a.Fields["business"]; a.Text("status") != step.status || full ||
			a.Text("training_status") != "ready" {
			t.Errorf("%s: %s", step.action, a.Body)
		}
	}
}

func TestAgentLimit(t *testing.T) {
	c := Open(t).Client(t, "starter")
	var made, refused atomic.Int64
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			switch a, err := c.Try("POST", "/agents/", map[string]any{"name": "Ada"}); {
			case err == nil && a.Status == 201:
				made.Add(1)
			case err == nil && a.Status == 403 && a.Text("error") == "plan_limit":
				refused.Add(1)
			default:
				t.Errorf("%v %d %s", err, a.Status, a.Body)
			}
		})
	}
	wg.Wait()
	if made.Load() != 3 || refused.Load() != 5 {
		t.Errorf("%d made and %d refused on a plan with three", made.Load(), refused.Load())
	}
	list := c.Want(t, 200, "GET", "/agents/", nil)
	if list.Number("count") != "3" || len(list.Results()) != 3 {
		t.Errorf("%s", list.Body)
	}
	c.Want(t, 204, "DELETE", "/agents/"+fmt.Sprint(list.Results()[0]["id"])+"/", nil)
	c.Want(t, 201, "POST", "/agents/", map[string]any{"name": "Ada"})
}

func TestWidget(t *testing.T) {
	s := Open(t)
	c, base := s.Client(t, "pro"), s.Base
	if s.public != "" {
		base = s.public + "/api/v1/"
	}
	agent := c.Agent(t, nil)
	widget := c.Want(t, 200, "GET", agent+"widget/", nil)
	key := widget.Text("embed_key")
	endpoints, _ := widget.Fields["endpoints"].(map[string]any)
	for _, name := range []string{"config", "send", "history"} {
		if endpoints[name] != base+"widget/"+key+"/"+name+"/" {
			t.Errorf("endpoint %s is %v", name, endpoints[name])
		}
	}
	snippet := widget.Text("embed_snippet")
	if !strings.Contains(snippet, `data-agent="`+key+`"`) ||
		!strings.Contains(snippet, `src="`+widget.Text("script_url")+`"`) ||
		!strings.Contains(snippet, `data-color="`+widget.Text("primary_color")+`"`) ||
		!strings.Contains(snippet, " defer") ||
		!strings.Contains(widget.Text("loader_url"),
			strings.Trim(strings.TrimPrefix(agent, "/agents/"), "/")) {
		t.Errorf("%s", widget.Body)
	}
	changed := c.Want(t, 200, "PATCH", agent+"widget/", map[string]any{
		"enabled": false, "primary_color": "#AbCdEf", "brand_name": `<b>"Bean" & There</b>`,
		"script_url": "https://evil.example", "embed_key": "mine",
	})
	if changed.Fields["enabled"] != false || changed.Text("primary_color") != "#AbCdEf" ||
		changed.Text("brand_name") != `<b>"Bean" & There</b>` ||
		changed.Text("script_url") != widget.Text("script_url") || changed.Text("embed_key") != key {
		t.Errorf("%s", changed.Body)
	}
	for _, colour := range []string{"red", "#fff", "#12345g", "123456", "#1234567", ""} {
		c.WantError(t, 400, "validation_error", "primary_color", "PATCH", agent+"widget/",
			map[string]any{"primary_color": colour})
	}
	rotated := c.Want(t, 200, "POST", agent+"widget/rotate-key/", nil)
	if rotated.Text("embed_key") == key || rotated.Text("embed_key") == "" ||
		rotated.Text("brand_name") != changed.Text("brand_name") {
		t.Errorf("%s", rotated.Body)
	}
	if summary, _ := c.Want(t, 200, "GET", agent,
		nil).Fields["widget"].(map[string]any); summary["embed_key"] != rotated.Text("embed_key") {
		t.Errorf("the agent has the widget %v", summary)
	}
}
