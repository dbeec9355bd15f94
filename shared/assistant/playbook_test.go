package assistant_test

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/shared/agent"
	"frontdesk/shared/ai"
	"frontdesk/shared/contact"
	"frontdesk/shared/conversation"
	"frontdesk/shared/event"
	"frontdesk/shared/playbook"
	"frontdesk/shared/table"
)

// add adds a row to the agent's playbook.
func add[T any, P playbook.RowOf[T]](t *testing.T, w *fixture, row T) {
	t.Helper()
	store := playbook.Store[T, P]{Table: w.Table, Now: time.Now, IDs: w.IDs}
	if _, err := store.Create(t.Context(), w.account.ID, w.agent, func(made *T) error {
		base := reflect.ValueOf(made).Elem().FieldByName("Row")
		own := base.Interface()
		*made = row
		base.Set(reflect.ValueOf(own))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

func bicycles(t *testing.T) *fixture {
	w := newFixture(t, "pro")
	w.edit(t, func(a *agent.Agent) {
		a.CapabilityQuotePrices, a.CapabilityRecommendProducts, a.CapabilityTakeOrders = true, true, true
	})
	for _, p := range []playbook.Product{
		{Name: "City bicycle", Description: "Seven gears, lights and a basket.", Price: 499.9,
			Currency: "EUR", SKU: "CB-7", IsActive: true},
		{Name: "Mountain bicycle", Price: 1299, Currency: "EUR", IsActive: true},
		{Name: "Cargo bicycle", Price: 2999, Currency: "EUR"},
		{Name: "Bell", Price: 5, Currency: "EUR", IsActive: true},
		{Name: "Tubes 10", Price: 30, Currency: "EUR", IsActive: true},
	} {
		add(t, w, p)
	}
	return w
}

func TestProducts(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*agent.Agent)
		lines  []line
	}{
		{"price", nil, []line{{"How much is the city bicycle?", "respond", "City bicycle: €499.90"}}},
		{"prices", nil,
			[]line{{"What do bells and city bicycles cost?", "respond",
				"City bicycle: €499.90\nBell: €5.00"}}},
		{"availability", nil,
			[]line{{"Do you have a city bicycle?", "respond",
				"Yes, we have City bicycle: €499.90. Seven gears, lights and a basket."}}},
		{"by its number", nil,
			[]line{{"Is CB-7 in stock?", "respond",
				"Yes, we have City bicycle: €499.90. Seven gears, lights and a basket."}}},
		{"by its name alone", nil,
			[]line{{"City bicycles?", "respond",
				"Yes, we have City bicycle: €499.90. Seven gears, lights and a basket."}}},
		{"what comes near", nil,
			[]line{{"Do you sell bicycles?", "respond",
				"We have:\n1. City bicycle: €499.90. Seven gears, lights and a basket.\n2. Mountain " +
					"bicycle: €1,299.00"}}},
		{"a number that a name has", nil, []line{{"Do you have room for 10 people?", "fallback", unknown},
			{"Do you have tubes?", "respond", "Yes, we have Tubes 10: €30.00."}}},
		{"what it has not", nil, []line{{"Do you have skateboards?", "fallback", unknown}}},
		{"what is not active", func(a *agent.Agent) { a.CapabilityRecommendProducts = false }, []line{
			{"How much is the cargo bicycle?", "fallback", unknown},
		}},
		{"another question", nil,
			[]line{{"Does the city bicycle have lights?", "respond",
				"City bicycle: €499.90. Seven gears, lights and a basket."}}},
		{"without prices", func(a *agent.Agent) { a.CapabilityQuotePrices = false }, []line{
			{"Do you have a bell?", "respond", "Yes, we have Bell."},
			{"How much is the bell?", "fallback", unknown},
		}},
		{"not recommended", func(a *agent.Agent) { a.CapabilityRecommendProducts = false },
			[]line{{"Do you sell bicycles?", "fallback", unknown}}},
		{"in another language", func(a *agent.Agent) { a.Language = "de" },
			[]line{{"Was kostet das City bicycle?", "respond", "City bicycle: 499,90\u00a0€"}}},
		{"an order that it may not take", func(a *agent.Agent) { a.CapabilityTakeOrders = false }, []line{
			{"I'd like to buy a bell", "respond", "Yes, we have Bell: €5.00."},
		}},
		{"order", nil,
			[]line{{"I'd like to order the city bicycle", "respond",
				"I have passed on the order: City bicycle: €499.90. A colleague will confirm it."}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := bicycles(t)
			if test.change != nil {
				w.edit(t, test.change)
			}
			c := w.converse(t, test.lines...)
			if ordered := test.name == "order"; ordered {
				who := w.contact(t, c.ContactID)
				if c.Status != conversation.WaitingBusiness || who.Stage != contact.Prospect ||
					who.Facts["order"] != "City bicycle" || who.LeadScore != 40 {
					t.Errorf("%+v of %+v", c, who)
				}
			}
		})
	}
}

// TestServices tests questions for the prices that the list of services states.
func TestServices(t *testing.T) {
	w := newFixture(t, "pro")
	w.edit(t, func(a *agent.Agent) {
		a.CapabilityQuotePrices = true
		a.AvailableServices = []string{"Hair cut, 45 minutes, £30", "Colouring, 2 hours, £80",
			"Advice, 15 minutes"}
	})
	w.converse(t, line{"How much is a hair cut?", "respond", "Hair cut, 45 minutes, £30"},
		line{"And what does colouring cost?", "respond", "Colouring, 2 hours, £80"})
	w.edit(t, func(a *agent.Agent) {
		a.FAQs = append(a.FAQs,
			agent.FAQ{Question: "How much is a hair cut?", Answer: "£30, and £20 for students."})
	})
	w.converse(t, line{"How much is a hair cut?", "respond", "£30, and £20 for students."})
	w.edit(t, func(a *agent.Agent) { a.FAQs, a.CapabilityQuotePrices = nil, false })
	w.converse(t, line{"How much is a hair cut?", "fallback", unknown})
}

// TestProductsInANewLanguage tests that cached products are found in the agent's new language.
func TestProductsInANewLanguage(t *testing.T) {
	w := newFixture(t, "pro")
	w.edit(t, func(a *agent.Agent) { a.CapabilityQuotePrices = true })
	add(t, w, playbook.Product{Name: "Stühle", Price: 60, Currency: "EUR", IsActive: true})
	w.converse(t, line{"How much is Stühle?", "respond", "Stühle: €60.00"})
	w.edit(t, func(a *agent.Agent) { a.Language = "de" })
	w.converse(t, line{"Was kostet ein Stuhl?", "respond", "Stühle: 60,00\u00a0€"})
}

// TestPlaybookIsReadWhenItChanges tests that a process reads a playbook after each change and only then.
func TestPlaybookIsReadWhenItChanges(t *testing.T) {
	w := newFixture(t, "pro")
	w.edit(t, func(a *agent.Agent) { a.CapabilityQuotePrices = true })
	reads := func(says string) float64 {
		t.Helper()
		ctx, meter := table.WithMeter(t.Context())
		if _, err := w.say(ctx, says); err != nil {
			t.Fatal(err)
		}
		return meter.Cost().ReadUnits
	}
	reads("Hello")
	before := reads("How much is the bell?")
	for range 200 {
		add(t, w, playbook.Product{Name: "Bell", Description: strings.Repeat("It rings. ", 20), Price: 5,
			Currency: "EUR", IsActive: true})
	}
	if first := reads("How much is the bell?"); first < before+10 {
		t.Errorf("the products took %v units, an agent without %v", first, before)
	}
	if next := reads("How much is the bell?"); next > before+2 { // 2 for the longer conversation
		t.Errorf("the next time %v units, an agent without products %v", next, before)
	}
	products := playbook.Store[playbook.Product, *playbook.Product]{Table: w.Table, Now: time.Now, IDs: w.IDs}
	page, err := w.Table.Query(t.Context(), products.Query(w.account.ID, w.agent))
	if err != nil {
		t.Fatal(err)
	}
	for i, item := range page.Items {
		p, err := playbook.Read[playbook.Product](item)
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			_, err = products.Update(t.Context(), w.account.ID, w.agent, p.ID,
				func(p *playbook.Product) error {
					p.Price = 6
					return nil
				})
		} else {
			err = products.Delete(t.Context(), w.account.ID, w.agent, p.ID)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	w.converse(t, line{"How much is the bell?", "respond", "Bell: €6.00"})
}

func TestQuickAnswers(t *testing.T) {
	w := newFixture(t, "pro")
	add(t, w, playbook.QuickAnswer{Shortcut: "/wifi", Title: "Do you have wifi?",
		Content: "The password is on the till."})
	w.converse(t,
		line{" /WiFi ", "respond", "The password is on the till."},
		line{"do you have wifi", "respond", "The password is on the till."},
	)
}

func TestIdentity(t *testing.T) {
	w := newFixture(t, "pro")
	w.converse(t, line{"Who are you?", "respond", "I am Ada, an automated assistant."})
	w.edit(t, func(a *agent.Agent) { a.PersonaName, a.BusinessName = "Mia", "Acme" })
	w.converse(t, line{"Are you a bot, please?", "respond", "I am Mia, the automated assistant of Acme."})
}

func TestRestrictedTopics(t *testing.T) {
	w := newFixture(t, "pro")
	w.edit(t, func(a *agent.Agent) { a.RestrictedTopics = "politics, dogs" })
	w.converse(t, line{"Are dogs welcome?", "fallback", unknown})
}

func TestSmallTalk(t *testing.T) {
	w := newFixture(t, "pro")
	w.converse(t, line{"Thank you!", "respond", "You're welcome! Anything else?"})
	w.converse(t, line{"Hello", "respond", "Hi there! How can I help you?"},
		line{"How are you?", "respond", "I am here. What can I do?"})
	w.edit(t, func(a *agent.Agent) { a.CapabilitySmallTalk = false })
	w.converse(t, line{"Thank you!", "respond", "You are welcome."})
}

func TestLinks(t *testing.T) {
	w := newFixture(t, "pro")
	w.edit(t, func(a *agent.Agent) { a.WebsiteURL, a.CapabilityShareLinks = "https://acme.example", true })
	w.converse(t, line{"Do you have a website?", "respond", "https://acme.example"})
	w.edit(t, func(a *agent.Agent) { a.CapabilityShareLinks = false })
	w.converse(t, line{"Do you have a website?", "fallback", unknown})
}

// TestHours tests questions and hand-offs just before and just after the business closes in its time zone.
func TestHours(t *testing.T) {
	w := newFixture(t, "pro")
	w.edit(t, func(a *agent.Agent) {
		a.BusinessHours, a.Timezone, a.OutOfHoursMessage, a.HandoffEnabled = "Monday to Friday 9:00-18:00",
			"America/New_York", "We are back on Monday.", true
	})
	at := func(clock string) {
		now, err := time.Parse(time.RFC3339, clock)
		if err != nil {
			t.Fatal(err)
		}
		w.Now = func() time.Time { return now }
	}
	at("2026-03-06T22:59:00Z") // 17:59 in New York
	w.converse(t,
		line{"Are you open right now?", "respond", "Yes, we are open right now. Monday to Friday 9:00-18:00"},
		line{question, "fallback", offer},
	)
	at("2026-03-06T23:00:00Z")
	w.converse(t,
		line{"Are you still open?", "respond", "We are closed right now. Monday to Friday 9:00-18:00"},
		line{question, "fallback", unknown + " Shall I bring in a colleague? We are back on Monday."},
		line{"Yes", "handoff", getting + " We are back on Monday."},
	)
}

// TestHoursOfSomethingElse tests questions for the hours of a part of the business, which a document may
// state.
func TestHoursOfSomethingElse(t *testing.T) {
	w := newFixture(t, "pro")
	w.edit(t, func(a *agent.Agent) {
		a.BusinessHours, a.Timezone = "Monday to Friday 9:00-18:00",
			"America/New_York"
	})
	w.Now = func() time.Time { return time.Date(2026, time.March, 6, 12, 0, 0, 0, time.UTC) }
	w.teach(t, "Pool", "The pool is open on Sundays from 6 am. The garden is large.")
	w.converse(t,
		line{"Is the pool open on Sunday?", "respond", "The pool is open on Sundays from 6 am."},
		line{"Is the garden open on Sunday?", "respond", "We are closed on Sunday, March 8."},
		line{"Are you open on Sunday?", "respond", "We are closed on Sunday, March 8."},
	)
}

// TestBareAnswer tests a yes and a no while no question is open.
func TestBareAnswer(t *testing.T) {
	newFixture(t, "pro").converse(t,
		line{"Are dogs welcome?", "respond", "Dogs are welcome in the garden."},
		line{"no", "respond", "All right. How else can I help?"},
		line{"yes please", "respond", "I am here. What can I do?"},
	)
}

// TestGuidance tests the guidance that a language model receives with its prompt.
func TestGuidance(t *testing.T) {
	w := newFixture(t, "pro")
	var got string
	w.Models["openai"] = &model{engine: w.model.engine, before: func(r ai.Request) error {
		got = r.Guidance
		return nil
	}}
	w.edit(t, func(a *agent.Agent) { a.AIModel = "openai:any" })
	add(t, w, playbook.Procedure{Name: "Returns", Triggers: []string{"return", "money back"},
		Criteria: "It is whole.", Instructions: "Ask for the number."})
	add(t, w, playbook.Guidance{Title: "Discounts", Content: "Promise none.", Roles: []string{"sales"}})
	add(t, w, playbook.Guidance{Title: "Leads", Content: "Be patient.", Priority: 5,
		Stages: []string{"lead"}})
	add(t, w, playbook.Guidance{Title: "Customers", Content: "Say thanks.", Stages: []string{"customer"}})
	for _, err := range []error{
		upsert[playbook.Role](w, "sales",
			func(r *playbook.Role) { r.RoleKey, r.Instructions = "sales", "Ask about the use." }),
		upsert[playbook.JourneyStage](w, "lead",
			func(s *playbook.JourneyStage) {
				s.StageKey, s.Name, s.Instructions = "lead", "New",
					"Explain."
			}),
		upsert[playbook.JourneyStage](w, "customer",
			func(s *playbook.JourneyStage) { s.StageKey, s.Instructions = "customer", "Be brief." }),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	const always = `## Stage of the person: New
Explain.

## Role: sales
Ask about the use.

## Rule: Leads
Be patient.

## Rule: Discounts
In these roles alone: sales
Promise none.`
	const returns = `## Procedure: Returns
It applies when: It is whole.
Ask for the number.

`
	for says, want := range map[string]string{"Hello": always, "I want my money back": returns + always} {
		if _, err := w.say(t.Context(), says); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: (-want +got):\n%s", says, diff)
		}
	}
}

// TestMuchGuidance tests that if the rules exceed the limit, the model receives those of the highest priority
// and those that still fit.
func TestMuchGuidance(t *testing.T) {
	w := newFixture(t, "pro")
	var got string
	w.model.before = func(r ai.Request) error { got = r.Guidance; return nil }
	w.Models["openai"] = w.model
	w.edit(t, func(a *agent.Agent) { a.AIModel = "openai:x" })
	for i := range 20 {
		add(t, w, playbook.Guidance{Title: "Long", Content: strings.Repeat("é", 3900) + fmt.Sprint(i),
			Priority: i})
	}
	add(t, w, playbook.Guidance{Title: "Short", Content: "Be brief."})
	if _, err := w.say(t.Context(), "Hello"); err != nil {
		t.Fatal(err)
	}
	for says, want := range map[string]bool{"é19\n": true, "é5\n": true, "é4\n": false, "Be brief.": true} {
		if strings.Contains(got+"\n", says) != want {
			t.Errorf("%q is there: %v", says, !want)
		}
	}
}

func upsert[T any, P playbook.RowOf[T]](w *fixture, key string, change func(*T)) error {
	store := playbook.Store[T, P]{Table: w.Table, Now: time.Now, IDs: w.IDs}
	_, _, err := store.Upsert(context.Background(), w.account.ID, w.agent, key, func(row *T) error {
		change(row)
		return nil
	})
	return err
}

// TestAllowedActions tests that an event lists the actions that all procedures in effect allow.
func TestAllowedActions(t *testing.T) {
	w := newFixture(t, "pro")
	add(t, w, playbook.Action{
		Name: "Tag", ActionType: playbook.AddTag, TriggerOn: event.OnMessageReceived,
		Config:     playbook.ActionConfig{Tag: "vip"},
		Configured: true, IsActive: true,
	})
	add(t, w, playbook.Procedure{Name: "Returns", Triggers: []string{"return"},
		AllowedActions: []string{"Tag", "Tell the CRM"}})
	add(t, w, playbook.Procedure{Name: "Refunds", Triggers: []string{"refund"},
		AllowedActions: []string{"Tell the CRM", "Resolve"}})
	add(t, w, playbook.Procedure{Name: "Complaints", Triggers: []string{"complain"},
		AllowedActions: []string{"Call"}})
	add(t, w, playbook.Procedure{Name: "Parcels", Triggers: []string{"parcel"}})
	var got [][]string
	for _, says := range []string{
		"Hello", "I got the parcel", "I return the parcel", "I return it for a refund",
		"I complain, return it and want a refund",
	} {
		if _, err := w.say(t.Context(), says); err != nil {
			t.Fatal(err)
		}
	}
	changes, err := w.Table.(table.Feed).Changes(t.Context(), "", 1000)
	if err != nil {
		t.Fatal(err)
	}
	for _, change := range changes {
		if change.New == nil || change.Old != nil || !strings.HasPrefix(change.New.PK, event.KeyPrefix) {
			continue
		}
		e, err := event.Read(*change.New)
		if err != nil {
			t.Fatal(err)
		}
		if len(e.Triggers) > 0 {
			got = append(got, e.Allowed)
		}
	}
	want := [][]string{nil, nil, {"Tag", "Tell the CRM"}, {"Tell the CRM"}, {}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
