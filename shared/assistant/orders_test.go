package assistant_test

import (
	"testing"

	"frontdesk/shared/agent"
)

// TestOrders tests an order that is described in several messages.
func TestOrders(t *testing.T) {
	const passed = "Thank you. A colleague will look up the order and get back to you."
	for _, test := range []struct {
		name  string
		lines []line
	}{
		{"described after its number", []line{
			{"where is my order 55210?", "respond", passed},
			{"i placed it on thursday", "respond", passed},
		}},
		{"a number after an answer about orders", []line{
			{"i want to cancel my order", "respond", "Orders can be cancelled until they have left."},
			{"no 55210, ana.ruiz@example.com", "respond", passed},
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := garden(t)
			w.edit(t, func(a *agent.Agent) {
				a.HandoffEnabled = true
				a.FAQs = []agent.FAQ{
					{
						Question: "Can I cancel my order?",
						Answer:   "Orders can be cancelled until they have left.",
					},
				}
			})
			w.converse(t, test.lines...)
		})
	}
}
