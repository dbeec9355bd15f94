package assistant_test

import (
	"testing"

	"frontdesk/shared/agent"
	"frontdesk/shared/frame"
)

// TestClarify tests ambiguous questions: the agent asks which meaning is meant and understands the answer.
func TestClarify(t *testing.T) {
	const asks = "Do you mean “Full colour” or “Root colour”?"
	for answer, want := range map[string]string{
		"2":                   "Root colour, 60 minutes, £48",
		"Root colour":         "Root colour, 60 minutes, £48",
		"the first one":       "Full colour, 90 minutes, £80",
		"the last one please": "Root colour, 60 minutes, £48",
		"the root one":        "Root colour, 60 minutes, £48",
		"full":                "Full colour, 90 minutes, £80",
	} {
		t.Run(answer, func(t *testing.T) {
			w := newFixture(t, "pro")
			w.edit(t, func(a *agent.Agent) {
				a.CapabilityQuotePrices = true
				a.AvailableServices = []string{
					"Full colour, 90 minutes, £80", "Root colour, 60 minutes, £48",
					"Haircut, 30 minutes, £25",
					"Beard trim, 15 minutes, £12",
				}
			})
			c := w.converse(t, line{"How much is a colour?", "respond", asks}, line{answer, "respond", want})
			if c.Frame.Asked.Reply == frame.ForMeaning {
				t.Error("the question is open still")
			}
		})
	}
}

// TestClarifyOneReading tests a question that is similar to one FAQ.
func TestClarifyOneReading(t *testing.T) {
	const asks = "Do you mean “What does a room cost?”?"
	for answer, want := range map[string]line{
		"yes":                 {"yes", "respond", "A double room costs £95."},
		"Yes please":          {"Yes please", "respond", "A double room costs £95."},
		"no":                  {"no", "respond", "All right. How else can I help?"},
		"Do you have a pool?": {"Do you have a pool?", "respond", "There is a heated pool."},
	} {
		t.Run(answer, func(t *testing.T) {
			w := newFixture(t, "pro")
			w.edit(t, func(a *agent.Agent) {
				a.FAQs = []agent.FAQ{
					{Question: "What does a room cost?", Answer: "A double room costs £95."},
					{Question: "What does parking cost?", Answer: "Parking costs £8 a day."},
					{Question: "When is breakfast?", Answer: "Breakfast is from 7 to 10."},
					{Question: "Do you have a pool?", Answer: "There is a heated pool."},
					{Question: "Is there wifi in the rooms?", Answer: "Wifi is free everywhere."},
				}
			})
			w.converse(t, line{"What does it cost per night?", "respond", asks}, want)
		})
	}
}
