package assistant

import (
	"context"
	"strings"

	"frontdesk/shared/playbook"
	"frontdesk/shared/text"
)

// A book is an agent's playbook as the deciders use it.
type book struct {
	playbook.Book
	products []offered // the active ones
}

// A bookVersion tells one state of a book from another: the words of the products are read in the agent's language.
type bookVersion struct {
	revision int64
	language string
}

// An offered product is one with the words that name it.
type offered struct {
	playbook.Product
	stems []string // of its name, each once
	words []string // that the stems are of, in lower case
}

// readBook reads the playbook of the state's agent, which numbers of its summary tell of. An empty one takes no trip, and
// one that the process has read before none until it changes.
func (s *state) readBook(ctx context.Context, numbers map[string]int64) error {
	revision := playbook.Revision(numbers)
	if revision == 0 {
		s.book = &book{}
		return nil
	}
	var err error
	s.book, err = s.books.get(s.agent.ID, bookVersion{revision, s.language()}, func() (*book, error) {
		read, err := playbook.ReadBook(ctx, s.Table, s.message.AccountID, s.agent.ID, numbers)
		if err != nil {
			return nil, err
		}
		b := &book{Book: *read}
		for _, p := range b.Products {
			if p.IsActive {
				stems, words := stemsOf(s.language(), p.Name)
				b.products = append(b.products, offered{p, stems, words})
			}
		}
		return b, nil
	})
	return err
}

// stemsOf are the stems of a name that say something, or all of them where none does, each once; and the words that they
// are of, in lower case.
func stemsOf(language, name string) (stems, words []string) {
	var all, allWords []string
	seen := map[string]bool{}
	for _, t := range text.Tokens(language, name) {
		if seen[t.Stem] {
			continue
		}
		seen[t.Stem] = true
		word := strings.ToLower(name[t.Start:t.End])
		all, allWords = append(all, t.Stem), append(allWords, word)
		if !t.Stop {
			stems, words = append(stems, t.Stem), append(words, word)
		}
	}
	if len(stems) == 0 {
		return all, allWords
	}
	return stems, words
}
