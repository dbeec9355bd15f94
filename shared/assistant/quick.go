package assistant

import (
	"context"
	"strings"

	"frontdesk/shared/ai"
	"frontdesk/shared/ai/builtin"
)

// quickAnswer takes up a message that is the shortcut of a quick answer.
func (s *state) quickAnswer(context.Context) (*decision, error) {
	said := strings.TrimSpace(s.message.Text)
	for _, q := range s.book.QuickAnswers {
		if strings.EqualFold(said, q.Shortcut) {
			return &decision{reply: s.reply(ai.Respond, builtin.Question, q.Content)}, nil
		}
	}
	return nil, nil
}

// quickPassages are the quick answers as questions that the business has answers to.
func (s *state) quickPassages() []ai.Passage {
	var passages []ai.Passage
	for _, q := range s.book.QuickAnswers {
		passages = append(passages, ai.Passage{Questions: q.Phrasings(), Text: q.Content})
	}
	return passages
}
