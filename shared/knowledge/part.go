package knowledge

import "unicode/utf8"

const (
	// minHead is the minimum of content in a document's head, in bytes, unless it has less: enough for lists
	// to show. The last chunk makes it longer, rarely above 16 KB, so that a list page of 50 heads stays
	// below the limit of 1 MB for one request.
	minHead = 14 << 10
	// minPart is the minimum of a further part, in bytes. With the last chunk, the item takes one read unit.
	minPart = 2600
	// minFAQPart is the minimum of a part of an FAQ, in bytes. A search also returns the neighbouring
	// questions in the part.
	minFAQPart = 14 << 10
	// maxParts is the limit of a document's parts, so that one transaction writes them.
	maxParts = 75
)

// A part is a piece of a content that is stored in one item, with its chunks.
type part struct {
	text  string
	marks []mark
}

// split divides a content into at least one part. The parts joined are the content. Further parts have at
// least that many bytes, except the last. No chunk spans two parts. The chunks must be sorted and must not
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

// readUnits estimates how many read units of 4 KB the item of a part takes.
func (p part) readUnits() int { return (len(p.text)+12*len(p.marks)+400)>>12 + 1 }
