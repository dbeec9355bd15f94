package knowledge

import (
	"encoding/binary"
	"errors"
)

// An entry of the index is what one word does in one document: how often the title has it, and a posting for each chunk
// that has it. It is stored as varints: the format, the title's count, and for each posting how many parts after the
// last one's the chunk lies, its place in its part, the two counts, and the chunk's length.

// entryFormat is the first varint of an entry, for the day when there is another.
const entryFormat = 1

// A posting is what a word does in one chunk.
type posting struct {
	part, ordinal int // which chunk
	label, body   int // how often it stands in the chunk's labels and in its body
	length        int // of the chunk, in words that are no stop words
}

// An entryWriter makes an entry.
type entryWriter struct {
	title int
	part  int // of the last posting
	bytes []byte
}

// add appends a posting. They come in the order of parts.
func (w *entryWriter) add(p posting) {
	for _, n := range []int{p.part - w.part, p.ordinal, p.label, p.body, p.length} {
		w.bytes = binary.AppendUvarint(w.bytes, uint64(n))
	}
	w.part = p.part
}

// blob is the entry as it is stored.
func (w *entryWriter) blob() []byte {
	head := binary.AppendUvarint(nil, entryFormat)
	head = binary.AppendUvarint(head, uint64(w.title))
	return append(head, w.bytes...)
}

// errEntry says that bytes are no entry.
var errEntry = errors.New("knowledge: malformed index entry")

// readEntry returns the title's count and the postings, which it appends to a slice.
func readEntry(blob []byte, postings []posting) (int, []posting, error) {
	next := func() int {
		n, size := binary.Uvarint(blob)
		if size <= 0 || n > 1<<31-1 {
			blob = nil
			return -1
		}
		blob = blob[size:]
		return int(n)
	}
	if next() != entryFormat {
		return 0, postings, errEntry
	}
	title := next()
	part := 0
	for len(blob) > 0 {
		p := posting{part: part + next(), ordinal: next(), label: next(), body: next(), length: next()}
		if p.length < 0 {
			return 0, postings, errEntry
		}
		part = p.part
		postings = append(postings, p)
	}
	if title < 0 {
		return 0, postings, errEntry
	}
	return title, postings, nil
}
