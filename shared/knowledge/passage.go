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
	// maxUnits is how many read units of parts are read for the best candidates, at half price each.
	maxUnits = 24
)

// readPassages returns the first passages of candidates, as many as the query wants and the units allow,
// and their neighbours. The parts may be read a moment stale: whatever takes a version out of the index is
// pending for longer than that, and the candidates come without it.
func readPassages(ctx context.Context, t table.Table, q Query, candidates []*candidate) (passages,
	neighbours []ai.Passage, err error) {
	var keys []table.Key
	seen := map[table.Key]bool{}
	units := 0
	for i, c := range candidates {
		key := DocumentKey(q.Account, c.document, c.part)
		if !seen[key] {
			if units += c.units; units > maxUnits && i > 0 || i == q.Limit {
				candidates = candidates[:i]
				break
			}
			seen[key] = true
			keys = append(keys, key)
		}
	}
	items, err := t.BatchGetStale(ctx, keys...)
	if err != nil {
		return nil, nil, err
	}
	r := reader{q.Account, map[place]*partText{}}
	var taken []*candidate
	for _, c := range candidates {
		if len(passages) == q.Limit {
			break
		}
		if err := r.read(c, items); err != nil {
			return nil, nil, err
		}
		if p, ok := r.passage(c.place); ok {
			p.Score = c.score
			passages = append(passages, p)
			taken = append(taken, c)
		}
	}
	return passages, r.neighbours(taken), nil
}

// A reader makes passages of parts.
type reader struct {
	account int64
	parts   map[place]*partText // by the place of their first chunk
}

// A partText is what a part holds, as passages need it.
type partText struct {
	partDoc
	text string
}

// read takes in the part of a candidate, unless its document was changed, switched off or deleted.
func (r *reader) read(c *candidate, items map[table.Key]table.Item) error {
	at := place{version: c.version, part: c.part}
	item, ok := items[DocumentKey(r.account, c.document, c.part)]
	if _, known := r.parts[at]; known || !ok {
		return nil
	}
	var p partDoc
	var err error
	if c.part > 0 {
		p, err = readPart(item)
	} else if head, failed := readHead(item); failed != nil || head.Active {
		p = partDoc{head.Index.Generation, head.Title, head.Type, head.SourceURL, head.Marks}
		err = failed
	}
	if err != nil {
		return err
	}
	if p.Generation == c.generation {
		r.parts[at] = &partText{p, string(item.Blob)}
	}
	return nil
}

// neighbours are the questions of FAQs that lie in the same parts as those taken, in the order of these.
func (r *reader) neighbours(taken []*candidate) []ai.Passage {
	var neighbours []ai.Passage
	seen := map[place]bool{}
	for _, c := range taken {
		seen[c.place] = true
	}
	room := maxNeighbours
	visited := map[place]bool{}
	for _, c := range taken {
		part := place{version: c.version, part: c.part}
		if visited[part] || r.parts[part].Type != FAQ {
			continue
		}
		visited[part] = true
		for at := part; room > 0; at.ordinal++ {
			p, ok := r.passage(at)
			if !ok {
				break
			}
			if !seen[at] {
				seen[at] = true
				neighbours = append(neighbours, p)
				room -= len(p.Questions)
			}
		}
	}
	return neighbours
}

// passage is what a chunk says, if its part was read.
func (r *reader) passage(at place) (p ai.Passage, ok bool) {
	part, ok := r.parts[place{version: at.version, part: at.part}]
	if !ok || at.ordinal >= len(part.Marks) {
		return ai.Passage{}, false // or a title that was found, of a document without chunks
	}
	m := part.Marks[at.ordinal]
	p = ai.Passage{Document: at.document, Title: part.Title, Text: part.text[m[0] : m[0]+m[1]]}
	switch part.Type {
	case URL:
		p.URL = part.SourceURL
	case FAQ:
		blocks := parseFAQ(p.Text)
		if len(blocks) == 0 {
			return ai.Passage{}, false
		}
		p.Questions, p.Text = blocks[0].questions, text.Cut(blocks[0].answer, maxPassage)
	}
	return p, true
}
