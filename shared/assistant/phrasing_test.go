package assistant

import (
	"strings"
	"testing"

	"frontdesk/shared/ai"
	"frontdesk/shared/ai/builtin"
)

// TestTitlesAreNoWishForAPerson asks in each language with the words of the fields' titles.
func TestTitlesAreNoWishForAPerson(t *testing.T) {
	engine := builtin.New()
	for _, p := range phrasings {
		for title := range strings.SplitSeq(p.titles, ";") {
			name, question, _ := strings.Cut(title, ":")
			for _, asked := range []string{name, question} {
				if asked == "" {
					continue
				}
				got, err := engine.Reply(t.Context(), ai.Request{Language: p.language, Message: strings.TrimSpace(asked)})
				if err != nil || got.Intent == builtin.Human {
					t.Errorf("%s: %q has the intent %q, %v", p.language, asked, got.Intent, err)
				}
			}
		}
	}
}
