package text_test

import (
	"testing"

	"frontdesk/shared/text"
)

func TestFill(t *testing.T) {
	for _, test := range []struct {
		sentence string
		values   []string
		want     string
	}{
		{"%s: %s", []string{"Bell", "€5.00"}, "Bell: €5.00"},
		{"%s: %s", []string{"100%silk", "€5.00"}, "100%silk: €5.00"},
		{"%s: %s", []string{"Bell"}, "Bell: %s"},
		{"Yes.", []string{"Bell"}, "Yes."},
		{"%s", nil, "%s"},
	} {
		if got := text.Fill(test.sentence, test.values...); got != test.want {
			t.Errorf("Fill(%q, %q) = %q, want %q", test.sentence, test.values, got, test.want)
		}
	}
}

func TestCapital(t *testing.T) {
	for sentence, want := range map[string]string{
		"on Friday": "On Friday", "älter": "Älter", "Am Freitag": "Am Freitag", "نعم": "نعم",
		"1. no": "1. no", "": "", "\xffa": "\xffa",
	} {
		if got := text.Capital(sentence); got != want {
			t.Errorf("Capital(%q) = %q, want %q", sentence, got, want)
		}
	}
}
