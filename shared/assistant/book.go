package assistant

import (
	"context"

	"frontdesk/shared/assistant/skill"
	"frontdesk/shared/playbook"
)

// A bookVersion identifies a version of a playbook as skills use it: products are indexed by the words of
// the agent's language.
type bookVersion struct {
	revision int64
	language string
}

// readBook reads the agent's playbook, whose revision is among the numbers of the agent's summary. An empty
// playbook, and one that the process has cached, cost no read.
func (s *state) readBook(ctx context.Context, numbers map[string]int64) error {
	revision := playbook.Revision(numbers)
	if revision == 0 {
		s.Book = &skill.Book{}
		return nil
	}
	var err error
	s.Book, err = s.assistant.books.Get(
		s.Agent.ID,
		bookVersion{revision, s.Language()},
		func() (*skill.Book, error) {
			read, err := playbook.ReadBook(ctx, s.Table, s.Account, s.Agent.ID, numbers)
			if err != nil {
				return nil, err
			}
			b := &skill.Book{Book: *read}
			for _, p := range b.Products {
				if p.IsActive {
					b.Offered = append(b.Offered, skill.Offer(s.Language(), p))
				}
			}
			return b, nil
		},
	)
	return err
}
