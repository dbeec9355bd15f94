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
	// maxNeighbours is how many phrasings of questions that were not found are told of beside those that
	// were.
	maxNeighbours = 400
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

// readPassages returns the first passages of candidates, as many as the query wants, and their neighbours.
func readPassages(ctx context.Context, t table.Table, q Query, candidates []*candidate) (passages,
	neighbours []ai.Passage, err error) {
	r := reader{t, q.Account, map[table.Key]table.Item{}, map[int64]*headDoc{}}
	var taken []*candidate
	for size := q.Limit; len(candidates) > 0 && size < q.Limit<<maxRounds; size *= 2 {
		var round []*candidate
		for len(candidates) > 0 && len(round) < size {
			if r.possible(candidates[0]) {
				round = append(round, candidates[0])
			}
			candidates = candidates[1:]
		}
		if err := r.fetch(ctx, round); err != nil {
			return nil, nil, err
		}
		for _, c := range round {
			if len(passages) == q.Limit {
				break
			}
			p, ok, err := r.passage(c)
			if err != nil {
				return nil, nil, err
			}
			if ok {
				passages = append(passages, p)
				taken = append(taken, c)
			}
		}
		if len(passages) == q.Limit {
			break
		}
	}
	neighbours, err = r.neighbours(taken)
	return passages, neighbours, err
}

// neighbours are the questions of FAQs that lie in the same parts as those taken, in the order of these.
func (r *reader) neighbours(taken []*candidate) ([]ai.Passage, error) {
	var neighbours []ai.Passage
	seen := map[place]bool{}
	for _, c := range taken {
		seen[c.place] = true
	}
	room := maxNeighbours
	visited := map[place]bool{}
	for _, c := range taken {
		part := place{version: c.version, part: c.part}
		if visited[part] || r.heads[c.document].Type != FAQ {
			continue
		}
		visited[part] = true
		for at := (candidate{place: part}); room > 0; at.ordinal++ {
			p, ok, err := r.passage(&at)
			if err != nil {
				return nil, err
			}
			if !ok {
				break
			}
			if !seen[at.place] {
				seen[at.place] = true
				neighbours = append(neighbours, p)
				room -= len(p.Questions)
			}
		}
	}
	return neighbours, nil
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
			key := DocumentKey(r.account, c.document, n)
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
	item := r.items[DocumentKey(r.account, document, 0)]
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
		item := r.items[DocumentKey(r.account, c.document, c.part)]
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
	if head.Type == URL {
		p.URL = head.SourceURL
	}
	if head.Type == FAQ {
		blocks := parseFAQ(p.Text)
		if len(blocks) == 0 {
			return ai.Passage{}, false, nil
		}
		p.Questions, p.Text = blocks[0].questions, text.Cut(blocks[0].answer, maxPassage)
	}
	return p, true, nil
}
