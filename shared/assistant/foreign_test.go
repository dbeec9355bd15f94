package assistant_test

import (
	"strings"
	"testing"

	"frontdesk/shared/agent"
)

// TestQuoted tests that an answer in another language than the question's is introduced in the language of
// the question, and that no other answer is.
func TestQuoted(t *testing.T) {
	for _, test := range []struct {
		name, says, lead string
	}{
		{"another language", "is there parking at your place",
			"On “parking” the business says, in its own language:\n"},
		{"the same", "gibt es bei euch parkplätze", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newFixture(t, "pro")
			const parking = "Parkplätze finden Sie im Hof hinter dem Haus."
			w.edit(t, func(a *agent.Agent) {
				a.Language = "de"
				a.FAQs = []agent.FAQ{{Question: "Gibt es Parkplätze?", Answer: parking}}
			})
			answer, err := w.say(t.Context(), test.says)
			if err != nil || answer.Reply == nil || *answer.Reply != test.lead+parking {
				t.Errorf("%+v, %v", answer, err)
			}
		})
	}
}

// TestForeignFollowUp tests a question that depends on the one before it, both in another language than the
// agent's.
func TestForeignFollowUp(t *testing.T) {
	w := newFixture(t, "pro")
	const parking = "Parkplätze finden Sie im Hof, für 3 € am Tag."
	w.edit(t, func(a *agent.Agent) {
		a.Language = "de"
		a.FAQs = []agent.FAQ{{Question: "Gibt es Parkplätze?", Answer: parking},
			{Question: "Darf ich meinen Hund mitbringen?", Answer: "Hunde sind willkommen."}}
	})
	for _, said := range []string{"is there parking at your place", "and how much is it?"} {
		if answer, err := w.say(t.Context(), said); err != nil || answer.Reply == nil ||
			!strings.HasSuffix(*answer.Reply, parking) {
			t.Errorf("%s: %+v, %v", said, answer, err)
		}
	}
}

// TestNoEmergency tests questions that only have words of the business's text about emergencies.
func TestNoEmergency(t *testing.T) {
	for _, says := range []string{
		"do u do chimneys as well? need one looking at", "wheres the way in, is it on mill lane itself",
	} {
		w := newFixture(t, "pro")
		const urgent = "In an emergency, such as a burst pipe in the lane, call 01584 555019 at once."
		w.edit(t, func(a *agent.Agent) { a.BusinessDescription = urgent })
		answer, err := w.say(t.Context(), says)
		if err != nil || answer.Reply == nil || strings.Contains(*answer.Reply, "urgent") {
			t.Errorf("%s: %+v, %v", says, answer, err)
		}
	}
}

// TestUnspokenLanguage tests that the agent says once which languages it knows.
func TestUnspokenLanguage(t *testing.T) {
	w := newFixture(t, "pro")
	for i, test := range []struct {
		says string
		told bool
	}{
		{"ok then", false},
		{"chciałabym zapytać, ile to kosztuje", true},
		{"czy można u was zapłacić kartą", false},
	} {
		answer, err := w.say(t.Context(), test.says)
		if err != nil || answer.Reply == nil ||
			strings.Contains(*answer.Reply, "English, español, français") != test.told {
			t.Errorf("%d: %+v, %v", i, answer, err)
		}
	}
}
