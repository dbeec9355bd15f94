package text

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestSentences(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"nothing", " \n ", []string{}},
		{"plain", "We open at 9. Really? Yes!", []string{"We open at 9.", "Really?", "Yes!"}},
		{"abbreviations", "Ask Dr. Smith or Mr. J. R. Ewing of the U.S. Navy, e.g. Today. Then go.",
			[]string{"Ask Dr. Smith or Mr. J. R. Ewing of the U.S. Navy, e.g. Today.", "Then go."}},
		{"numbers", "It costs 3.50 EUR. See No. 5. No. It is not.",
			[]string{"It costs 3.50 EUR.", "See No. 5.", "No.", "It is not."}},
		{"hours", "We open at 9 a.m. daily. We close at 5 p.m. Come early.",
			[]string{"We open at 9 a.m. daily.", "We close at 5 p.m.", "Come early."}},
		{"ellipsis", "Well... maybe. So… Yes.", []string{"Well... maybe.", "So…", "Yes."}},
		{"quotes", `He said "Stop." She went (alone.) Then he left.`,
			[]string{`He said "Stop."`, "She went (alone.)", "Then he left."}},
		{"space left out", "We are closed.We open at ten. See example.com.",
			[]string{"We are closed.", "We open at ten.", "See example.com."}},
		{"german date", "Wir öffnen am 3. Mai. Kommen Sie z. B. Montag.",
			[]string{"Wir öffnen am 3. Mai.", "Kommen Sie z. B. Montag."}},
		{"spanish", "¿Abren el lunes? ¡Sí! Llame a la Sra. Gómez.",
			[]string{"¿Abren el lunes?", "¡Sí!", "Llame a la Sra. Gómez."}},
		{"japanese", "九時に開きます。「はい。」そうです！", []string{"九時に開きます。", "「はい。」", "そうです！"}},
		{"arabic", "متى تفتحون؟ نفتح الساعة التاسعة.", []string{"متى تفتحون؟", "نفتح الساعة التاسعة."}},
		{"list", "Prices:\n- Cut: $20\n- Colour: $50\n\n1. Wash\n2. Dry",
			[]string{"Prices:", "- Cut: $20", "- Colour: $50", "1. Wash", "2. Dry"}},
		{"windows lines", "Opening hours\r\nMon: 9-5\r\nTue: 9-5",
			[]string{"Opening hours", "Mon: 9-5", "Tue: 9-5"}},
		{"wrapped lines",
			"Our kitchen closes half an hour before the\nrestaurant does. Drinks are served until the end " +
				"of\nthe evening.", []string{"Our kitchen closes half an hour before the restaurant does.",
				"Drinks are served until the end of the evening."}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Sentences(tt.text)); diff != "" {
				t.Errorf("sentences of %q differ (-want +got):\n%s", tt.text, diff)
			}
		})
	}
}

func TestSegments(t *testing.T) {
	s := "# Casa Pepe\n\nOpening hours\nMon-Fri: 9:00-17:00\nSat: closed\n\nWe are in the old town. Come " +
		"by!\n\n* Cash\n* Cards"
	type segment struct {
		Text  string
		Kind  SegmentKind
		Block int
	}
	want := []segment{
		{"# Casa Pepe", Heading, 0},
		{"Opening hours", Heading, 1}, {"Mon-Fri: 9:00-17:00", Item, 1}, {"Sat: closed", Item, 1},
		{"We are in the old town.", Sentence, 2}, {"Come by!", Sentence, 2},
		{"* Cash", Item, 3}, {"* Cards", Item, 3},
	}
	var got []segment
	for _, g := range Segments(s) {
		got = append(got, segment{g.Text(s), g.Kind, g.Block})
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("segments of %q differ (-want +got):\n%s", s, diff)
	}
}

// FuzzSegments holds that no word of a text is lost or said twice.
func FuzzSegments(f *testing.F) {
	f.Add("One. Two?\n\n- three\r\n#four\n5) five. \"Six.\" 七。八")
	f.Add("a.\u2028B.\xff\n")
	f.Fuzz(func(t *testing.T, s string) {
		if !utf8.ValidString(s) {
			Segments(s) // it is enough that it returns
			return
		}
		var got strings.Builder
		end := 0
		for _, g := range Segments(s) {
			if g.Start < end || g.End <= g.Start || g.End > len(s) {
				t.Fatalf("segment at %d to %d of %q", g.Start, g.End, s)
			}
			end = g.End
			got.WriteString(s[g.Start:g.End])
		}
		if got, want := strings.Join(strings.Fields(got.String()), ""), strings.Join(strings.Fields(s),
			""); got != want {
			t.Errorf("segments of %q have %q", s, got)
		}
	})
}
