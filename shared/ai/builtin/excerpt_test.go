package builtin

import (
	"testing"
	"unicode/utf8"

	"frontdesk/shared/ai"
)

func TestExcerpt(t *testing.T) {
	const sentence = "The house, which a merchant from Genoa built in 1712 for his daughters, has twelve " +
		"rooms; all of them look onto the garden, where breakfast is served from April to October, and two " +
		"have a balcony above the old fountain."
	for _, tt := range []struct {
		question string
		length   int
		want     string
	}{
		{"Who built the house for his daughters?", 90,
			"The house, which a merchant from Genoa built in 1712 for his daughters…"},
		{"When is breakfast served in the garden?", 120,
			"…has twelve rooms; all of them look onto the garden, where breakfast is served from April to " +
				"October…"},
		{"Are there balconies?", 70, "…and two have a balcony above the old fountain."},
		{"Is there a fountain?", 300, sentence},
	} {
		r := ai.Request{Language: "en", Message: tt.question, Passages: []ai.Passage{{Text: sentence}}}
		q := newQuestion(New().read("en", tt.question), r)
		rd := readPassages(&q, r.Passages)
		rd.match(&q, nil, true)
		got := q.excerpt(&rd.units[0][0], tt.length)
		if got != tt.want {
			t.Errorf("excerpt for %q is %q, want %q", tt.question, got, tt.want)
		}
		if n := utf8.RuneCountInString(got); n > tt.length {
			t.Errorf("excerpt for %q has %d characters of %d", tt.question, n, tt.length)
		}
	}
}
