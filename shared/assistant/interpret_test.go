package assistant_test

import (
	"strings"
	"testing"

	"frontdesk/shared/agent"
	"frontdesk/shared/conversation"
	"frontdesk/shared/frame"
)

// TestEmergency tests that an emergency is answered with the business's instructions and phone number before
// a person is offered.
func TestEmergency(t *testing.T) {
	w := newFixture(t, "pro")
	w.edit(t, func(a *agent.Agent) {
		a.HandoffEnabled, a.PhoneNumber = true, "+442079460123"
		a.FAQs = append(a.FAQs, agent.FAQ{Question: "What do I do when a pipe bursts?",
			Answer: "Turn the stopcock under the sink clockwise."})
	})
	answer, err := w.say(t.Context(), "help a pipe burst, water is everywhere!!")
	if err != nil || answer.Reply == nil || answer.Action != "respond" {
		t.Fatalf("%+v, %v", answer, err)
	}
	c := w.conversation(t, answer.ConversationID)
	stopcock, call := strings.Index(*answer.Reply, "stopcock"), strings.Index(*answer.Reply, "+442079460123")
	if offer := strings.Index(*answer.Reply, "Shall I bring in a colleague"); stopcock < 0 ||
		call < stopcock || offer < call {
		t.Errorf("%q", *answer.Reply)
	}
	if c.Priority != conversation.Urgent || !c.AnsweredByAI() || c.Frame.Asked.Reply != frame.ForPerson {
		t.Errorf("%+v", c)
	}
	answer, err = w.say(t.Context(), "its running down the stairs now")
	if err != nil || answer.Reply == nil || answer.Action != "handoff" ||
		!strings.Contains(*answer.Reply, "+442079460123") {
		t.Errorf("as the emergency goes on: %+v, %v", answer, err)
	}
}

// TestNeed tests, in several languages, that emergencies and complaints are told from questions about them.
func TestNeed(t *testing.T) {
	for _, test := range []struct{ language, says, intent string }{
		{"en", "our kitchen ceiling is dripping and now its pouring in", "emergency"},
		{"de", "mein vater ist gestürzt und blutet am kopf", "emergency"},
		{"fr", "mon chat a avalé une aiguille et il saigne", "emergency"},
		{"es", "hay mucho humo en la cocina, socorro", "emergency"},
		{"it", "la nonna è svenuta e non si muove", "emergency"},
		{"nl", "de kelder staat onder water help", "emergency"},
		{"en", "you painted my door the wrong colour and nobody calls me back", "complaint"},
		{"de", "der maler hat den boden verkleckst, das ist unverschämt", "complaint"},
		{"fr", "la table est arrivée cassée, je veux être remboursé", "complaint"},
		{"es", "el sofá llegó roto y nadie contesta, qué vergüenza", "complaint"},
		{"en", "how many days do I have to send something back?", ""},
		{"en", "my order is urgent, when will it be here?", ""},
		{"de", "wie lange dauert eine erstattung?", ""},
		{"fr", "comment se passe un échange ?", ""},
		{"es", "cómo funcionan los cambios?", ""},
	} {
		t.Run(test.says, func(t *testing.T) {
			w := newFixture(t, "pro")
			w.edit(t, func(a *agent.Agent) {
				a.HandoffEnabled, a.Language = true,
					agent.Language(test.language)
			})
			answer, err := w.say(t.Context(), test.says)
			if err != nil || answer.Reply == nil {
				t.Fatalf("%+v, %v", answer, err)
			}
			if got := answer.Intent; got != test.intent &&
				(test.intent != "" || got == "emergency" || got == "complaint") {
				t.Errorf("%s: %q", got, *answer.Reply)
			}
		})
	}
}

// TestIdentityIsHonest tests that the agent says that it is automated and goes on answering.
func TestIdentityIsHonest(t *testing.T) {
	w := newFixture(t, "pro")
	w.edit(t, func(a *agent.Agent) { a.HandoffEnabled = true })
	w.converse(t,
		line{"are you a real person?", "respond", "I am Ada, an automated assistant."},
		line{"Are dogs welcome?", "respond", "Dogs are welcome in the garden."},
	)
}

// TestAssortment tests questions for products by price or by a word of their descriptions, and for cheaper
// ones.
func TestAssortment(t *testing.T) {
	for _, lines := range [][]line{
		{{"anything under 50 euros?", "respond", "We have:\n1. Bell: €5.00\n2. Tubes 10: €30.00"}},
		{{"anything under 2 euros?", "respond", "There is nothing like that among our products."}},
		{{"what is the cheapest you have", "respond", "We have:\nBell: €5.00"}},
		{
			{"How much is the mountain bicycle?", "respond", "Mountain bicycle: €1,299.00"},
			{"anything cheaper?", "respond",
				"We have:\n1. City bicycle: €499.90\n2. Bell: €5.00\n3. Tubes 10: €30.00"},
		},
		{{"do you have something with a basket?", "respond",
			"We have:\nCity bicycle: €499.90. Seven gears, lights and a basket."}},
	} {
		t.Run(lines[len(lines)-1].says, func(t *testing.T) { bicycles(t).converse(t, lines...) })
	}
}
