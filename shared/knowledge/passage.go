package knowledge

import (
	"context"

	"frontdesk/shared/ai"
	"frontdesk/shared/table"
	"frontdesk/shared/text"
)

const (
	// maxPassage is the limit of an FAQ's answer in a passage, in characters. Other chunks are shorter.
	maxPassage = 4000
	// maxNeighbours is the limit of phrasings of neighbouring questions.
	maxNeighbours = 400
	// maxUnits is the limit of read units for parts, read eventually consistently at half price.
	maxUnits = 24
)

// readPassages returns passages of the best candidates, as many as the query wants and the read units allow,
// and the neighbouring questions. Eventually consistent reads are enough: the note of a removed version
// stays pending longer than reads are stale, and its candidates are excluded.
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
	return append(passages, r.beside(taken, q.Limit-len(passages))...), r.neighbours(taken), nil
}

// beside returns up to wanted further passages from the parts of those taken. They share no word with the
// message, but often contain an answer in other words or the continuation of one.
func (r *reader) beside(taken []*candidate, wanted int) (passages []ai.Passage) {
	seen := map[place]bool{}
	for _, c := range taken {
		seen[c.place] = true
	}
	for _, c := range taken {
		at := place{version: c.version, part: c.part}
		if r.parts[at].Type == FAQ {
			continue // its questions are returned as neighbours
		}
		for ; len(passages) < wanted; at.ordinal++ {
			p, ok := r.passage(at)
			if !ok {
				break
			}
			if !seen[at] {
				seen[at] = true
				passages = append(passages, p)
			}
		}
	}
	return passages
}

// A reader reads parts and makes passages of them.
type reader struct {
	account int64
	parts   map[place]*partText // by the place of their first chunk
}

// A partText is a part as passages need it.
type partText struct {
	partDoc
	text string
}

// read reads the part of a candidate from the items, unless its document was changed, deactivated or
// deleted.
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

// neighbours returns the other questions of FAQs in the same parts as the taken candidates, in their order.
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

// passage returns the passage of a chunk; ok is false if its part was not read.
func (r *reader) passage(at place) (p ai.Passage, ok bool) {
	part, ok := r.parts[place{version: at.version, part: at.part}]
	if !ok || at.ordinal >= len(part.Marks) {
		return ai.Passage{}, false // or the title matched and the document has no chunks
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
