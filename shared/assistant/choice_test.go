package assistant_test

import (
	"fmt"
	"strings"
	"testing"

	"frontdesk/shared/agent"
	"frontdesk/shared/ai/llm/llmtest"
	"frontdesk/shared/assistant"
	"frontdesk/shared/conversation"
	"frontdesk/shared/message"
)

// An answered is a message of a contact, with its expected reply and the choices that the reply offers.
type answered struct {
	says, presses string // presses is the value of a button, "" for a message that was typed
	reply         string // a part of the reply
	offers        string // the labels, separated by "|"
}

// choose sends the messages in one session and checks the replies.
func (w *fixture) choose(t *testing.T, lines ...answered) {
	t.Helper()
	for _, l := range lines {
		m := assistant.Message{
			AccountID: w.account.ID, AgentID: w.agent, Channel: conversation.API, Proved: true,
			SessionID: session, Text: l.says, Choice: l.presses,
		}
		if l.presses != "" {
			m.Parts = []message.Part{{Kind: conversation.Text, Content: l.says}}
		}
		answer, err := w.Turn(t.Context(), m)
		if err != nil || answer.Reply == nil || !strings.Contains(*answer.Reply, l.reply) {
			t.Fatalf("%q: %+v, %v", l.says, answer, err)
		}
		var labels []string
		for _, c := range answer.Choices {
			labels = append(labels, c.Label)
		}
		if got := strings.Join(labels, "|"); got != l.offers {
			t.Errorf("%q: %q offers %q, want %q", l.says, *answer.Reply, got, l.offers)
		}
	}
}

// TestChoices tests choosing by a number, a label, a value and a button.
func TestChoices(t *testing.T) {
	salon := func(t *testing.T) *fixture {
		w := newSalon(t)
		w.edit(t, func(a *agent.Agent) { a.AvailableServices = []string{"Hair cut", "Colour"} })
		return w
	}
	const times = "Thursday 09:00|Thursday 13:00|Thursday 17:30"
	ask := answered{"I'd like to book an appointment", "", "1. Hair cut\n2. Colour", "Hair cut|Colour"}
	when := answered{says: "2", reply: "Which day and time"}
	day := answered{"tomorrow", "", "1. Thursday, 26 November at 09:00", times}
	details := answered{"Ada Lovelace, ada@example.com", "", "Booked: Colour, Thursday, 26 November at 13:00",
		""}
	for name, lines := range map[string][]answered{
		"numbers": {ask, when, day, {"2", "", "26 November at 13:00 is free. What name", ""}, details},
		"labels": {ask, {says: "colour", reply: "Which day"}, day, {"thursday 13:00", "", "What name", ""},
			details},
		"buttons": {
			ask, {"Colour", "Colour", "Which day", ""}, day,
			{"Thursday 13:0…", "Thursday, 26 November at 13:00", "What name", ""}, details,
		},
		"an older button": {
			ask, when, day, {"Friday", "", "Friday, 27 November", "Friday 09:00|Friday 13:00|Friday 17:30"},
			{"Thursday 13:00", "Thursday, 26 November at 13:00", "26 November at 13:00 is free", ""}, details,
		},
		"a button that others sent": {ask, {"Colour", "EVIL", "Which day", ""}},
		"something beside it": {
			ask, {"Are dogs welcome?", "", "What is it for?", "Hair cut|Colour"}, when,
		},
	} {
		t.Run(name, func(t *testing.T) { salon(t).choose(t, lines...) })
	}
	t.Run("products", func(t *testing.T) {
		bicycles(t).choose(t,
			answered{"Do you sell bicycles?", "", "1. City bicycle", "City bicycle|Mountain bicycle"},
			answered{"2", "", "Mountain bicycle: €1,299.00", ""},
		)
	})
	t.Run("yes and no", func(t *testing.T) {
		w := newFixture(t, "pro")
		w.edit(t, func(a *agent.Agent) { a.HandoffEnabled, a.HandoffMessage = true, "Somebody will come." })
		w.choose(t,
			answered{"Do you repair watches?", "", "Shall I bring in a colleague?", "Yes|No"},
			answered{"1", "", "Somebody will come.", ""},
		)
	})
}

// TestChoiceIsStored tests that the offered choices are stored with the message, and that a pressed button
// is stored with its full label.
func TestChoiceIsStored(t *testing.T) {
	w := bicycles(t)
	w.choose(t,
		answered{"Do you sell bicycles?", "", "1. City bicycle", "City bicycle|Mountain bicycle"},
		answered{"Mountain bic…", "Mountain bicycle", "€1,299.00", ""},
		answered{"How much is the bell?", "", "Bell", ""},
	)
	if said := w.thread(t); said[2] != "inbound: Mountain bicycle" {
		t.Errorf("%q", said)
	}
}

// TestModelOffers tests an offer that a language model words. The reply has the choices, and lists them if
// the model's text does not. The model reads a choice by number in words.
func TestModelOffers(t *testing.T) {
	onWires(t, func(t *testing.T, w *fixture, p *player) {
		const times = "Thursday 09:00|Thursday 13:00|Thursday 17:30"
		p.answers = []llmtest.Answer{
			calls("appointment", `{"does":"book","date":"2026-11-26"}`), tells("respond", "Which of these?"),
			calls("appointment", `{"does":"book","date":"2026-11-26","time":"13:00"}`),
			tells("respond", "Your name?"),
		}
		w.choose(t,
			answered{"tomorrow then", "", "Which of these?\n1. Thursday 09:00\n2. Thursday 13:00", times},
			answered{"2", "", "Your name?", ""},
		)
		read := p.asked[len(p.asked)-1].Turns
		if !strings.Contains(fmt.Sprint(read), "Thursday, 26 November at 13:00") {
			t.Errorf("the model read %+v", read)
		}
		told := "We have Thursday 09:00, Thursday 13:00 and Thursday 17:30."
		p.answers = []llmtest.Answer{
			calls("appointment", `{"does":"book","date":"2026-11-26"}`), tells("respond", told),
		}
		w.choose(t, answered{"which times again", "", told, times})
	})
}
