package assistant_test

import (
	"testing"

	"frontdesk/shared/agent"
)

// TestRepeat tests requests to repeat what the agent has said.
func TestRepeat(t *testing.T) {
	w := newFixture(t, "pro")
	w.edit(t, func(a *agent.Agent) {
		a.PhoneNumber, a.MemoryEnabled = "+441584555019", true
		a.FAQs = []agent.FAQ{
			{Question: "Who do I call at night?", Answer: "At night call the vets on 01584 555 777."},
			{Question: "Is there parking?", Answer: "Behind the house."},
		}
	})
	const night, parking = "At night call the vets on 01584 555 777.", "Behind the house."
	w.converse(t,
		line{"who do i call at night", "respond", night},
		line{"is there parking", "respond", parking},
		line{"whats the phone number again", "respond", night},
		line{"sorry what did you say", "respond", night},
	)
}

// TestConversationsLanguage tests that a message of uncertain language is answered in the contact's previous
// language, and one in another language in that language.
func TestConversationsLanguage(t *testing.T) {
	w := newFixture(t, "pro")
	w.edit(t, func(a *agent.Agent) {
		a.Timezone, a.BusinessHours = "Europe/London", "Monday to Friday 9:00-17:00, Saturday closed"
	})
	const saturday = "El sábado 28 de noviembre está cerrado."
	w.converse(t,
		line{"hola, a qué hora abrís el sábado?", "respond", saturday},
		line{"y a q hora abris ese dia, el sabado", "respond", saturday},
		line{"gracias", "respond", "¡De nada! ¿Algo más?"},
		line{"and when do you open on saturday?", "respond", "We are closed on Saturday, 28 November."},
	)
}

// TestHoursOfHolidays tests that what the business wrote about a day or a holiday takes precedence over the
// usual hours, which do not apply to a holiday that it did not mention.
func TestHoursOfHolidays(t *testing.T) {
	const closed = "We are closed from 23 December to 3 January."
	for _, test := range []struct {
		says, wrote string
		want        line
	}{
		{"are you open on 28 december", closed, line{"", "respond", closed}},
		{"are you open over the holidays", "Holidays: " + closed, line{"", "respond", "Holidays: " + closed}},
		{"are you open on 10 december", closed,
			line{"", "respond", "We are open on Thursday, 10 December: 09:00–17:00."}},
	} {
		t.Run(test.says, func(t *testing.T) {
			w := newFixture(t, "pro")
			w.edit(t, func(a *agent.Agent) {
				a.Timezone, a.BusinessHours = "Europe/London", "Monday to Friday 9:00-17:00"
				a.FAQs = []agent.FAQ{{Question: "When do you take time off?", Answer: test.wrote}}
			})
			test.want.says = test.says
			w.converse(t, test.want)
		})
	}
}

// TestQuestionsOfTerms tests questions that contain words of complaints, cancellations or thanks.
func TestQuestionsOfTerms(t *testing.T) {
	const (
		refund = "You get your money back until seven days before it starts."
		ends   = "End your contract by e-mail, 14 days before your next payment."
		bring  = "Bring a towel and water."
	)
	for says, want := range map[string]string{
		"if i sign up and then change my mind do i get my money back": refund,
		"how do i end my contract":                                    ends,
		"ok great and what do i have to bring":                        bring,
	} {
		t.Run(says, func(t *testing.T) {
			w := newFixture(t, "pro")
			w.edit(t, func(a *agent.Agent) {
				a.HandoffEnabled, a.BookingEnabled = true, true
				a.FAQs = []agent.FAQ{
					{Question: "Do I get my money back if I change my mind?", Answer: refund},
					{Question: "How do I end my contract?", Answer: ends},
					{Question: "What do I have to bring?", Answer: bring},
				}
			})
			w.converse(t, line{says, "respond", want})
		})
	}
}
