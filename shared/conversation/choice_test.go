package conversation

import "testing"

func TestChosen(t *testing.T) {
	choices := []Choice{{"Friday 15:00", "Friday, 27 November at 15:00"}, {"Hair cut", "Hair cut"},
		{"2", "two"}}
	for answer, want := range map[string]string{
		"Friday 15:00": "Friday, 27 November at 15:00", " friday 15:00 ": "Friday, 27 November at 15:00",
		"friday, 27 november AT 15:00": "Friday, 27 November at 15:00", "1": "Friday, 27 November at 15:00",
		"hair cut": "Hair cut", "(3)": "two", "٣": "two", "۱.": "Friday, 27 November at 15:00",
		"2": "two", // a label goes before a place
		"":  "", "0": "", "4": "", "1 or 3": "", "-": "", "1st": "", "99999999999999999999": "", "no": "",
	} {
		if got, ok := Chosen(choices, answer); got.Value != want || ok != (want != "") {
			t.Errorf("%q: %q, want %q", answer, got.Value, want)
		}
	}
	if _, ok := Chosen(nil, "1"); ok {
		t.Error("chosen of nothing")
	}
}

func TestPressed(t *testing.T) {
	messages := []Message{
		{Direction: Outbound, Choices: []Choice{{"Monday", "m"}}},
		{Direction: Outbound, Choices: []Choice{{"Tuesday", "t"}}}, {Direction: Inbound},
	}
	if c, ok := Pressed(messages, "m"); !ok || c.Label != "Monday" {
		t.Errorf("%v, %v", c, ok)
	}
	if _, ok := Pressed(messages, "x"); ok {
		t.Error("a button that nobody sent")
	}
	if got := Offered(messages); len(got) != 1 || got[0].Value != "t" {
		t.Errorf("%v", got)
	}
	messages = append(messages, Message{Direction: Outbound})
	if got := Offered(messages); got != nil {
		t.Errorf("what was offered before the last message: %v", got)
	}
}
