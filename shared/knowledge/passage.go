package knowledge

import (
	"context"

	"frontdesk/shared/ai"
	"frontdesk/shared/table"
	"frontdesk/shared/text"
)

const (
	// maxPassage is how many characters of an FAQ's answer a passage has. Other chunks are shorter.
	maxPassage = 4000
	// maxRounds is how often candidates are read, each time twice as many, until there are passages enough.
	maxRounds = 8
)

// A reader reads the chunks of candidates, and leaves out those of documents that are not as the index says.
type reader struct {
	table   table.Table
	account int64
	items   map[table.Key]table.Item // those asked for; the zero Item where there is none
	heads   map[int64]*headDoc       // those seen; nil where the document is not to be found
}

// readPassages returns the first passages of candidates, as many as the query wants.
func readPassages(ctx context.Context, t table.Table, q Query, candidates []*candidate) ([]ai.Passage, error) {
	r := reader{t, q.Account, map[table.Key]table.Item{}, map[int64]*headDoc{}}
	var passages []ai.Passage
	for size := q.Limit; len(candidates) > 0 && size < q.Limit<<maxRounds; size *= 2 {
		var round []*candidate
		for len(candidates) > 0 && len(round) < size {
			if r.possible(candidates[0]) {
				round = append(round, candidates[0])
			}
			candidates = candidates[1:]
		}
		if err := r.fetch(ctx, round); err != nil {
			return nil, err
		}
		for _, c := range round {
			p, ok, err := r.passage(c)
			if err != nil {
				return nil, err
			}
			if ok {
				passages = append(passages, p)
			}
			if len(passages) == q.Limit {
				return passages, nil
			}
		}
	}
	return passages, nil
}

// possible reports whether a candidate may be of use, by what is known of its document.
func (r *reader) possible(c *candidate) bool {
	head, seen := r.heads[c.document]
	return !seen || head != nil && head.Index.Generation == c.generation
}

// fetch reads the heads and the parts of candidates in one go.
func (r *reader) fetch(ctx context.Context, candidates []*candidate) error {
	var keys []table.Key
	for _, c := range candidates {
		for _, n := range []int{0, c.part} {
			key := table.DocumentKey(r.account, c.document, n)
			if _, asked := r.items[key]; !asked {
				r.items[key] = table.Item{}
				keys = append(keys, key)
			}
		}
	}
	if len(keys) == 0 {
		return nil
	}
	items, err := r.table.BatchGet(ctx, keys...)
	if err != nil {
		return err
	}
	for key, item := range items {
		r.items[key] = item
	}
	return nil
}

// head is that of a document that searches find, else nil.
func (r *reader) head(document int64) (*headDoc, error) {
	if head, seen := r.heads[document]; seen {
		return head, nil
	}
	r.heads[document] = nil
	item := r.items[table.DocumentKey(r.account, document, 0)]
	if item.Version == 0 {
		return nil, nil
	}
	head, err := readHead(item)
	if err != nil {
		return nil, err
	}
	if head.Active {
		r.heads[document] = &head
	}
	return r.heads[document], nil
}

// passage is what a candidate says, unless its document was changed, switched off or deleted.
func (r *reader) passage(c *candidate) (p ai.Passage, ok bool, err error) {
	head, err := r.head(c.document)
	if err != nil || head == nil || head.Index.Generation != c.generation {
		return ai.Passage{}, false, err
	}
	content, marks := head.Content, head.Marks
	if c.part > 0 {
		item := r.items[table.DocumentKey(r.account, c.document, c.part)]
		if item.Version == 0 {
			return ai.Passage{}, false, nil
		}
		part, err := readPart(item)
		if err != nil || part.Generation != c.generation {
			return ai.Passage{}, false, err
		}
		content, marks = string(item.Blob), part.Marks
	}
	if c.ordinal >= len(marks) {
		return ai.Passage{}, false, nil // a title that was found, of a document without chunks
	}
	m := marks[c.ordinal]
	p = ai.Passage{Document: head.ID, Title: head.Title, Text: content[m[0] : m[0]+m[1]], Score: c.score}
	if head.Type == FAQ {
		blocks := parseFAQ(p.Text)
		if len(blocks) == 0 {
			return ai.Passage{}, false, nil
		}
		p.Questions, p.Text = blocks[0].questions, text.Cut(blocks[0].answer, maxPassage)
	}
	return p, true, nil
}
