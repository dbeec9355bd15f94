package agents_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"frontdesk/functions/agents"
	"frontdesk/shared/agent"
	"frontdesk/shared/ai"
	"frontdesk/shared/ai/faq"
	"frontdesk/shared/api"
	"frontdesk/shared/api/apitest"
	"frontdesk/shared/api/servicetest"
	"frontdesk/shared/event"
	"frontdesk/shared/playbook"
	"frontdesk/shared/table"
)

// A service is the endpoints over a table of their own.
type service struct{ *servicetest.Service }

func serve(t *testing.T) service {
	t.Helper()
	s := service{servicetest.New(t)}
	(&agents.Service{Table: s.Table, Now: s.Now, IDs: s.IDs}).Routes(s.Router)
	return s
}

// A client calls the service with the API key of one workspace.
type client struct{ apitest.Client }

func (s service) client(t *testing.T, plan string) *client {
	t.Helper()
	return &client{s.Client(t, plan)}
}

// call makes a request that must have a status, and reads the answer into out, unless that is nil.
func (c *client) call(t *testing.T, method, path, body string, want int, out any) {
	t.Helper()
	if a := c.Want(t, want, method, path, body); out != nil {
		a.Into(t, out)
	}
}

func (c *client) create(t *testing.T, body string) agents.Agent {
	t.Helper()
	var a agents.Agent
	c.call(t, "POST", "/agents/", body, 201, &a)
	return a
}

func (c *client) get(t *testing.T, id int64) agents.Agent {
	t.Helper()
	var a agents.Agent
	c.call(t, "GET", path(id), "", 200, &a)
	return a
}

func path(id int64) string { return fmt.Sprintf("/agents/%d/", id) }

func TestCreate(t *testing.T) {
	s := serve(t)
	c := s.client(t, "free")
	got := c.create(t,
		`{"name": " Mia ", "language": "de", "business_name": "Café <Ö>", "tone": "formal", "unknown": {"deep": [1]}}`)
	if got.ID < 1 || got.CreatedAt.IsZero() || got.CreatedAt != got.UpdatedAt ||
		len(got.Widget.EmbedKey) != 26 {
		t.Errorf("id %d, created %v, updated %v, embed key %q", got.ID, got.CreatedAt, got.UpdatedAt,
			got.Widget.EmbedKey)
	}
	if !strings.Contains(got.Training.SystemPrompt, "Café <Ö>") {
		t.Errorf("the prompt lacks the business: %s", got.Training.SystemPrompt)
	}
	key := got.Widget.EmbedKey
	want := agents.Agent{
		AgentSummary: agents.AgentSummary{
			ID: got.ID, Name: "Mia", BusinessName: "Café <Ö>", Status: "draft", TrainingStatus: "untrained",
			AIEnabled: true, Language: "de", Industry: "general", Tone: "formal",
			CreatedAt: got.CreatedAt, UpdatedAt: got.UpdatedAt,
			Widget: agent.Widget{
				Enabled: true, EmbedKey: key, ButtonText: "Chat starten",
				WelcomeMessage: "Hallo! Wie können wir helfen?",
				PrimaryColor:   "#2563eb", SecondaryColor: "#ffffff", Box: agent.DefaultBox(),
				Position: agent.Right, AllowedDomains: []string{},
				ScriptURL:    s.URL + "/widget/widget.js",
				LoaderURL:    fmt.Sprintf("%s/widget/loader/%d.js", s.URL, got.ID),
				EmbedSnippet: fmt.Sprintf(`<script src="%s/widget/widget.js" data-agent="%s" data-color="#2563eb" defer></script>`, s.URL, key),
				Endpoints: agent.WidgetEndpoints{
					Config:  s.URL + "/api/v1/widget/" + key + "/config/",
					Send:    s.URL + "/api/v1/widget/" + key + "/send/",
					History: s.URL + "/api/v1/widget/" + key + "/history/",
				},
			},
		},
		Business: agents.Business{BusinessName: "Café <Ö>", Industry: "general",
			AvailableServices: []string{}, Timezone: "UTC", Assumed: []string{}},
		Persona:  agents.Persona{Tone: "formal", Language: "de"},
		Features: agents.Features{LeadCaptureEnabled: true, HandoffEnabled: true, MemoryEnabled: true},
		Capabilities: agents.Capabilities{CapabilityQuotePrices: true, CapabilityRecommendProducts: true,
			CapabilityShareLinks: true, CapabilitySmallTalk: true},
		Sales: agents.Sales{ConversionMode: "none", Assumed: []string{}},
		AI: agents.AI{AIEnabled: true, AIModel: ai.Builtin, MaxResponseLength: 1000,
			ChannelPauseSeconds: 2,
			Limits:              agents.Limits{AIDailyBudgetUSD: 1, Restrictions: []agent.Restriction{}}},
		Training: agents.Training{TrainingStatus: "untrained", SystemPrompt: got.Training.SystemPrompt,
			FAQs: []agent.FAQ{}},
		Warnings: []agent.Warning{}, OpeningTimes: []agents.OpeningTime{},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the answer of the creation:\n%s", diff)
	}
	if diff := cmp.Diff(got, c.get(t, got.ID)); diff != "" {
		t.Errorf("created (-) and then read (+):\n%s", diff)
	}
}

// TestSendBack sends a document that was just read back as it is, with every field of its groups flattened,
// too.
func TestSendBack(t *testing.T) {
	c := serve(t).client(t, "free")
	created := c.create(t, `{"name": "Mia", "industry": "beauty", "phone_number": "+1 415 555 2671", "business_email": "mia@acme.example",
		"business_hours": "9-17", "available_services": ["Nails"], "call_to_action": "Book", "qualifying_questions": "When?", "logo_url": "https://acme.example/l.png", "faqs": [{"question": "Parking?", "answer": "Behind the house."}, {"question": "Dogs?"}]}`)

	read := c.Want(t, 200, "GET", path(created.ID), nil)
	var flat map[string]any
	read.Into(t, &flat)
	for _, group := range []string{"business", "persona", "messages", "features", "capabilities", "sales",
		"ai", "training", "keywords", "widget"} {
		for name, value := range flat[group].(map[string]any) {
			flat[name] = value
		}
	}
	flattened, err := json.Marshal(flat)
	if err != nil {
		t.Fatal(err)
	}
	for name, body := range map[string]string{"whole": read.Body, "flattened": string(flattened),
		"empty": "{}"} {
		var got agents.Agent
		c.call(t, "PATCH", path(created.ID), body, 200, &got)
		if !got.UpdatedAt.After(created.UpdatedAt) {
			t.Errorf("%s: updated_at %v is not after %v", name, got.UpdatedAt, created.UpdatedAt)
		}
		got.UpdatedAt = created.UpdatedAt
		if diff := cmp.Diff(created, got); diff != "" {
			t.Errorf("%s: before (-) and after (+):\n%s", name, diff)
		}
	}
}

// TestGroupsAreNotWritten holds the rule that a body's fields are at its top level.
func TestGroupsAreNotWritten(t *testing.T) {
	c := serve(t).client(t, "free")
	a := c.create(t,
		`{"name": "Mia", "business": {"business_name": "Acme"}, "id": 5, "status": "active", "widget": {"brand_name": "Acme"}}`)
	if a.BusinessName != "" || a.Widget.BrandName != "" || a.Status != "draft" || a.ID == 5 {
		t.Errorf("unknown keys were taken: %+v", a.AgentSummary)
	}
}

func TestUpdate(t *testing.T) {
	c := serve(t).client(t, "free")
	a := c.create(t, `{"name": "Mia", "industry": "restaurant"}`)
	var got agents.Agent
	c.call(t, "PATCH", path(a.ID), `{
		"name": "Leo", "industry": "legal", "tone": "casual", "language": "es",
		"business_name": "Bike Shop", "business_description": "We mend bikes.", "available_services": ["Repairs, 40 EUR"],
		"business_hours": "Always", "timezone": "Europe/Madrid", "business_address": "Calle 1", "phone_number": "+34 910 123 456",
		"business_email": "hola@bici.example", "website_url": "bici.example",
		"persona_name": "Leonor", "persona_description": "You love bikes.",
		"greeting_message": "g", "fallback_message": "f", "handoff_message": "h", "out_of_hours_message": "o", "goodbye_message": "b",
		"booking_enabled": false, "lead_capture_enabled": true, "ecommerce_enabled": true, "handoff_enabled": false, "memory_enabled": false,
		"capability_quote_prices": false, "capability_recommend_products": false, "capability_take_orders": false,
		"capability_share_links": false, "capability_small_talk": false,
		"conversion_mode": "sales", "call_to_action": "Come by", "current_offers": "Free oil", "qualifying_questions": "Which bike?",
		"ai_enabled": false, "ai_model": "builtin", "ai_fallback": true, "max_response_length": 50, "response_delay_seconds": 10,
		"channel_pause_seconds": 30,
		"instructions": "Be brief.", "restricted_topics": "Cars", "faqs": [{"question": "Dogs?", "answer": "Yes."}],
		"handoff_keywords": "boss", "urgent_keywords": "fire", "opt_out_keywords": "basta",
		"brand_name": "Bici", "logo_url": "https://bici.example/l.png", "avatar_url": "https://bici.example/a.png",
		"button_text": "Hola", "tagline": "t", "welcome_message": "w", "primary_color": "#ABCDEF", "secondary_color": "#000000", "position": "left"
	}`, 200, &got)
	want := agents.Agent{
		AgentSummary: agents.AgentSummary{
			ID: a.ID, Name: "Leo", BusinessName: "Bike Shop", PhoneNumber: "+34910123456", Status: "draft",
			TrainingStatus: "untrained", Language: "es", Industry: "legal", Tone: "casual",
			CreatedAt: a.CreatedAt, UpdatedAt: got.UpdatedAt,
			Widget: agent.Widget{
				Enabled: true, EmbedKey: a.Widget.EmbedKey, BrandName: "Bici",
				LogoURL:   "https://bici.example/l.png",
				AvatarURL: "https://bici.example/a.png", ButtonText: "Hola", Tagline: "t",
				WelcomeMessage: "w",
				PrimaryColor:   "#ABCDEF", SecondaryColor: "#000000", Box: agent.DefaultBox(),
				ScriptURL: a.Widget.ScriptURL,
				Position:  agent.Left, AllowedDomains: []string{},
				LoaderURL:    a.Widget.LoaderURL,
				EmbedSnippet: strings.Replace(a.Widget.EmbedSnippet, "#2563eb", "#ABCDEF", 1),
				Endpoints:    a.Widget.Endpoints,
			},
		},
		Business: agents.Business{
			BusinessName: "Bike Shop", BusinessDescription: "We mend bikes.", Industry: "legal",
			AvailableServices: []string{"Repairs, 40 EUR"}, BusinessHours: "Always",
			Timezone:        "Europe/Madrid",
			BusinessAddress: "Calle 1", PhoneNumber: "+34910123456", BusinessEmail: "hola@bici.example",
			WebsiteURL: "bici.example",
			Assumed:    []string{},
		},
		Persona: agents.Persona{PersonaName: "Leonor", PersonaDescription: "You love bikes.", Tone: "casual",
			Language: "es"},
		Messages: agents.Messages{
			GreetingMessage: "g", FallbackMessage: "f", HandoffMessage: "h", OutOfHoursMessage: "o",
			GoodbyeMessage: "b",
		},
		Features: agents.Features{LeadCaptureEnabled: true, EcommerceEnabled: true},
		Sales: agents.Sales{
			ConversionMode: "sales", CallToAction: "Come by", CurrentOffers: "Free oil",
			QualifyingQuestions: "Which bike?", Assumed: []string{},
		},
		AI: agents.AI{AIModel: ai.Builtin, AIFallback: true, MaxResponseLength: 50, ResponseDelaySeconds: 10,
			ChannelPauseSeconds: 30,
			Limits:              agents.Limits{AIDailyBudgetUSD: 1, Restrictions: []agent.Restriction{}}},
		Training: agents.Training{
			TrainingStatus: "untrained", SystemPrompt: got.Training.SystemPrompt, Instructions: "Be brief.",
			RestrictedTopics: "Cars", FAQs: []agent.FAQ{{Question: "Dogs?", Answer: "Yes."}},
		},
		Keywords: agents.Keywords{HandoffKeywords: "boss", UrgentKeywords: "fire", OptOutKeywords: "basta"},
		Warnings: got.Warnings, OpeningTimes: []agents.OpeningTime{},
	}
	if w := got.Warnings; len(w) != 1 || w[0].Code != agent.HoursUnread || w[0].Values[0] != "Always" {
		t.Errorf("the warnings of the change: %v", w)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the answer of the change:\n%s", diff)
	}
	if diff := cmp.Diff(got, c.get(t, a.ID)); diff != "" {
		t.Errorf("changed (-) and then read (+):\n%s", diff)
	}
}

// TestEachField changes one field after the other and looks that it and nothing else changes.
func TestEachField(t *testing.T) {
	c := serve(t).client(t, "free")
	id := c.create(t, `{"name": "Mia"}`).ID
	others := map[string]any{ // values of fields that do not take any text
		"industry": "travel", "tone": "formal", "language": "fr", "conversion_mode": "sales",
		"timezone":     "Asia/Tokyo",
		"phone_number": "+14155552671", "business_email": "a@b.example", "logo_url": "https://a.example",
		"avatar_url":    "https://b.example",
		"primary_color": "#111111", "secondary_color": "#222222", "position": "left",
		"ai_model":            "openai:llama3.2",
		"ai_daily_budget_usd": 0.25, "max_response_length": 77.0, "response_delay_seconds": 7.0,
		"channel_pause_seconds": 9.0,
		"available_services":    []any{"Repairs"},
		"faqs":                  []any{map[string]any{"question": "q", "answer": "a"}},
	}
	readOnly := []string{
		"training_status", "trained_at", "can_activate", "system_prompt",
		"enabled", "embed_key", "script_url", "loader_url", "embed_snippet", "endpoints",
		"allowed_domains", "assumed", "ai_spent_today_usd", "restrictions",
		"size", "offset_side", "offset_bottom", "powered_by", "show_team", "show_sources", "ask_rating",
		"accept_files", "sound", "form_name", "form_email", "form_phone",
	}
	read := func() map[string]any {
		var document map[string]any
		c.call(t, "GET", path(id), "", 200, &document)
		return document
	}
	fields := 0
	for _, group := range []string{"business", "persona", "messages", "features", "capabilities", "sales",
		"ai", "training", "keywords", "widget"} {
		for name, value := range read()[group].(map[string]any) {
			if slices.Contains(readOnly, name) {
				continue
			}
			fields++
			var other any = "Zzyzx " + name
			if is, flag := value.(bool); flag {
				other = !is
			}
			if o, ok := others[name]; ok {
				other = o
			}
			body, err := json.Marshal(map[string]any{name: other})
			if err != nil {
				t.Fatal(err)
			}
			want := read()
			c.call(t, "PATCH", path(id), string(body), 200, nil)
			got := read()
			want[group].(map[string]any)[name] = other
			for _, place := range []map[string]any{want, want["business"].(map[string]any),
				want["persona"].(map[string]any)} {
				if _, ok := place[name]; ok { // the summary shows some, too
					place[name] = other
				}
			}
			for _, made := range []string{"updated_at", "warnings", "opening_times"} {
				want[made] = got[made]
			}
			made := map[string]string{"training": "system_prompt", "widget": "embed_snippet"}
			for group, field := range made {
				want[group].(map[string]any)[field] = got[group].(map[string]any)[field]
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s of %s:\n%s", name, group, diff)
			}
		}
	}
	if fields != 55 {
		t.Errorf("%d fields were tried", fields)
	}
}

// TestPrompt tells that the prompt follows changes, but for those of the branding.
func TestPrompt(t *testing.T) {
	c := serve(t).client(t, "free")
	a := c.create(t, `{"name": "Mia"}`)
	prompt := func(body string) string {
		var got agents.Agent
		c.call(t, "PATCH", path(a.ID), body, 200, &got)
		return got.Training.SystemPrompt
	}
	if got := prompt(`{"brand_name": "Zzyzx", "welcome_message": "Zzyzx", "primary_color": "#000000"}`); got != a.Training.SystemPrompt {
		t.Errorf("branding changed the prompt:\n%s", cmp.Diff(a.Training.SystemPrompt, got))
	}
	for _, body := range []string{
		`{"business_description": "Zzyzx"}`, `{"instructions": "Zzyzx"}`, `{"persona_name": "Zzyzx"}`,
		`{"available_services": ["Zzyzx"]}`,
	} {
		if got := prompt(body); !strings.Contains(got, "Zzyzx") {
			t.Errorf("the prompt does not follow %s:\n%s", body, got)
		}
		prompt(`{"business_description": "", "instructions": "", "persona_name": "", "available_services": []}`)
	}
	if got := prompt(`{}`); got != a.Training.SystemPrompt {
		t.Errorf("the same fields gave another prompt:\n%s", cmp.Diff(a.Training.SystemPrompt, got))
	}
}

func TestStates(t *testing.T) {
	c := serve(t).client(t, "free")
	a := c.create(t, `{"name": "Mia"}`)
	for _, step := range []struct {
		action string
		status agent.Status
	}{
		{"pause", "paused"}, {"pause", "paused"}, {"activate", "active"}, {"activate", "active"},
		{"pause", "paused"}, {"activate", "active"},
	} {
		var got agents.AgentSummary
		c.call(t, "POST", path(a.ID)+step.action+"/", "", 200, &got)
		want := a.AgentSummary
		want.Status, want.UpdatedAt = step.status, got.UpdatedAt
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s:\n%s", step.action, diff)
		}
		if status := c.get(t, a.ID).Status; status != step.status {
			t.Errorf("after %s the status is %s", step.action, status)
		}
	}
}

// TestTrainQuickAnswers has a training learn quick answers too: a model that does not know all that an agent
// is asked is of no use to it.
func TestTrainQuickAnswers(t *testing.T) {
	s := serve(t)
	c := s.client(t, "enterprise")
	a := c.create(t, `{"name": "Mia", "faqs": [{"question": "Are dogs welcome?", "answer": "Yes."}]}`)
	rows := playbook.Store[playbook.QuickAnswer, *playbook.QuickAnswer]{Table: s.Table, Now: s.Now,
		IDs: s.IDs}
	if _, err := rows.Create(t.Context(), c.Account, a.ID, func(q *playbook.QuickAnswer) error {
		q.Shortcut, q.Title, q.Content = "/wifi", "What is the password?", "Guest."
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	c.call(t, "POST", path(a.ID)+"train/", "", 200, nil)
	item, err := s.Table.Get(t.Context(), agent.ModelKey(c.Account, a.ID))
	if err != nil {
		t.Fatal(err)
	}
	model, _, err := agent.ReadModel(item)
	if err != nil {
		t.Fatal(err)
	}
	for _, question := range []string{"Are dogs welcome?", "What is the password?"} {
		if !model.Knows(faq.ID([]string{question})) {
			t.Errorf("the model does not know %q", question)
		}
	}
}

func TestTrain(t *testing.T) {
	s := serve(t)
	c := s.client(t, "enterprise")
	for _, test := range []struct {
		name, body string
		documents  int64
		can        bool
	}{
		{name: "knows nothing", body: `{"name": "Mia"}`},
		{name: "questions alone", body: `{"name": "Mia", "industry": "travel"}`},
		{name: "a description", body: `{"name": "Mia", "business_description": "We mend bikes."}`, can: true},
		{name: "an answer",
			body: `{"name": "Mia", "faqs": [{"question": "a"}, {"question": "b", "answer": "c"}]}`,
			can:  true},
		{name: "a document", body: `{"name": "Mia"}`, documents: 1, can: true},
	} {
		a := c.create(t, test.body)
		if err := s.Table.Transact(t.Context(),
			agent.CountDocuments(c.Account, a.ID, test.documents)); err != nil {
			t.Fatal(err)
		}
		if before := c.get(t, a.ID); before.Training.CanActivate || before.Training.TrainedAt != nil ||
			before.KnowledgeCount != test.documents {
			t.Errorf("%s: before training %+v, %d documents", test.name, before.Training,
				before.KnowledgeCount)
		}
		var got agents.TrainResult
		for range 2 {
			c.call(t, "POST", path(a.ID)+"train/", "", 200, &got)
		}
		want := agents.TrainResult{ID: a.ID, TrainingStatus: "ready", SystemPrompt: a.Training.SystemPrompt,
			CanActivate: test.can}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s:\n%s", test.name, diff)
		}
		c.call(t, "PATCH", path(a.ID), `{"tone": "casual"}`, 200, nil)
		after := c.get(t, a.ID)
		if after.TrainingStatus != "ready" || after.Training.CanActivate != test.can ||
			after.Training.TrainedAt == nil || after.KnowledgeCount != test.documents {
			t.Errorf("%s: after training and a change: %+v, %d documents", test.name, after.Training,
				after.KnowledgeCount)
		}
	}
}

func TestNotFound(t *testing.T) {
	s := serve(t)
	mine, theirs := s.client(t, "free"), s.client(t, "enterprise")
	a := mine.create(t, `{"name": "Mia"}`)
	for _, endpoint := range []struct{ method, suffix string }{
		{"GET", ""}, {"PATCH", ""}, {"DELETE", ""}, {"POST", "train/"}, {"POST", "activate/"},
		{"POST", "pause/"},
	} {
		for _, path := range []string{path(a.ID), path(a.ID + 1), "/agents/abc/", "/agents/-1/", "/agents/0/",
			"/agents/99999999999999999999/"} {
			theirs.WantError(t, 404, "not_found", "", endpoint.method, path+endpoint.suffix, "{}")
		}
	}
	if diff := cmp.Diff(a, mine.get(t, a.ID)); diff != "" {
		t.Errorf("another workspace changed the agent:\n%s", diff)
	}
}

func TestOtherMethods(t *testing.T) {
	c := serve(t).client(t, "free")
	for _, endpoint := range []struct{ method, path string }{
		{"PUT", "/agents/5/"}, {"DELETE", "/agents/"}, {"GET", "/agents/5/train/"},
		{"PATCH", "/agents/5/pause/"},
	} {
		if a := c.Call(t, endpoint.method, endpoint.path, nil); a.Status != 405 || a.Body != "" {
			t.Errorf("%s %s: %d %q", endpoint.method, endpoint.path, a.Status, a.Body)
		}
	}
}

func TestCallers(t *testing.T) {
	s := serve(t)
	withoutAccess, unknown := s.Client(t, "widget"),
		apitest.Client{Base: s.URL + api.Prefix + "/", Key: "unknown"}
	withoutAccess.WantError(t, 403, "forbidden", "", "POST", "/agents/", `{"name": "Mia"}`)
	unknown.WantError(t, 401, "invalid_api_key", "", "POST", "/agents/", `{"name": "Mia"}`)
}

// TestPlanLimit makes agents at the same time: the plan holds all the same, and a deletion makes room.
func TestPlanLimit(t *testing.T) {
	s := serve(t)
	for plan, limit := range map[string]int{"free": 1, "starter": 3} {
		c := s.client(t, plan)
		statuses := make([]int, 10)
		var wg sync.WaitGroup
		for i := range statuses {
			wg.Go(func() {
				a, err := c.Try("POST", "/agents/", `{"name": "Mia"}`)
				if err != nil || a.Status == 403 && a.Text("error") != "plan_limit" {
					t.Errorf("%d %s %v", a.Status, a.Body, err)
				}
				statuses[i] = a.Status
			})
		}
		wg.Wait()
		slices.Sort(statuses)
		want := append(slices.Repeat([]int{201}, limit), slices.Repeat([]int{403}, len(statuses)-limit)...)
		if diff := cmp.Diff(want, statuses); diff != "" {
			t.Errorf("plan %s:\n%s", plan, diff)
		}
		var list api.List[agents.AgentSummary]
		c.call(t, "GET", "/agents/", "", 200, &list)
		if int(list.Count) != limit || len(list.Results) != limit {
			t.Fatalf("plan %s: the list has %d of %d", plan, len(list.Results), list.Count)
		}
		c.call(t, "DELETE", path(list.Results[0].ID), "", 204, nil)
		c.create(t, `{"name": "Leo"}`)
		c.call(t, "POST", "/agents/", `{"name": "Ada"}`, 403, nil)
	}
}

func TestList(t *testing.T) {
	s := serve(t)
	c, other := s.client(t, "enterprise"), s.client(t, "free")
	other.create(t, `{"name": "Not mine"}`)
	var empty api.List[agents.AgentSummary]
	c.call(t, "GET", "/agents/", "", 200, &empty)
	if diff := cmp.Diff(api.List[agents.AgentSummary]{Results: []agents.AgentSummary{}}, empty); diff != "" {
		t.Errorf("a list of none:\n%s", diff)
	}

	const all = 120
	var want []agents.AgentSummary
	for i := range all {
		want = append(want, c.create(t, fmt.Sprintf(`{"name": "Agent %d", "industry": "retail"}`,
			i)).AgentSummary)
	}
	slices.Reverse(want)
	address := "/agents/"
	for start := 0; start < all; start += api.PageSize {
		var list api.List[agents.AgentSummary]
		c.call(t, "GET", address, "", 200, &list)
		if diff := cmp.Diff(want[start:min(start+api.PageSize, all)], list.Results); diff != "" {
			t.Fatalf("page from %d:\n%s", start, diff)
		}
		if list.Count != all || (list.Previous == nil) != (start == 0) ||
			(list.Next == nil) != (start == 100) {
			t.Errorf("page from %d: count %d, next %v, previous %v", start, list.Count, list.Next,
				list.Previous)
		}
		if list.Previous != nil {
			var before api.List[agents.AgentSummary]
			c.call(t, "GET", *list.Previous, "", 200, &before)
			if diff := cmp.Diff(want[start-api.PageSize:start], before.Results); diff != "" {
				t.Errorf("page before %d:\n%s", start, diff)
			}
		}
		if list.Next != nil {
			address = *list.Next
		}
	}
	var third api.List[agents.AgentSummary]
	c.call(t, "GET", "/agents/?page=3", "", 200, &third)
	if diff := cmp.Diff(want[100:], third.Results); diff != "" {
		t.Errorf("page 3 by its number:\n%s", diff)
	}
	for _, page := range []string{"4", "0", "-1", "x", "1.5"} {
		c.call(t, "GET", "/agents/?page="+page, "", 404, nil)
	}
}

// TestDelete looks at what is left of an agent: nothing that can be reached, and word for those who clear the
// rest away.
func TestDelete(t *testing.T) {
	s := serve(t)
	c := s.client(t, "free")
	a := c.create(t, `{"name": "Mia"}`)
	c.call(t, "DELETE", path(a.ID), "", 204, nil)
	c.call(t, "DELETE", path(a.ID), "", 404, nil)
	c.call(t, "GET", path(a.ID), "", 404, nil)
	c.call(t, "PATCH", path(a.ID), `{"name": "Leo"}`, 404, nil)
	c.call(t, "POST", path(a.ID)+"train/", "", 404, nil)
	var list api.List[agents.AgentSummary]
	c.call(t, "GET", "/agents/", "", 200, &list)
	if list.Count != 0 || len(list.Results) != 0 {
		t.Errorf("the list still has %d of %d", len(list.Results), list.Count)
	}
	gone := []table.Key{agent.Key(c.Account, a.ID), agent.EmbedKey(a.Widget.EmbedKey), agent.OwnerKey(a.ID)}
	items, err := s.Table.BatchGet(t.Context(), append(gone, agent.DeletedKey(c.Account, a.ID))...)
	if err != nil {
		t.Fatal(err)
	}
	if _, marked := items[agent.DeletedKey(c.Account, a.ID)]; !marked || len(items) != 1 {
		t.Errorf("of the agent is left: %v", items)
	}
	if events := s.events(t, c.Account); len(events) != 1 || events[0].Kind != event.AgentDeleted ||
		events[0].AgentID != a.ID {
		t.Errorf("events: %+v", events)
	}
}

// events reads what the change feed tells of a workspace's outbox.
func (s service) events(t *testing.T, account int64) []event.Event {
	t.Helper()
	changes, err := s.Table.Changes(t.Context(), "", 1000)
	if err != nil {
		t.Fatal(err)
	}
	var events []event.Event
	for _, change := range changes {
		if change.New == nil || !strings.HasPrefix(change.New.PK, event.KeyPrefix) {
			continue
		}
		e, err := event.Read(*change.New)
		if err != nil {
			t.Fatal(err)
		}
		if e.AccountID == account {
			events = append(events, e)
		}
	}
	return events
}
