package search

import "testing"

func TestMatch(t *testing.T) {
	for _, test := range []struct {
		query string
		texts []string
		want  bool
	}{
		{"ada", []string{"Ada Lovelace"}, true},
		{"LOVE ad", []string{"Ada Lovelace"}, true},
		{"lace", []string{"Ada Lovelace"}, false},
		{"ada invoice", []string{"Ada Lovelace", "Where is my invoice?"}, true},
		{"ada invoice", []string{"Ada Lovelace", "Where is my parcel?"}, false},
		{"muller", []string{"Frau Müller"}, true},
		{"Müller", []string{"MULLER"}, true},
		{"zoe", []string{"Zoë"}, true},
		{"example.com", []string{"ada@example.com"}, true},
		{"ada@example.com", []string{"ada@example.com"}, true},
		{"555 01", []string{"+1 415 555 0123"}, true},
		{"5550123", []string{"+14155550123"}, true},
		{"4155550199", []string{"+14155550123"}, false},
		{"予約", []string{"明日の予約をお願いします"}, true},
		{"καλη", []string{"Καλημέρα"}, true},
		{"!?", []string{"anything"}, true},
	} {
		if got := Parse(test.query).Match(test.texts...); got != test.want {
			t.Errorf("%q in %q: %t, want %t", test.query, test.texts, got, test.want)
		}
	}
	if !Parse("…").Empty() || Parse("a").Empty() {
		t.Error("a query is empty without letters and digits alone")
	}
}
