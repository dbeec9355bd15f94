package agents_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"frontdesk/functions/agents"
	"frontdesk/shared/agent"
)

// TestTemplates makes an agent of every industry, with nothing else said.
func TestTemplates(t *testing.T) {
	c := serve(t).client(t, "enterprise")
	seen := map[string]agent.Industry{}
	for _, name := range agent.Industry("").Values() {
		industry := agent.Industry(name)
		a := c.create(t, fmt.Sprintf(`{"name": "Mia", "industry": "%s"}`, industry))
		if a.Industry != industry || a.Status != agent.Draft {
			t.Errorf("%s: %+v", industry, a.AgentSummary)
		}
		for what, text := range map[string]string{
			"greeting": a.Messages.GreetingMessage, "fallback": a.Messages.FallbackMessage,
			"handoff":      a.Messages.HandoffMessage,
			"out of hours": a.Messages.OutOfHoursMessage, "goodbye": a.Messages.GoodbyeMessage,
			"opt out": a.Keywords.OptOutKeywords,
		} {
			if text == "" {
				t.Errorf("%s: no text for %s", industry, what)
			}
		}
		if len(a.Training.FAQs) < 5 {
			t.Errorf("%s: %d FAQs", industry, len(a.Training.FAQs))
		}
		for _, faq := range a.Training.FAQs {
			if faq.Answered() {
				t.Errorf("%s: the template answers %q", industry, faq.Question)
			}
		}
		specific := a.Business.BusinessHours != "" && len(a.Business.AvailableServices) > 0 &&
			a.Sales.CallToAction != ""
		if specific != (industry != agent.General) {
			t.Errorf("%s: hours %q, services %q, call to action %q", industry, a.Business.BusinessHours,
				a.Business.AvailableServices, a.Sales.CallToAction)
		}
		if other, ok := seen[a.Messages.GreetingMessage+a.Training.Instructions]; ok {
			t.Errorf("%s greets and behaves as %s", industry, other)
		}
		seen[a.Messages.GreetingMessage+a.Training.Instructions] = industry

		// No text of the template is longer than the API takes it: sent back, nothing is cut or refused.
		flat := map[string]any{}
		for _, group := range []any{a.Business, a.Messages, a.Sales, a.Training, a.Keywords} {
			text, err := json.Marshal(group)
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(text, &flat); err != nil {
				t.Fatal(err)
			}
		}
		body, err := json.Marshal(flat)
		if err != nil {
			t.Fatal(err)
		}
		var back agents.Agent
		c.call(t, "PATCH", path(a.ID), string(body), 200, &back)
		if len(back.Business.Assumed)+len(back.Sales.Assumed) > 0 {
			t.Errorf("%s: what was sent still counts as assumed: %q, %q", industry, back.Business.Assumed,
				back.Sales.Assumed)
		}
		back.Sales.Assumed, back.Warnings, back.OpeningTimes = a.Sales.Assumed, a.Warnings, a.OpeningTimes
		back.UpdatedAt, back.Business.Assumed, back.Training.SystemPrompt = a.UpdatedAt, a.Business.Assumed,
			a.Training.SystemPrompt
		if diff := cmp.Diff(a, back); diff != "" {
			t.Errorf("%s: sent back:\n%s", industry, diff)
		}
	}
}

// TestTemplateOrder tells what goes over what: fields over the template on creation, and no template in a
// change.
func TestTemplateOrder(t *testing.T) {
	c := serve(t).client(t, "enterprise")
	plain := c.create(t, `{"name": "Mia", "industry": "legal"}`)
	sent := c.create(t, `{"name": "Mia", "industry": "legal", "tone": "casual", "conversion_mode": "none", "greeting_message": "", "faqs": [],
		"available_services": ["Wills"], "booking_enabled": false, "capability_quote_prices": true}`)
	want := plain
	want.AgentSummary, want.Training.SystemPrompt = sent.AgentSummary, sent.Training.SystemPrompt
	want.Persona.Tone, want.Sales.ConversionMode, want.Messages.GreetingMessage = "casual", "none", ""
	want.Training.FAQs, want.Business.AvailableServices, want.Business.Assumed = []agent.FAQ{},
		[]string{"Wills"}, []string{"business_hours"}
	want.Features.BookingEnabled, want.Capabilities.CapabilityQuotePrices = false, true
	if diff := cmp.Diff(want, sent); diff != "" {
		t.Errorf("fields over a template:\n%s", diff)
	}

	var changed agents.Agent
	c.call(t, "PATCH", path(plain.ID), `{"industry": "fitness"}`, 200, &changed)
	want = plain
	want.UpdatedAt, want.Training.SystemPrompt = changed.UpdatedAt, changed.Training.SystemPrompt
	want.Industry, want.Business.Industry = "fitness", "fitness"
	if diff := cmp.Diff(want, changed); diff != "" {
		t.Errorf("a change of the industry:\n%s", diff)
	}
}

// TestTemplateLanguage tells that agents of other languages get a template's settings and none of its English
// texts.
func TestTemplateLanguage(t *testing.T) {
	c := serve(t).client(t, "enterprise")
	english := c.create(t, `{"name": "Mia", "industry": "beauty"}`)
	for _, language := range agent.Language("").Values()[1:] {
		a := c.create(t, fmt.Sprintf(`{"name": "Mia", "industry": "beauty", "language": "%s"}`, language))
		if a.Tone != english.Tone || a.Sales.ConversionMode != english.Sales.ConversionMode ||
			a.Features != english.Features || a.Capabilities != english.Capabilities {
			t.Errorf("%s: other settings than in English: %+v %+v", language, a.Features, a.Capabilities)
		}
		if a.Messages != (agents.Messages{}) || len(a.Training.FAQs) > 0 || a.Training.Instructions != "" ||
			a.Business.BusinessHours != "" || a.Keywords != (agents.Keywords{}) {
			t.Errorf("%s: English texts: %+v %+v", language, a.Messages, a.Training)
		}
		if a.Widget.WelcomeMessage == english.Widget.WelcomeMessage ||
			a.Widget.ButtonText == english.Widget.ButtonText {
			t.Errorf("%s: the widget speaks English: %q, %q", language, a.Widget.WelcomeMessage,
				a.Widget.ButtonText)
		}
	}
}
