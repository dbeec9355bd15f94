package builtin_test

import (
	"testing"

	"frontdesk/shared/ai"
	"frontdesk/shared/ai/builtin"
)

// TestGoesOn answers messages that leave out what they are about near what was said before them.
func TestGoesOn(t *testing.T) {
	passages := []ai.Passage{
		{Title: "Our services",
			Text: "Kayak tour, 120 minutes, £40\nSailing lesson, 90 minutes, £65\nBoat check, 20 " +
				"minutes, free"},
		{Document: 1, Title: "FAQ", Questions: []string{"Do you rent wetsuits?"},
			Text: "Yes, in all sizes. They are free with a tour and £8 a day otherwise."},
		{Document: 2, Title: "About us",
			Text: "The crew\n\nMorag leads the kayak tours. She founded the school in 2009. She works " +
				"Friday to Sunday.\n\n" +
				"Hamish teaches sailing. He works Monday to Thursday.\n\n" +
				"The bay\n\n" +
				"The car park by the pier is free on Sunday evenings."},
	}
	for _, test := range []struct {
		name, topic, asked, said, says, want string
	}{
		{"the price of what an FAQ is about", "Do you rent wetsuits?", "got wetsuits?",
			"Yes, in all sizes. They are free with a tour and £8 a day otherwise.", "are they free",
			"They are free with a tour and £8 a day otherwise."},
		{"the days of who was named", "The crew", "who teaches sailing", "Hamish teaches sailing.",
			"is he there on sunday evening", "He works Monday to Thursday."},
		{"the length of a service", "Sailing lesson\nThe bay", "can i park there",
			"The car park by the pier is free on Sunday evenings.", "how long does it take",
			"Sailing lesson, 90 minutes, £65"},
		{"what was said before the agent did not know", "Do you rent wetsuits?", "any left handed ones",
			"I am not sure about that.", "do they cost anything",
			"Yes, in all sizes. They are free with a tour and £8 a day otherwise."},
		{"the days of somebody, not the year", "The crew", "who is morag", "Morag leads the kayak tours.",
			"when is she in", "She works Friday to Sunday."},
	} {
		t.Run(test.name, func(t *testing.T) {
			reply, err := builtin.New().Reply(t.Context(), ai.Request{
				Language: "en", Tone: "friendly", Message: test.says, Topic: test.topic, Passages: passages,
				History: []ai.Turn{{Inbound: true, Text: test.asked}, {Text: test.said}},
			})
			if err != nil || reply.Text != test.want {
				t.Errorf("%q: %+v, %v, want %q", test.says, reply, err, test.want)
			}
		})
	}
}

// TestFreeOfCharge finds nothing that is free elsewhere for a message which asks that of what was said before
// it.
func TestFreeOfCharge(t *testing.T) {
	passages := []ai.Passage{
		{Document: 1, Title: "Anfahrt", Text: "Im Hof haben wir drei Parkplätze."},
		{Document: 2, Title: "Aligner", Text: "Das Beratungsgespräch mit 3D-Scan ist kostenlos."},
	}
	request := ai.Request{Language: "de", Tone: "friendly", Passages: passages, Topic: "Anfahrt",
		History: []ai.Turn{
			{Inbound: true, Text: "wo kann ich parken"}, {Text: "Im Hof haben wir drei Parkplätze."},
		}}
	for message, action := range map[string]string{
		"ist das kostenlos":                   ai.Fallback,
		"ist das beratungsgespräch kostenlos": ai.Respond,
	} {
		request.Message = message
		reply, err := builtin.New().Reply(t.Context(), request)
		if err != nil || reply.Action != action {
			t.Errorf("%q: %+v, %v, want %s", message, reply, err, action)
		}
	}
}
