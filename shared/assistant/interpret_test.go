package assistant_test

import (
	"strings"
	"testing"

	"frontdesk/shared/agent"
	"frontdesk/shared/conversation"
)

// TestEmergency answers who is in need with what the business has for it and its number, before a person is offered.
func TestEmergency(t *testing.T) {
	w := newWorld(t, "pro")
	w.edit(t, func(a *agent.Agent) {
		a.HandoffEnabled, a.PhoneNumber = true, "+442079460123"
		a.FAQs = append(a.FAQs, agent.FAQ{Question: "What do I do when a pipe bursts?", Answer: "Turn the stopcock under the sink clockwise."})
	})
	answer, err := w.say(t.Context(), "help a pipe burst, water is everywhere!!")
	if err != nil || answer.Reply == nil || answer.Action != "respond" {
		t.Fatalf("%+v, %v", answer, err)
	}
	c := w.conversation(t, answer.ConversationID)
	stopcock, call := strings.Index(*answer.Reply, "stopcock"), strings.Index(*answer.Reply, "+442079460123")
	if offer := strings.Index(*answer.Reply, "Shall I bring in a colleague"); stopcock < 0 || call < stopcock || offer < call {
		t.Errorf("%q", *answer.Reply)
	}
	if c.Priority != conversation.Urgent || !c.AnsweredByAI() || c.Asked != conversation.AskedForPerson {
		t.Errorf("%+v", c)
	}
}

// TestIdentityIsHonest has the talk go on after the agent has said what it is.
func TestIdentityIsHonest(t *testing.T) {
	w := newWorld(t, "pro")
	w.edit(t, func(a *agent.Agent) { a.HandoffEnabled = true })
	w.converse(t,
		line{"are you a real person?", "respond", "I am Ada, an automated assistant."},
		line{"Are dogs welcome?", "respond", "Dogs are welcome in the garden."},
	)
}

// TestAssortment finds products that nobody names: by price, by a word of their descriptions, cheaper ones.
func TestAssortment(t *testing.T) {
	for _, lines := range [][]line{
		{{"anything under 50 euros?", "respond", "We have:\nBell: €5.00\nTubes 10: €30.00"}},
		{{"anything under 2 euros?", "respond", "There is nothing like that among our products."}},
		{{"what is the cheapest you have", "respond", "We have:\nBell: €5.00"}},
		{
			{"How much is the mountain bicycle?", "respond", "Mountain bicycle: €1,299.00"},
			{"anything cheaper?", "respond", "We have:\nCity bicycle: €499.90\nBell: €5.00\nTubes 10: €30.00"},
		},
		{{"do you have something with a basket?", "respond", "We have:\nCity bicycle: €499.90"}},
	} {
		t.Run(lines[len(lines)-1].says, func(t *testing.T) { bicycles(t).converse(t, lines...) })
	}
}
