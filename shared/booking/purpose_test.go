package booking

import (
	"testing"

	"frontdesk/shared/language"
	"frontdesk/shared/text"
)

// TestPurpose states purposes in words that the business's knowledge has, beside words of time and order.
func TestPurpose(t *testing.T) {
	for _, c := range []struct{ language, message, want string }{
		{"nl", "ik kom eerst kijken", "Kijken"},
		{"nl", "eerst", ""},
		{"de", "erste inspektion", "Inspektion"},
		{"en", "soon please", ""},
		{"en", "brake inspection", "Brake inspection"},
	} {
		d := &Dialog{Input: Input{Language: c.language, Stated: c.language, Message: c.message,
			Knows: func(string) bool { return true }}, tokens: text.Tokens(c.language, c.message),
			heard: language.Of(c.language).Bookings(), speech: language.Of(c.language).Speech(),
			talk: language.Of(c.language).Talk()}
		if got := d.purpose(); got != c.want {
			t.Errorf("%s %q: %q, want %q", c.language, c.message, got, c.want)
		}
	}
}
