package knowledge

import (
	"encoding/binary"
	"errors"
)

// An entry of the index is what one word does in one document: how often the title has it, and a posting for
// each chunk that has it. It is stored as varints: the kind, the title's count, and for each posting how many
// parts after the last one's the chunk lies, its place in its part, the two counts, and the chunk's length.

// Kinds of entries.
const (
	textEntry = 1 // of running text
	faqEntry  = 2 // of an FAQ
)

// A posting is what a word does in one chunk.
type posting struct {
	part, ordinal int // which chunk
	label, body   int // how often it stands in the chunk's labels and in its body
	length        int // of the chunk, in words that are no stop words
}

// An entryWriter makes an entry.
type entryWriter struct {
	kind  int
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
	head := binary.AppendUvarint(nil, uint64(w.kind))
	head = binary.AppendUvarint(head, uint64(w.title))
	return append(head, w.bytes...)
}

// errEntry says that bytes are no entry.
var errEntry = errors.New("knowledge: malformed index entry")

// An entry is what readEntry found, beside the postings.
type entry struct{ kind, title int }

// readEntry reads an entry, and appends its postings to a slice.
func readEntry(blob []byte, postings []posting) (entry, []posting, error) {
	next := func() int {
		n, size := binary.Uvarint(blob)
		if size <= 0 || n > 1<<31-1 {
			blob = nil
			return -1
		}
		blob = blob[size:]
		return int(n)
	}
	e := entry{kind: next(), title: next()}
	if e.kind != textEntry && e.kind != faqEntry || e.title < 0 {
		return entry{}, postings, errEntry
	}
	part := 0
	for len(blob) > 0 {
		p := posting{part: part + next(), ordinal: next(), label: next(), body: next(), length: next()}
		if p.length < 0 {
			return entry{}, postings, errEntry
		}
		part = p.part
		postings = append(postings, p)
	}
	return e, postings, nil
}
