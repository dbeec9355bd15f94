package text

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPhrases(t *testing.T) {
	want := []Phrase{{"manag"}, {"speak", "to", "a", "boss"}, {"refund"}}
	if diff := cmp.Diff(want, Phrases("en", "manager,  Speaking to a boss\n, ;Refunds,")); diff != "" {
		t.Error(diff)
	}
}

func TestFind(t *testing.T) {
	for _, test := range []struct {
		list, message string
		at, length    int
	}{
		{"refund, money back", "I want my money back, or a refund", 3, 2},
		{"money, money back", "my money back", 1, 2},
		{"refunds", "Will you REFUND it?", 2, 1},
		{"fund", "a refund", 0, 0},
		{"money back", "my money", 0, 0},
		{"", "my money", 0, 0},
		{"money", "", 0, 0},
	} {
		at, length := Find(Phrases("en", test.list), Tokens("en", test.message))
		if at != test.at || length != test.length {
			t.Errorf("%q in %q: %d words at %d, want %d at %d", test.list, test.message, length, at,
				test.length, test.at)
		}
	}
}
