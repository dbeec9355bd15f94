package skill

import (
	"strings"

	"frontdesk/shared/ai"
)

// quickPassages returns the quick answers as passages.
func (s *State) quickPassages() []ai.Passage {
	var passages []ai.Passage
	for _, q := range s.Book.QuickAnswers {
		passages = append(passages, ai.Passage{Questions: q.Phrasings(), Text: q.Content})
	}
	return passages
}

// Shortcut returns the quick answer whose shortcut the message is, and whether there is one.
func (s *State) Shortcut() (content string, ok bool) {
	said := strings.TrimSpace(s.Text)
	for _, q := range s.Book.QuickAnswers {
		if strings.EqualFold(said, q.Shortcut) {
			return q.Content, true
		}
	}
	return "", false
}
