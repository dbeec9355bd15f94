package assistant_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/shared/agent"
	"frontdesk/shared/contact"
	"frontdesk/shared/conversation"
	"frontdesk/shared/event"
	"frontdesk/shared/frame"
	"frontdesk/shared/playbook"
)

// funnel creates a funnel with keywords and returns its id and those of its steps.
func (w *fixture) funnel(t *testing.T, keyword string, steps ...playbook.FunnelStep) (id int64, ids []int64) {
	t.Helper()
	funnels := playbook.Store[playbook.Funnel, *playbook.Funnel]{Table: w.Table, Now: time.Now, IDs: w.IDs}
	f, err := funnels.Create(t.Context(), w.account.ID, w.agent, func(f *playbook.Funnel) error {
		f.Name, f.TriggerKeyword, f.IsActive = keyword, keyword, true
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range steps {
		made, err := w.steps().Create(t.Context(), w.account.ID, w.agent, f.ID,
			func(s *playbook.FunnelStep) error {
				s.StepType, s.Content, s.SaveResponseTo, s.DelaySeconds = step.StepType, step.Content,
					step.SaveResponseTo, step.DelaySeconds
				return nil
			})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, made.ID)
	}
	return f.ID, ids
}

func (w *fixture) steps() playbook.StepStore {
	return playbook.StepStore{Table: w.Table, Now: time.Now, IDs: w.IDs}
}

func says(text string) playbook.FunnelStep {
	return playbook.FunnelStep{StepType: playbook.MessageStep, Content: text}
}

func asks(text, saveTo string) playbook.FunnelStep {
	return playbook.FunnelStep{StepType: playbook.QuestionStep, Content: text, SaveResponseTo: saveTo}
}

func after(seconds int, step playbook.FunnelStep) playbook.FunnelStep {
	step.DelaySeconds = seconds
	return step
}

var (
	pause  = playbook.FunnelStep{StepType: playbook.DelayStep, DelaySeconds: 60}
	person = playbook.FunnelStep{StepType: playbook.HandoffStep, Content: "Somebody will be with you."}
)

const (
	begin = "I want to find my bike"
	use   = "What will you use it for?"
	far   = "How far do you ride?"
)

func TestFunnels(t *testing.T) {
	finder := []playbook.FunnelStep{says("Let us see."), says("Two questions."), asks(use, "purpose"),
		asks(far, "distance"), says("We have one for you."), person}
	opened := line{begin, "respond", "Let us see.\n\nTwo questions.\n\n" + use}
	long := strings.Repeat("So long. ", 60)
	for _, test := range []struct {
		name  string
		steps []playbook.FunnelStep
		lines []line
		facts map[string]string
		in    bool // the contact is still in it
	}{
		{"to its end", finder, []line{
			opened, {"commuting", "respond", far}, {"about 10 km", "handoff",
				"We have one for you.\n\nSomebody will be with you."},
		}, map[string]string{"purpose": "commuting", "distance": "about 10 km"}, false},
		{"a question meanwhile", finder, []line{
			opened, {"Are dogs welcome?", "respond", "Dogs are welcome in the garden.\n\n" + use},
			{"are dogs welcome", "respond", "Dogs are welcome in the garden.\n\n" + use},
			{"commuting", "respond", far},
		}, map[string]string{"purpose": "commuting"}, true},
		{"a question that it cannot answer", finder, []line{
			opened, {"Do you have parking for lorries?", "fallback", unknown + "\n\n" + use},
			{"yes", "respond", far},
		}, map[string]string{"purpose": "yes"}, true},
		{"an answer with a question mark", finder, []line{opened, {"Commuting?", "respond", far}},
			map[string]string{"purpose": "Commuting?"}, true},
		{"no word", finder, []line{opened, {"???", "respond", "I am here. What can I do?\n\n" + use},
			{"commuting", "respond", far}}, map[string]string{"purpose": "commuting"}, true},
		{"an answer with a question word", finder,
			[]line{opened, {"A trip to where my mother lives", "respond", far}},
			map[string]string{"purpose": "A trip to where my mother lives"}, true},
		{"small talk meanwhile", finder,
			[]line{opened, {"Hello!", "respond", "Hi there! How can I help you?\n\n" + use},
				{"commuting", "respond", far}},
			map[string]string{"purpose": "commuting"}, true},
		{"a goodbye", finder, []line{opened, {"Bye!", "respond", "Goodbye, and take care!"}}, nil, false},
		{"out of it", finder,
			[]line{opened, {"never mind, thanks", "respond", "All right. How else can I help?"},
				{"Are dogs welcome?", "respond", "Dogs are welcome in the garden."}}, nil, false},
		{"a wish for a person", finder, []line{opened, {"I want to talk to a person", "handoff", getting}},
			nil, false},
		{"an opt-out", finder,
			[]line{opened, {"UNSUBSCRIBE", "respond", "Done: we will send you no more messages."}}, nil,
			false},
		{"its keyword again", finder,
			[]line{opened, {"commuting", "respond", far}, {"Find my bike, please", "respond", opened.reply}},
			map[string]string{"purpose": "commuting"}, true},
		{"an answer with the keyword in it", finder,
			[]line{opened, {"to find my bike among others", "respond", far}},
			map[string]string{"purpose": "to find my bike among others"}, true},
		{"another word", finder, []line{{"Are dogs welcome?", "respond", "Dogs are welcome in the garden."}},
			nil, false},
		{"a wait", []playbook.FunnelStep{says("One moment."), after(5, says("Found."))}, []line{
			{begin, "respond", "One moment."},
			{"Are dogs welcome?", "respond", "Dogs are welcome in the garden."},
		}, nil, true},
		{"a wait at once", []playbook.FunnelStep{pause, says("Found.")},
			[]line{{begin, "respond", "Thank you, I have noted that."}}, nil, true},
		{"a wait that is left", []playbook.FunnelStep{says("One moment."), pause, says("Found.")}, []line{
			{begin, "respond", "One moment."}, {"stop", "respond", "All right. How else can I help?"},
		}, nil, false},
		{"a wait for nothing", []playbook.FunnelStep{says("That was it."), pause, after(5, says(" "))},
			[]line{{begin, "respond", "That was it."}}, nil, false},
		{"an answer at the end", []playbook.FunnelStep{asks(use, "purpose")}, []line{
			{begin, "respond", use}, {"commuting", "respond", "Thank you, I have noted that."},
			{"Are dogs welcome?", "respond", "Dogs are welcome in the garden."},
		}, map[string]string{"purpose": "commuting"}, false},
		{"an answer that is not kept", []playbook.FunnelStep{asks(use, ""), says("Good.")},
			[]line{{begin, "respond", use}, {"commuting", "respond", "Good."}}, nil, false},
		{"no steps", nil, []line{{"find my bike", "fallback", offer}}, nil, false},
		{"longer than replies may be", []playbook.FunnelStep{says(long), says(long)}, []line{
			{begin, "respond", long + "\n\n" + long},
		}, nil, false},
		{"longer than messages may be",
			[]playbook.FunnelStep{says(strings.Repeat("x", 4000)), asks(strings.Repeat("y", 4000), "")},
			[]line{
				{begin, "respond", strings.Repeat("x", 4000)},
			}, nil, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newFixture(t, "pro")
			w.edit(t, func(a *agent.Agent) { a.HandoffEnabled, a.OptOutKeywords = true, "unsubscribe" })
			w.funnel(t, "find my bike", test.steps...)
			c := w.converse(t, test.lines...)
			if in := c.Frame.Asked.Funnel != (frame.InFunnel{}); in != test.in {
				t.Errorf("in the funnel: %+v", c.Frame.Asked.Funnel)
			}
			if diff := cmp.Diff(test.facts, w.contact(t, c.ContactID).Facts); diff != "" {
				t.Error(diff)
			}
			handed := test.lines[len(test.lines)-1].action == "handoff"
			if handed != (c.TakeoverMode == conversation.ByHuman) {
				t.Errorf("handled by %s", c.TakeoverMode)
			}
			byFunnel := c.HandoffReason == conversation.HandoffFunnel &&
				strings.Contains(c.HandoffSummary, "Wants: ")
			if test.name == "to its end" && !byFunnel {
				t.Errorf("handed over since %s: %s", c.HandoffReason, c.HandoffSummary)
			}
		})
	}
}

// TestHandoffOutOfAFunnel tests that a contact who asks for a person within a funnel is asked for an address.
func TestHandoffOutOfAFunnel(t *testing.T) {
	w := newFixture(t, "pro")
	w.edit(t, func(a *agent.Agent) { a.HandoffEnabled, a.LeadCaptureEnabled = true, true })
	w.funnel(t, "find my bike", asks(use, "purpose"))
	w.converse(t,
		line{begin, "respond", use},
		line{"I want to talk to a person", "handoff",
			getting + " May I have a name, and an e-mail address or phone number for us to answer to?"},
	)
}

// TestAnswersFillFields tests funnel questions whose answers belong to fields of the contact.
func TestAnswersFillFields(t *testing.T) {
	const next = "And now?"
	for _, test := range []struct {
		saveTo string
		lines  []line
		want   func(*contact.Contact)
	}{
		{"name", []line{{"Ada Lovelace", "respond", next}},
			func(c *contact.Contact) { c.Name = "Ada Lovelace" }},
		{"Name", []line{{"my name is ada", "respond", next}}, func(c *contact.Contact) { c.Name = "Ada" }},
		{"name", []line{{"It's Ada van der Berg.", "respond", next}},
			func(c *contact.Contact) { c.Name = "Ada van der Berg" }},
		{"name", []line{{"rather not", "respond", next}}, func(c *contact.Contact) {}},
		{"email", []line{{"ada@example.com", "respond", next}},
			func(c *contact.Contact) { c.Email, c.OwnsEmail = "ada@example.com", true }},
		{"email", []line{{"can you use ada@example.com?", "respond", next}},
			func(c *contact.Contact) { c.Email, c.OwnsEmail = "ada@example.com", true }},
		{"email", []line{{"I have one", "respond", use}, {"ada@example.com", "respond", next}},
			func(c *contact.Contact) { c.Email, c.OwnsEmail = "ada@example.com", true }},
		{"email", []line{{"I have one", "respond", use}, {"but where?!", "fallback", unknown + "\n\n" + use},
			{"I forgot it", "respond", next}}, func(c *contact.Contact) {
			c.Facts = map[string]string{"email": "I forgot it"}
		}},
		{"email", []line{{"no thanks", "respond", next}}, func(c *contact.Contact) {}},
		{"phone", []line{{"+1 415 555 0123", "respond", next}},
			func(c *contact.Contact) { c.Phone = "+14155550123" }},
		{"phone", []line{{"(415) 555-0123", "respond", next}},
			func(c *contact.Contact) { c.Phone = "+14155550123" }},
		{"budget", []line{{"500 to 800 euros", "respond", next}},
			func(c *contact.Contact) { c.Budget = "500 to 800 euros" }},
		{"location", []line{{"London", "respond", next}}, func(c *contact.Contact) { c.Location = "London" }},
		{"pets", []line{{"no", "respond", next}},
			func(c *contact.Contact) { c.Facts = map[string]string{"pets": "no"} }},
	} {
		t.Run(test.saveTo+" "+test.lines[0].says, func(t *testing.T) {
			w := newFixture(t, "pro")
			w.edit(t, func(a *agent.Agent) { a.PhoneNumber, a.MemoryEnabled = "+14155550100", false })
			w.funnel(t, "find my bike", asks(use, test.saveTo), asks(next, ""))
			c := w.converse(t, append([]line{{begin, "respond", use}}, test.lines...)...)
			got := w.contact(t, c.ContactID)
			want := got
			want.Name, want.Email, want.OwnsEmail, want.Phone, want.Budget, want.Location, want.Facts = "",
				"", false, "", "", "", nil
			test.want(&want)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestAddressOfAnother tests that an answer with another contact's phone number does not merge the contacts.
func TestAddressOfAnother(t *testing.T) {
	w := newFixture(t, "pro")
	w.funnel(t, "find my bike", asks(use, "phone"), says("Good."))
	other := contact.New(0, w.agent, time.Now())
	other.Phone = "+14155550123"
	contacts := &contact.Store{Table: w.Table, Now: time.Now, IDs: w.IDs}
	other, _, err := contacts.Upsert(t.Context(), w.account.ID, other)
	if err != nil {
		t.Fatal(err)
	}
	c := w.converse(t, line{begin, "respond", use}, line{"+14155550123", "respond", "Good."})
	if who := w.contact(t, c.ContactID); who.ID == other.ID || who.Phone != "" {
		t.Errorf("%+v", who)
	}
}

// TestFunnelChanges tests changes to a funnel while the contact is to answer its question.
func TestFunnelChanges(t *testing.T) {
	const dogs, welcome = "Are dogs welcome?", "Dogs are welcome in the garden."
	for _, test := range []struct {
		name   string
		change func(*testing.T, *fixture, int64, []int64)
		line   line
	}{
		{"the question is deleted", func(t *testing.T, w *fixture, f int64, steps []int64) {
			if err := w.steps().Delete(t.Context(), w.account.ID, w.agent, f, steps[0]); err != nil {
				t.Fatal(err)
			}
		}, line{dogs, "respond", welcome}},
		{"it asks nothing any more", func(t *testing.T, w *fixture, f int64, steps []int64) {
			w.changeStep(t, f, steps[0], func(s *playbook.FunnelStep) { s.StepType = playbook.MessageStep })
		}, line{dogs, "respond", welcome}},
		{"it is put in other words", func(t *testing.T, w *fixture, f int64, steps []int64) {
			w.changeStep(t, f, steps[0], func(s *playbook.FunnelStep) { s.Content = "What for?" })
		}, line{dogs, "respond", welcome + "\n\nWhat for?"}},
		{"the next is", func(t *testing.T, w *fixture, f int64, steps []int64) {
			w.changeStep(t, f, steps[1], func(s *playbook.FunnelStep) { s.Content = "In miles?" })
		}, line{"commuting", "respond", "In miles?"}},
		{"the funnel is switched off", func(t *testing.T, w *fixture, f int64, _ []int64) {
			funnels := playbook.Store[playbook.Funnel, *playbook.Funnel]{Table: w.Table, Now: time.Now,
				IDs: w.IDs}
			if _, err := funnels.Update(t.Context(), w.account.ID, w.agent, f,
				func(f *playbook.Funnel) error {
					f.IsActive = false
					return nil
				}); err != nil {
				t.Fatal(err)
			}
		}, line{dogs, "respond", welcome}},
		{"the funnel is deleted", func(t *testing.T, w *fixture, f int64, _ []int64) {
			if err := w.steps().DeleteFunnel(t.Context(), w.account.ID, w.agent, f); err != nil {
				t.Fatal(err)
			}
		}, line{dogs, "respond", welcome}},
		{"the conversation is resolved", func(t *testing.T, w *fixture, _ int64, _ []int64) {
			w.changeLatest(t, func(c *conversation.Conversation) { c.Resolve(time.Now()) })
		}, line{dogs, "respond", welcome}},
		{"a person had it", func(t *testing.T, w *fixture, _ int64, _ []int64) {
			w.changeLatest(t, func(c *conversation.Conversation) { c.HandOver(conversation.HandoffManual) })
			w.changeLatest(t, (*conversation.Conversation).HandBack)
		}, line{dogs, "respond", welcome}},
		{"a day has gone by", func(t *testing.T, w *fixture, _ int64, _ []int64) {
			w.changeLatest(t,
				func(c *conversation.Conversation) {
					c.Frame.Asked.Funnel.At = time.Now().Add(-25 * time.Hour)
				})
		}, line{dogs, "respond", welcome}},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newFixture(t, "pro")
			f, steps := w.funnel(t, "find my bike", asks(use, ""), asks(far, ""))
			w.converse(t, line{begin, "respond", use})
			test.change(t, w, f, steps)
			w.converse(t, test.line)
		})
	}
}

func (w *fixture) changeStep(t *testing.T, f, step int64, change func(*playbook.FunnelStep)) {
	t.Helper()
	if _, err := w.steps().Update(t.Context(), w.account.ID, w.agent, f, step,
		func(s *playbook.FunnelStep) error {
			change(s)
			return nil
		}); err != nil {
		t.Fatal(err)
	}
}

// changeLatest updates the conversation that the session points to.
func (w *fixture) changeLatest(t *testing.T, change func(*conversation.Conversation)) {
	t.Helper()
	item, err := w.Table.Get(t.Context(), conversation.SessionKey(w.account.ID, w.agent, session))
	if err != nil {
		t.Fatal(err)
	}
	s, err := conversation.ReadSession(item)
	if err != nil {
		t.Fatal(err)
	}
	w.change(t, s.ConversationID, change)
}

// TestWaitIsPublished tests that a waiting step stores the event that ends the wait.
func TestWaitIsPublished(t *testing.T) {
	w := newFixture(t, "pro")
	_, steps := w.funnel(t, "find my bike", says("One moment."), after(90, says("Found.")))
	c := w.converse(t, line{begin, "respond", "One moment."})
	item, err := w.Table.Get(t.Context(), event.Key(w.account.ID, c.Frame.Asked.Funnel.Wait))
	if err != nil {
		t.Fatal(err)
	}
	e, err := event.Read(item)
	if err != nil || e.Kind != event.FunnelWaiting || e.ConversationID != c.ID || e.AgentID != w.agent ||
		c.Frame.Asked.Funnel.Step != steps[1] ||
		!e.Due.Equal(c.Frame.Asked.Funnel.At.Add(90*time.Second)) {
		t.Errorf("%+v of %+v, %v", e, c.Frame.Asked.Funnel, err)
	}
}

// TestLongestKeyword tests that if a message has the keywords of two funnels, the longer keyword wins.
func TestLongestKeyword(t *testing.T) {
	w := newFixture(t, "pro")
	w.funnel(t, "bike", says("Short."))
	w.funnel(t, "find a bike, find my bike", says("Long."))
	w.converse(t, line{begin, "respond", "Long."}, line{"My bike!", "respond", "Short."})
}

// TestFunnelInLanguages tests a contact's question within a funnel, and leaving it, in other languages.
func TestFunnelInLanguages(t *testing.T) {
	for _, test := range []struct {
		language       agent.Language
		keyword, begin string
		ask            string
		faq            agent.FAQ
		answer, leave  string
	}{
		{"de", "Fahrradberater", "Ich möchte zum Fahrradberater", "Wofür brauchen Sie es?",
			agent.FAQ{Question: "Sind Hunde erlaubt?", Answer: "Hunde dürfen in den Garten."},
			"Für den Weg zur Arbeit", "vergiss es"},
		{"es", "buscar bici", "Quiero buscar bici", "¿Para qué la necesita?",
			agent.FAQ{Question: "¿Se admiten perros?", Answer: "Los perros pueden entrar al jardín."},
			"para ir al trabajo", "olvídalo"},
		{"fr", "trouver un vélo", "Je veux trouver un vélo", "Pour quel usage ?",
			agent.FAQ{Question: "Les chiens sont-ils admis ?", Answer: "Les chiens sont admis au jardin."},
			"pour aller au travail", "laissez tomber"},
		{"tr", "bisiklet bul", "bana bisiklet bul", "Ne için kullanacaksınız?",
			agent.FAQ{Question: "Köpekler girebilir mi?", Answer: "Köpekler bahçeye girebilir."},
			"işe gitmek için", "vazgeç"},
	} {
		t.Run(string(test.language), func(t *testing.T) {
			w := newFixture(t, "pro")
			w.edit(t, func(a *agent.Agent) { a.Language, a.FAQs = test.language, []agent.FAQ{test.faq} })
			w.funnel(t, test.keyword, asks(test.ask, "purpose"), asks("?!", ""))
			c := w.converse(t, line{test.begin, "respond", test.ask},
				line{test.faq.Question, "respond", test.faq.Answer + "\n\n" + test.ask},
				line{test.answer, "respond", "?!"})
			if got := w.contact(t, c.ContactID).Facts["purpose"]; got != test.answer {
				t.Errorf("kept %q", got)
			}
			if _, err := w.say(t.Context(), test.leave); err != nil {
				t.Fatal(err)
			}
			if c = w.conversation(t, c.ID); c.Frame.Asked.Funnel != (frame.InFunnel{}) {
				t.Errorf("%q does not leave the funnel", test.leave)
			}
		})
	}
}
