package knowledge

import "unicode/utf8"

// minPart is how many bytes of content a part holds at least, unless it is the last. With the rest of a chunk
// behind them it is rarely more than 16 KB, so that a page of a list, which reads the heads of 50 documents,
// takes less than the megabyte of one request. And the longest content has few enough parts for one
// transaction.
const minPart = 14 << 10

// A part is a stretch of a content that is stored in one item, with the chunks in it.
type part struct {
	text  string
	marks []mark
}

// split divides a content into parts, at least one, which joined are the content. No chunk lies in two of
// them. The chunks must be in order and must not overlap.
func split(content string, chunks []chunk) []part {
	var parts []part
	for start := 0; ; {
		end := min(start+minPart, len(content))
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
