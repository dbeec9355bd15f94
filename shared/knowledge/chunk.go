package knowledge

import (
	"strings"
	"unicode/utf8"

	"frontdesk/shared/text"
)

// Lengths of a chunk of running text, in characters. A chunk should be long enough to answer from and short
// enough to have one subject.
const (
	maxChunk    = 1000 // the limit
	goodChunk   = 600  // from this length, a chunk ends at the next end of a paragraph
	goodSection = 300  // from this length, a chunk ends at the next heading
)

// A chunk is a part of a document's content that a search returns as a whole.
type chunk struct {
	span
	// labels are the questions of an FAQ, or the headings above the chunk.
	labels []string
	// body is the rest of its text.
	body string
}

// chunkText splits running text into chunks of as many sentences, headings and list entries as fit. A
// heading stays with the text after it. A sentence is split only if it is longer than a chunk.
func chunkText(content string) []chunk {
	c := chunker{content: content}
	for _, s := range text.Segments(content) {
		c.add(s)
	}
	c.close(len(c.open))
	return c.chunks
}

// A chunker collects segments into chunks.
type chunker struct {
	content string
	chunks  []chunk
	open    []text.Segment // segments of the current chunk
	length  int            // of the current chunk, in characters
	section string         // the last heading before the open segments
}

func (c *chunker) add(s text.Segment) {
	if utf8.RuneCountInString(c.content[s.Start:s.End]) > maxChunk {
		c.flush()
		c.cut(s)
		return
	}
	if len(c.open) > 0 {
		last := c.open[len(c.open)-1]
		if s.Kind == text.Heading && last.Kind != text.Heading && c.length >= goodSection ||
			s.Block != last.Block && c.length >= goodChunk {
			c.flush()
		}
	}
	if c.lengthWith(s) > maxChunk {
		c.flush()
	}
	if c.lengthWith(s) > maxChunk {
		c.close(len(c.open))
	}
	c.append(s)
}

func (c *chunker) append(s text.Segment) {
	c.length = c.lengthWith(s)
	c.open = append(c.open, s)
}

// lengthWith returns the length of the current chunk with another segment, in characters.
func (c *chunker) lengthWith(s text.Segment) int {
	start := s.Start
	if len(c.open) > 0 {
		start = c.open[len(c.open)-1].End
	}
	return c.length + utf8.RuneCountInString(c.content[start:s.End])
}

// flush makes a chunk of the open segments except the headings at their end, which belong to the following
// text. At most half a chunk stays open.
func (c *chunker) flush() {
	n := len(c.open)
	for n > 0 && c.open[n-1].Kind == text.Heading {
		n--
	}
	c.close(n)
	if c.length > maxChunk/2 {
		c.close(len(c.open))
	}
}

// close makes a chunk of the first n open segments. The others stay open.
func (c *chunker) close(n int) {
	done, rest := c.open[:n], c.open[n:]
	c.open, c.length = nil, 0
	if n > 0 {
		made := chunk{span: span{done[0].Start, done[n-1].End}}
		if c.section != "" && done[0].Kind != text.Heading {
			made.labels = append(made.labels, c.section)
		}
		var body strings.Builder
		for _, s := range done {
			said := c.content[s.Start:s.End]
			if s.Kind == text.Heading {
				made.labels = append(made.labels, said)
				c.section = said
				continue
			}
			body.WriteString(said)
			body.WriteByte('\n')
		}
		made.body = body.String()
		c.chunks = append(c.chunks, made)
	}
	for _, s := range rest {
		c.append(s)
	}
}

// cut splits a segment that is too long for a chunk. The open headings go before its first piece.
func (c *chunker) cut(s text.Segment) {
	for s.Start < s.End {
		rest := c.content[s.Start:s.End]
		room := maxChunk - c.length
		piece := text.Cut(rest, room)
		if piece == "" {
			piece = text.Truncate(rest, room) // a single character with very many accents
		}
		next := s
		next.End = s.Start + len(piece)
		c.append(next)
		s.Start += len(piece)
		if s.Start < s.End {
			c.close(len(c.open))
		}
	}
}

// chunkFAQ returns one chunk for each block.
func chunkFAQ(content string) []chunk {
	var chunks []chunk
	for _, b := range parseFAQ(content) {
		chunks = append(chunks, chunk{b.span, b.questions, b.answer})
	}
	return chunks
}
