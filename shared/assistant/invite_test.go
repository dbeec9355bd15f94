package assistant_test

import (
	"testing"
	"time"

	"frontdesk/shared/agent"
	"frontdesk/shared/frame"
)

const dogs = "Dogs are welcome in the garden."

// TestInvite tests that the agent says its call to action after it has helped: once, and never while
// something else is open.
func TestInvite(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*agent.Agent)
		lines  []line
	}{
		{"when helped, once", nil, []line{
			{"Are dogs welcome?", "respond", dogs},
			{"are dogs welcome", "respond", dogs + " Visit the shop."},
			{"Are dogs welcome?", "respond", dogs},
		}},
		{"not who was not helped", nil, []line{
			{"Hello", "respond", "Hi there! How can I help you?"},
			{question, "fallback", unknown},
			{"Thanks", "respond", "You're welcome! Anything else?"},
		}},
		{"as it is written", func(a *agent.Agent) { a.CallToAction = "Visit the shop!" }, []line{
			{"Hello", "respond", "Hi there! How can I help you?"},
			{"Are dogs welcome?", "respond", dogs + " Visit the shop!"},
		}},
		{"to nothing", func(a *agent.Agent) { a.ConversionMode = agent.ConvertNothing }, []line{
			{"Hello", "respond", "Hi there! How can I help you?"}, {"Are dogs welcome?", "respond", dogs},
		}},
		{"without room", func(a *agent.Agent) { a.MaxResponseLength = 40 }, []line{
			{"Hello", "respond", "Hi there! How can I help you?"}, {"Are dogs welcome?", "respond", dogs},
		}},
		{"after the contact's address",
			func(a *agent.Agent) { a.ConversionMode, a.LeadCaptureEnabled = agent.ConvertLead, true }, []line{
				{"Hello", "respond", "Hi there! How can I help you?"},
				{"Are dogs welcome?", "respond",
					dogs + " May I have a name, and an e-mail address or phone number for us to answer to?"},
				{"No", "respond", "All right. How else can I help?"},
				{"Are dogs welcome?", "respond", dogs + " Visit the shop."},
			}},
		{"to an appointment", func(a *agent.Agent) {
			a.ConversionMode, a.BookingEnabled, a.BusinessHours, a.Timezone = agent.ConvertBooking, true,
				"Monday to Sunday 9:00-18:00", "UTC"
		}, []line{
			{"Hello", "respond", "Hi there! How can I help you?"},
			{"Are dogs welcome?", "respond", dogs + " Visit the shop."},
			{"Yes, please", "respond", "Which day and time would suit?"},
			{"Are dogs welcome?", "respond", dogs + " Which day and time would suit?"},
		}},
		{"to an appointment that is not wanted",
			func(a *agent.Agent) { a.ConversionMode, a.BookingEnabled = agent.ConvertBooking, true }, []line{
				{"Hello", "respond", "Hi there! How can I help you?"},
				{"Are dogs welcome?", "respond", dogs + " Visit the shop."},
				{"No, thanks", "respond", "All right. How else can I help?"},
				{"Are dogs welcome?", "respond", dogs},
			}},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newFixture(t, "pro")
			w.Now = func() time.Time { return time.Date(2026, 3, 6, 12, 0, 0, 0, time.UTC) }
			w.edit(t, func(a *agent.Agent) {
				a.ConversionMode, a.CallToAction = agent.ConvertSale, "Visit the shop"
				if test.change != nil {
					test.change(a)
				}
			})
			w.converse(t, test.lines...)
		})
	}
}

// TestQualify tests that a contact who has told their name is asked the qualifying questions.
func TestQualify(t *testing.T) {
	for _, test := range []struct {
		name  string
		lines []line
		needs string
		asked frame.Question
	}{
		{"answered", []line{
			{"My name is Ada", "respond", "Thank you, Ada, I have noted that. Buy or rent? Where?"},
			{"Rent, by the river", "respond", "Thank you, I have noted that."},
			{"I am called Ada", "respond", "Thank you, Ada, I have noted that."},
		}, "Rent, by the river", ""},
		{"not answered", []line{
			{"My name is Ada", "respond", "Thank you, Ada, I have noted that. Buy or rent? Where?"},
			{"Are dogs welcome?", "respond",
				dogs + " May I have an e-mail address or phone number for us to answer to?"},
		}, "", frame.ForContact},
		{"refused", []line{
			{"My name is Ada", "respond", "Thank you, Ada, I have noted that. Buy or rent? Where?"},
			{"no thanks", "respond", "All right. How else can I help?"},
		}, "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newFixture(t, "pro")
			w.edit(t, func(a *agent.Agent) {
				a.ConversionMode, a.LeadCaptureEnabled, a.QualifyingQuestions = agent.ConvertLead, true,
					"Buy or rent? Where?"
			})
			c := w.converse(t, test.lines...)
			if needs := w.contact(t, c.ContactID).Facts["needs"]; needs != test.needs ||
				c.Frame.Asked.Reply != test.asked {
				t.Errorf("needs %q, asked for %q", needs, c.Frame.Asked.Reply)
			}
		})
	}
}

// TestAssumedSales tests that a call to action and questions that an industry's template assumed are not
// used.
func TestAssumedSales(t *testing.T) {
	w := newFixture(t, "pro")
	w.edit(t, func(a *agent.Agent) {
		a.ConversionMode, a.LeadCaptureEnabled = agent.ConvertLead, true
		a.CallToAction, a.AssumedCallToAction, a.QualifyingQuestions, a.AssumedQuestions = "Visit the shop",
			true, "Buy or rent?", true
	})
	w.converse(t,
		line{"Are dogs welcome?", "respond", dogs},
		line{"My e-mail address is ada@example.com", "respond", "Thank you, I have noted that."},
		line{"Are dogs welcome?", "respond", dogs},
	)
}
