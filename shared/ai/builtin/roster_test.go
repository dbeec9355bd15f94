package builtin

import (
	"strings"
	"testing"

	"frontdesk/shared/ai"
)

// TestPeople tests questions for a person and for their days, which a document answers that introduces the
// people.
func TestPeople(t *testing.T) {
	bakers := []ai.Passage{{Document: 1, Title: "Who we are",
		Text: "Nora Quist runs the oven. She bakes rye bread and rolls, and is here from Monday to " +
			"Thursday.\n\nOtis Brandt decorates fruit cakes. He came from Vienna and speaks German. " +
			"He works Friday and Saturday.\n\nA fruit cake starts at £240."}}
	practice := []ai.Passage{{Document: 1, Title: "Team",
		Text: "Frau Dr. Lindner leitet die Praxis. Sie operiert Knie und Hüfte. Sie ist montags da." +
			"\n\nHerr Dr. Okoye behandelt Sportler. Er spricht Englisch. Er ist von Dienstag bis Freitag " +
			"da."}}
	said := func(theirs, ours string) []ai.Turn {
		return []ai.Turn{{Inbound: true, Text: theirs}, {Text: ours}}
	}
	for _, tt := range []struct {
		language, message string
		passages          []ai.Passage
		history           []ai.Turn
		want, not         string
	}{
		{"en", "who makes the cakes", bakers, nil, "Otis Brandt", "Nora"},
		{"en", "who does that?", bakers, said("how much is a fruit cake", "A fruit cake starts at £240."),
			"Otis Brandt", "Nora"},
		{"en", "who's that done by?", bakers, said("and rye bread?", "I am not sure about that."),
			"Nora Quist", "Otis"},
		{"en", "when is otis in?", bakers, nil, "He works Friday and Saturday.", "German"},
		{"en", "which days is she in?", bakers, said("who bakes", "Nora Quist runs the oven."),
			"from Monday to Thursday", "Otis"},
		{"de", "bei wem wäre das?", practice, said("mein Knie muss operiert werden", "Das tut mir leid."),
			"Frau Dr. Lindner", "Okoye"},
		{"de", "an welchen tagen ist dr. okoye da?", practice, nil, "Dienstag bis Freitag", "Englisch"},
	} {
		t.Run(tt.message, func(t *testing.T) {
			got := reply(t, ai.Request{Language: tt.language, Message: tt.message, Passages: tt.passages,
				History: tt.history})
			if got.Action != ai.Respond || !strings.Contains(got.Text, tt.want) ||
				strings.Contains(got.Text, tt.not) {
				t.Errorf("%s: %q, want %q without %q", got.Action, got.Text, tt.want, tt.not)
			}
		})
	}
}

// TestNobodyKnown tests that a question for a person of whom no document says anything is not answered with
// another one.
func TestNobodyKnown(t *testing.T) {
	r := ai.Request{Language: "en", Message: "who mends umbrellas?", Passages: []ai.Passage{{Document: 1,
		Title: "Who we are", Text: "Nora Quist runs the oven. She bakes rye bread.\n\n" +
			"Otis Brandt decorates fruit cakes. He speaks German."}}}
	if got := reply(t, r); got.Action != ai.Fallback {
		t.Errorf("%s: %q", got.Action, got.Text)
	}
}
