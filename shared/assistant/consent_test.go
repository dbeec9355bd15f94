package assistant_test

import (
	"strings"
	"testing"

	"frontdesk/shared/agent"
	"frontdesk/shared/conversation"
)

// TestConsent tests answers to the offer of a person: only a clear yes brings one in.
func TestConsent(t *testing.T) {
	for _, test := range []struct {
		says     string
		fallback string // the agent's fallback message; "" for the default
		handsOff bool
	}{
		{"yes please", "", true},
		{"Ok, thanks, do", "", true},
		{"yes, bring in a colleague", "", true},
		{"sure, 07700 900123", "", true},
		{"ok and do you repair windows", "", false},
		{"ok bye then", "", false},
		{"fine, are dogs welcome", "", false},
		{"r u a real person", "", false},
		{"yes", "Pardon?", false}, // this fallback offers no person
	} {
		t.Run(test.says+test.fallback, func(t *testing.T) {
			w := newFixture(t, "pro")
			w.edit(t, func(a *agent.Agent) { a.HandoffEnabled, a.FallbackMessage = true, test.fallback })
			if _, err := w.say(t.Context(), question); err != nil {
				t.Fatal(err)
			}
			answer, err := w.say(t.Context(), test.says)
			if got := answer.Action == "handoff"; err != nil || got != test.handsOff {
				t.Errorf("%s, %v", answer.Action, err)
			}
		})
	}
}

// TestEmergencyGoesOn tests that a question after an emergency belongs to it, even without words of one.
func TestEmergencyGoesOn(t *testing.T) {
	w := newFixture(t, "pro")
	w.edit(t, func(a *agent.Agent) {
		a.HandoffEnabled, a.PhoneNumber = true, "+442079460123"
		a.FAQs = append(a.FAQs, agent.FAQ{Question: "What do I do when I smell gas?",
			Answer: "Close the valve at the meter and leave the building."})
	})
	for _, says := range []string{"it stinks of gas in our flat", "do I stay inside or what"} {
		answer, err := w.say(t.Context(), says)
		if err != nil || answer.Action != "respond" ||
			!strings.Contains(*answer.Reply, "leave the building") {
			t.Errorf("%q: %+v, %v", says, answer, err)
		}
		c := w.conversation(t, answer.ConversationID)
		if c.Priority != conversation.Urgent || !c.AnsweredByAI() {
			t.Errorf("%q: %+v", says, c)
		}
	}
}

// TestWishInAnEmergency tests that a wish that somebody comes right after an emergency brings in a person,
// and that one that names a day starts an appointment.
func TestWishInAnEmergency(t *testing.T) {
	for says, action := range map[string]string{
		"can somebody come as soon as possible": "handoff", "can I come on friday at 3pm": "respond",
	} {
		w := newSalon(t)
		w.edit(t, func(a *agent.Agent) { a.HandoffEnabled = true })
		if answer, err := w.say(t.Context(), "help, it stinks of gas in our flat"); err != nil ||
			answer.Action != "respond" {
			t.Fatalf("%+v, %v", answer, err)
		}
		if answer, err := w.say(t.Context(), says); err != nil || answer.Action != action {
			t.Errorf("%q: %+v, %v", says, answer, err)
		}
	}
}

// TestHolidays tests that a question about hours on holidays is answered from the business's description.
func TestHolidays(t *testing.T) {
	w := newFixture(t, "pro")
	w.edit(t, func(a *agent.Agent) {
		a.BusinessHours = "Monday to Friday 9-17"
		a.BusinessDescription = "Our holidays: we are away from 24 December to 3 January."
	})
	answer, err := w.say(t.Context(), "are you open over christmas?")
	if err != nil || answer.Reply == nil || !strings.Contains(*answer.Reply, "24 December") {
		t.Errorf("%+v, %v", answer, err)
	}
}
