package agents_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"frontdesk/functions/agents"
)

// TestRefusals sends what breaks a rule, to the creation and to the change, and looks that nothing changed.
func TestRefusals(t *testing.T) {
	c := serve(t).client(t, "free")
	a := c.create(t, `{"name": "Mia"}`)
	faqs := func(n int) string {
		return "[" + strings.TrimSuffix(strings.Repeat(`{"question": "q"},`, n), ",") + "]"
	}
	texts := func(n int) string { return "[" + strings.TrimSuffix(strings.Repeat(`"s",`, n), ",") + "]" }
	type failure struct{ code, field string }
	broken := func(field string) failure { return failure{"validation_error", field} }
	wrong := failure{code: "bad_request"}
	for _, test := range []struct {
		body   string
		want   failure
		detail string // a part of it
	}{
		{`{"name": ""}`, broken("name"), ""},
		{`{"name": "  "}`, broken("name"), ""},
		{`{"name": "` + strings.Repeat("a", 101) + `"}`, broken("name"), "100"},
		{`{"name": "` + strings.Repeat("😀", 101) + `"}`, broken("name"), "100"},
		{`{"name": null}`, wrong, ""},
		{`{"name": 5}`, wrong, ""},

		{`{"industry": "circus"}`, broken("industry"), "general, restaurant, retail, real_estate, " +
			"healthcare, beauty, fitness, legal, education, hospitality, automotive, home_services, " +
			"finance, travel, technology"},
		{`{"industry": ""}`, broken("industry"), "general"},
		{`{"tone": "Friendly"}`, broken("tone"),
			"friendly, professional, casual, formal, enthusiastic, empathetic"},
		{`{"language": "xx"}`, broken("language"), "en, es"},
		{`{"conversion_mode": "magic"}`, broken("conversion_mode"), "none, lead_capture, booking, sales"},
		{`{"ai_model": "gpt"}`, broken("ai_model"), "builtin"},
		{`{"tone": 1}`, wrong, ""},
		{`{"tone": null}`, wrong, ""},

		{`{"business_name": 5}`, wrong, ""},
		{`{"business_name": null}`, wrong, ""},
		{`{"business_hours": {"monday": "9-5"}}`, wrong, ""},
		{`{"phone_number": "12345"}`, broken("phone_number"), "E.164"},
		{`{"business_email": "nobody"}`, broken("business_email"), ""},
		{`{"timezone": "Mars/Olympus"}`, broken("timezone"), "IANA"},
		{`{"timezone": "Local"}`, broken("timezone"), "IANA"},
		{`{"timezone": "../../etc/passwd"}`, broken("timezone"), "IANA"},

		{`{"booking_enabled": "yes"}`, wrong, "true or false"},
		{`{"lead_capture_enabled": 1}`, wrong, ""},
		{`{"capability_small_talk": "true"}`, wrong, ""},
		{`{"ai_enabled": null}`, wrong, ""},

		{`{"max_response_length": 49}`, broken("max_response_length"), "50 to 4000"},
		{`{"max_response_length": 4001}`, broken("max_response_length"), ""},
		{`{"max_response_length": "100"}`, wrong, ""},
		{`{"max_response_length": 100.5}`, wrong, ""},
		{`{"max_response_length": null}`, wrong, ""},
		{`{"channel_pause_seconds": -1}`, broken("channel_pause_seconds"), "0 to 30"},
		{`{"channel_pause_seconds": 31}`, broken("channel_pause_seconds"), ""},
		{`{"channel_pause_seconds": "2"}`, wrong, ""},
		{`{"response_delay_seconds": -1}`, broken("response_delay_seconds"), "0 to 10"},
		{`{"response_delay_seconds": 11}`, broken("response_delay_seconds"), ""},
		{`{"response_delay_seconds": true}`, wrong, ""},

		{`{"faqs": ` + faqs(201) + `}`, broken("faqs"), "200"},
		{`{"faqs": {}}`, wrong, ""},
		{`{"faqs": ["Parking?"]}`, wrong, ""},
		{`{"faqs": [{"answer": "Yes."}]}`, broken("faqs.0.question"), ""},
		{`{"faqs": [{"question": "a"}, {"question": " "}]}`, broken("faqs.1.question"), ""},
		{`{"faqs": [{"question": 5}]}`, wrong, ""},
		{`{"faqs": [` + strings.TrimSuffix(strings.Repeat(`{"question": "q", "answer": "`+strings.Repeat("a",
			2000)+`"},`, 190), ",") + `]}`, broken("faqs"), "358400 bytes"},
		{`{"available_services": ` + texts(201) + `}`, broken("available_services"), "200"},
		{`{"available_services": "Repairs"}`, wrong, ""},
		{`{"available_services": [5]}`, wrong, ""},
		{`{"available_services": ["Repairs", " "]}`, broken("available_services"), ""},

		{`{"primary_color": "#12345"}`, broken("primary_color"), ""},
		{`{"primary_color": "#12345g"}`, broken("primary_color"), ""},
		{`{"primary_color": "123456"}`, broken("primary_color"), ""},
		{`{"secondary_color": ""}`, broken("secondary_color"), ""},
		{`{"secondary_color": "red"}`, broken("secondary_color"), ""},
		{`{"logo_url": "javascript:alert(1)"}`, broken("logo_url"), ""},

		{`{"tone": "casual"`, wrong, ""},
		{`[]`, wrong, ""},
	} {
		method, path, body := "PATCH", path(a.ID), test.body
		for range 2 {
			got := c.WantError(t, 400, test.want.code, test.want.field, method, path, body)
			if !strings.Contains(got.Text("detail"), test.detail) {
				t.Errorf("%s %.80s: %s, want %q in it", method, body, got.Body, test.detail)
			}
			// The same in a creation, which has a name.
			method, path = "POST", "/agents/"
			if rest, ok := strings.CutPrefix(body, "{"); ok && !strings.HasPrefix(rest, `"name"`) {
				body = `{"name": "Leo", ` + rest
			}
		}
	}
	if diff := cmp.Diff(a, c.get(t, a.ID)); diff != "" {
		t.Errorf("a refusal changed the agent:\n%s", diff)
	}
	c.WantError(t, 400, "validation_error", "name", "POST", "/agents/", `{"tone": "casual"}`)
}

// TestEdges sends what is just within the limits.
func TestEdges(t *testing.T) {
	c := serve(t).client(t, "enterprise")
	list := func(n int, entry string) string {
		return "[" + strings.TrimSuffix(strings.Repeat(entry+",", n), ",") + "]"
	}
	for _, test := range []struct {
		field, value string
		want         func(agents.Agent) any
		is           any
	}{
		{"name", `"` + strings.Repeat("😀", 100) + `"`, func(a agents.Agent) any { return a.Name },
			strings.Repeat("😀", 100)},
		{"name", `"  ` + strings.Repeat("a", 100) + `\n"`, func(a agents.Agent) any { return a.Name },
			strings.Repeat("a", 100)},
		{"max_response_length", "50", func(a agents.Agent) any { return a.AI.MaxResponseLength }, 50},
		{"max_response_length", "4000", func(a agents.Agent) any { return a.AI.MaxResponseLength }, 4000},
		{"max_response_length", "1e2", func(a agents.Agent) any { return a.AI.MaxResponseLength }, 100},
		{"response_delay_seconds", "0", func(a agents.Agent) any { return a.AI.ResponseDelaySeconds }, 0},
		{"response_delay_seconds", "10", func(a agents.Agent) any { return a.AI.ResponseDelaySeconds }, 10},
		{"faqs", list(200, `{"question": "q", "answer": "a", "id": 3}`),
			func(a agents.Agent) any { return len(a.Training.FAQs) }, 200},
		{"faqs", "[]", func(a agents.Agent) any { return len(a.Training.FAQs) }, 0},
		{"available_services", list(200, `" s "`),
			func(a agents.Agent) any { return strings.Join(a.Business.AvailableServices, "") },
			strings.Repeat("s", 200)},
		{"business_name", `" ` + strings.Repeat("ñ", 201) + ` "`,
			func(a agents.Agent) any { return a.BusinessName }, strings.Repeat("ñ", 200)},
		{"business_description", `"` + strings.Repeat("a", 4001) + `"`,
			func(a agents.Agent) any { return len(a.Business.BusinessDescription) }, 4000},
		{"instructions", `"` + strings.Repeat("a", 9000) + `"`,
			func(a agents.Agent) any { return len(a.Training.Instructions) }, 8000},
		{"website_url", `"` + strings.Repeat("a", 501) + `"`,
			func(a agents.Agent) any { return len(a.Business.WebsiteURL) }, 500},
		{"greeting_message", `"` + strings.Repeat("a", 501) + `"`,
			func(a agents.Agent) any { return len(a.Messages.GreetingMessage) }, 500},
		{"welcome_message", `"` + strings.Repeat("a", 501) + `"`,
			func(a agents.Agent) any { return len(a.Widget.WelcomeMessage) }, 500},
		{"phone_number", `""`, func(a agents.Agent) any { return a.PhoneNumber }, ""},
		{"business_email", `" "`, func(a agents.Agent) any { return a.Business.BusinessEmail }, ""},
		{"timezone", `""`, func(a agents.Agent) any { return a.Business.Timezone }, "UTC"},
		{"timezone", `"America/Argentina/Buenos_Aires"`,
			func(a agents.Agent) any { return a.Business.Timezone }, "America/Argentina/Buenos_Aires"},
		{"primary_color", `"#AbCdEf"`, func(a agents.Agent) any { return a.Widget.PrimaryColor }, "#AbCdEf"},
	} {
		name := `"name": "Mia", `
		if test.field == "name" {
			name = ""
		}
		created := c.create(t, fmt.Sprintf(`{%s"%s": %s}`, name, test.field, test.value))
		if diff := cmp.Diff(test.is, test.want(created)); diff != "" {
			t.Errorf("creation with %s %.40s:\n%s", test.field, test.value, diff)
		}
		var changed agents.Agent
		c.call(t, "PATCH", path(created.ID), fmt.Sprintf(`{"%s": %s}`, test.field, test.value), 200, &changed)
		if diff := cmp.Diff(test.is, test.want(changed)); diff != "" {
			t.Errorf("change of %s to %.40s:\n%s", test.field, test.value, diff)
		}
	}
}

// TestLargest fills every text to its limit with what takes the most room as JSON: the items must still fit
// the table.
func TestLargest(t *testing.T) {
	c := serve(t).client(t, "free")
	// white space would be trimmed, and the last one is cut
	long := func(n int) string { return strings.Repeat("\x01", n) + "." }
	fields := map[string]any{"name": strings.Repeat("\x01", 100)}
	for name, n := range map[string]int{
		"business_name": 200, "business_description": 4000, "business_hours": 500, "business_address": 300,
		"website_url":  500,
		"persona_name": 100, "persona_description": 1000, "greeting_message": 500, "fallback_message": 500,
		"handoff_message": 500, "out_of_hours_message": 500, "goodbye_message": 500, "call_to_action": 300,
		"current_offers": 1000, "qualifying_questions": 1000, "instructions": 8000, "restricted_topics": 1000,
		"handoff_keywords": 500, "urgent_keywords": 500, "opt_out_keywords": 500, "brand_name": 100,
		"button_text": 50,
		"tagline":     150, "welcome_message": 500,
	} {
		fields[name] = long(n)
	}
	services := make([]string, 200)
	for i := range services {
		services[i] = long(200)
	}
	fields["available_services"] = services
	body, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	a := c.create(t, string(body))
	if got := c.get(t, a.ID); len(got.Business.AvailableServices) != 200 ||
		len(got.Training.Instructions) != 8000 {
		t.Errorf("kept: %d services, %d characters of instructions", len(got.Business.AvailableServices),
			len(got.Training.Instructions))
	}
}
