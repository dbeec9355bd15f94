package playbook

import (
	"context"

	"frontdesk/shared/ai/faq"
	"frontdesk/shared/table"
)

// A QuickAnswer is a text that people insert by its shortcut.
type QuickAnswer struct {
	Row
	Shortcut string `json:"shortcut" example:"/hours"`
	Title    string `json:"title" example:"Opening hours"`
	Content  string `json:"content" example:"We are open Monday to Friday from 9:00 to 18:00."`
}

func (*QuickAnswer) kind() Kind { return QuickAnswers }

// Phrasings returns how people ask for it, like those of an FAQ.
func (q *QuickAnswer) Phrasings() []string { return []string{q.Title} }

// Questions returns the questions that lead to an agent's quick answers, for training. It reads nothing if
// the numbers of the agent's summary say that there are none.
func Questions(ctx context.Context, t table.Table, account, agent int64,
	summary map[string]int64) ([]faq.Question, error) {
	var rows []QuickAnswer
	if err := rowsOf(t, account, agent, summary, QuickAnswers, &rows)(ctx); err != nil {
		return nil, err
	}
	var questions []faq.Question
	for _, q := range rows {
		questions = append(questions, faq.Question{ID: faq.ID(q.Phrasings()), Examples: q.Phrasings()})
	}
	return questions, nil
}
