package assistant_test

import (
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
