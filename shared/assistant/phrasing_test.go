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

// TestAnswersAskForNoField has a yes and a no stand in no title of a field.
func TestAnswersAskForNoField(t *testing.T) {
	engine := builtin.New()
	for _, p := range phrasings {
		var fields []ai.Passage
		for title := range strings.SplitSeq(p.titles, ";") {
			fields = append(fields, ai.Passage{Title: strings.TrimSpace(title), Text: "stated"})
		}
		for said := range strings.SplitSeq(p.yes+","+p.no, ",") {
			got, err := engine.Reply(t.Context(), ai.Request{Language: p.language, Message: strings.TrimSpace(said), Passages: fields})
			if err != nil || got.Text == "stated" {
				t.Errorf("%s: %q asks for a field, %v", p.language, said, err)
			}
		}
	}
}
