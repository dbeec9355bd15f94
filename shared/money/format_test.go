package money

import (
	"strings"
	"testing"
)

func TestFormat(t *testing.T) {
	for _, test := range []struct {
		currency Currency
		amount   float64
		language string
		want     string
	}{
		{"EUR", 499.9, "en", "€499.90"},
		{"EUR", 1299.9, "en", "€1,299.90"},
		{"EUR", 1299.9, "de", "1.299,90 €"},
		{"EUR", 1234567, "fr", "1 234 567,00 €"},
		{"EUR", 12, "nl", "€12,00"},
		{"USD", 0.125, "en", "$0.125"},
		{"USD", 0, "xx", "$0.00"},
		{"JPY", 1500, "en", "¥1,500"},
		{"JPY", 1500.5, "en", "¥1,500.5"},
		{"KWD", 1.5, "en", "KWD 1.500"},
		{"CHF", 20, "de", "20,00 CHF"},
		{"SEK", 99.5, "sv", "99,50 SEK"},
		{"USD", -1234, "en", "$-1,234.00"},
	} {
		got := strings.ReplaceAll(test.currency.Format(test.amount, test.language), "\u00a0", " ")
		if got != test.want {
			t.Errorf("%v %s in %q: %q, want %q", test.amount, test.currency, test.language, got, test.want)
		}
	}
}
