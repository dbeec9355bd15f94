package assistant_test

import (
	"testing"

	"frontdesk/shared/agent"
)

// TestOffers tests that a question for offers in general is answered from the agent's field, and one for
// discounts on something from the knowledge.
func TestOffers(t *testing.T) {
	const offer = "10% off all pots until 30 November."
	for _, test := range []struct {
		name  string
		lines []line
	}{
		{"in general", []line{
			{"any deals on today?", "respond", offer},
			{"until when?", "respond", offer},
		}},
		{"in the contact's language", []line{{"habt ihr gerade angebote?", "respond",

			"Zu „angebote“ sagt der Betrieb, in seiner eigenen Sprache:\n" + offer}}},
		{"another question for a time", []line{
			{"any deals on today?", "respond", offer},
			{"when are you open?", "respond",
				"Monday to Friday 9:00-17:00, Saturday 10:00-16:00"},
		}},
		{"the whole range", []line{{"what do you offer?", "respond",
			"Lawn mowing, 45 minutes, £30\nHedge trimming, 90 minutes, £75"}}},
		{"for somebody", []line{{"is there a discount for students?", "respond", "Students get 5% off."}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := garden(t)
			w.edit(t, func(a *agent.Agent) {
				a.CurrentOffers = offer
				a.FAQs = []agent.FAQ{
					{Question: "Do students get a discount?", Answer: "Students get 5% off."},
				}
			})
			w.converse(t, test.lines...)
		})
	}
}
