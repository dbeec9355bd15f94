package knowledge

import "unicode/utf8"

const (
	// minHead is how many bytes of content the head of a document holds at least, unless it is all: what
	// lists show. With the rest of a chunk behind them it is rarely more than 16 KB, so that a page of a
	// list, which reads 50 heads, takes less than the megabyte of one request.
	minHead = 14 << 10
	// minPart is the same of a further part: with the rest of a chunk behind them, an item of one read unit.
	minPart = 2600
	// minFAQPart is the same of an FAQ, of which a search tells the questions beside those that it found.
	minFAQPart = 14 << 10
	// maxParts is how many parts a content has at most, so that they are written in one transaction.
	maxParts = 75
)

// A part is a stretch of a content that is stored in one item, with the chunks in it.
type part struct {
	text  string
	marks []mark
}

// split divides a content into parts, one at least, which joined are the content. The further parts have at
// least so many bytes, but for the last. No chunk lies in two parts. The chunks must be in order and must not
// overlap.
func split(content string, chunks []chunk, least int) []part {
	least = max(least, len(content)/maxParts+1)
	var parts []part
	for start := 0; ; {
		size := least
		if start == 0 {
			size = max(minHead, least)
		}
		end := min(start+size, len(content))
		var marks []mark
		for len(chunks) > 0 && chunks[0].start < end {
			c := chunks[0]
			marks = append(marks, mark{c.start - start, c.end - c.start})
			end = max(end, c.end)
			chunks = chunks[1:]
		}
		for end < len(content) && !utf8.RuneStart(content[end]) {
			end++
		}
		parts = append(parts, part{content[start:end], marks})
		if end == len(content) {
			return parts
		}
		start = end
	}
}

// readUnits is about how many read units of 4 KB the item of a part takes: its text, its marks and what
// else is known of it.
func (p part) readUnits() int { return (len(p.text)+12*len(p.marks)+400)>>12 + 1 }
