package knowledge

import (
	"context"
	"errors"

	"frontdesk/shared/ai/faq"
	"frontdesk/shared/table"
)

// Questions returns the questions of an agent's active FAQs, newest document first. It reads the heads of
// all documents, at a megabyte a round trip, and the further parts of FAQs. It stops once it has more than
// limit phrasings.
func Questions(ctx context.Context, t table.Table, account, agent int64, limit int) ([]faq.Question, error) {
	var questions []faq.Question
	phrasings := 0
	take := func(content string, marks []mark) {
		for _, m := range marks {
			for _, b := range parseFAQ(content[m[0] : m[0]+m[1]]) {
				questions = append(questions, faq.Question{ID: faq.ID(b.questions), Examples: b.questions})
				phrasings += len(b.questions)
			}
		}
	}
	query := table.Query{Index: table.Index1, PK: DocumentKeyByAgent(account, agent, 0).PK, Descending: true}
	for {
		page, err := t.Query(ctx, query)
		if err != nil {
			return nil, err
		}
		for _, item := range page.Items {
			head, err := readHead(item)
			if err != nil {
				return nil, err
			}
			if head.Type != FAQ || !head.Active {
				continue
			}
			take(head.Content, head.Marks)
			for n := 1; n < head.Index.Parts && phrasings <= limit; n++ {
				part, err := t.Get(ctx, DocumentKey(account, head.ID, n))
				if errors.Is(err, table.ErrNotFound) {
					break // the document was changed or deleted meanwhile
				}
				if err != nil {
					return nil, err
				}
				p, err := readPart(part)
				if err != nil {
					return nil, err
				}
				if p.Generation != head.Index.Generation {
					break
				}
				take(string(part.Blob), p.Marks)
			}
			if phrasings > limit {
				return questions, nil
			}
		}
		if page.Next == "" {
			return questions, nil
		}
		query.After = page.Next
	}
}
