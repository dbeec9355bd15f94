package assistant

import (
	"context"

	"frontdesk/shared/assistant/skill"
	"frontdesk/shared/playbook"
)

// A bookVersion tells one state of a book from another: the words of the products are read in the agent's
// language.
type bookVersion struct {
	revision int64
	language string
}

// readBook reads the playbook of the state's agent, which numbers of its summary tell of. An empty one takes
// no trip, and one that the process has read before none until it changes.
func (s *state) readBook(ctx context.Context, numbers map[string]int64) error {
	revision := playbook.Revision(numbers)
	if revision == 0 {
		s.Book = &skill.Book{}
		return nil
	}
	var err error
	s.Book, err = s.assistant.books.get(
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
