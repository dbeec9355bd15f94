package assistant

import (
	"strings"
	"testing"

	"frontdesk/shared/ai"
	"frontdesk/shared/ai/builtin"
	"frontdesk/shared/language"
)

// TestTitlesAreNoWishForAPerson tests that the titles of fields, in each language, do not ask for a person.
func TestTitlesAreNoWishForAPerson(t *testing.T) {
	engine := builtin.New()
	for _, tag := range language.Tags() {
		p := language.Of(tag).Requests()
		for title := range strings.SplitSeq(p.Titles, ";") {
			name, question, _ := strings.Cut(title, ":")
			for _, asked := range []string{name, question} {
				if asked == "" {
					continue
				}
				got, err := engine.Reply(t.Context(),
					ai.Request{Language: tag, Message: strings.TrimSpace(asked)})
				if err != nil || got.Intent == builtin.Human {
					t.Errorf("%s: %q has the intent %q, %v", tag, asked, got.Intent, err)
				}
			}
		}
	}
}

// TestAnswersAskForNoField tests that no word for yes or no, in any language, asks for a field.
func TestAnswersAskForNoField(t *testing.T) {
	engine := builtin.New()
	for _, tag := range language.Tags() {
		p := language.Of(tag).Requests()
		var fields []ai.Passage
		for title := range strings.SplitSeq(p.Titles, ";") {
			fields = append(fields, ai.Passage{Title: strings.TrimSpace(title), Text: "stated"})
		}
		for said := range strings.SplitSeq(p.Yes+","+p.No, ",") {
			got, err := engine.Reply(t.Context(),
				ai.Request{Language: tag, Message: strings.TrimSpace(said), Passages: fields})
			if err != nil || got.Text == "stated" {
				t.Errorf("%s: %q asks for a field, %v", tag, said, err)
			}
		}
	}
}
