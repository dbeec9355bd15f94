package knowledge

import (
	"encoding/binary"
	"errors"
)

// An entry has the occurrences of one word in one document. It is stored as varints and flags: number and
// kind of postings, occurrences in the title, read units of the parts, and for each posting the chunk, the
// occurrences in labels and body, and the chunk's length. Occurrences are capped, since further ones hardly
// change the score.
type entry struct {
	faq   bool // the document is an FAQ
	title int  // occurrences in the document's title
	// head and rest are the read units beyond one of the document's head and of each further part.
	head, rest int
	postings   []posting
}

// A posting has the occurrences of one word in one chunk.
type posting struct {
	part, ordinal int // position of the chunk
	label, body   int // occurrences in the chunk's labels and body
	length        int // of the chunk, in words without stop words
}

// Caps of the counts in a posting.
const (
	maxLabel = 7
	maxBody  = 15
)

// movedFlag in a posting's first byte says that the chunk's position follows. Otherwise it is the next chunk
// of the same part.
const movedFlag = 0x80

// Flags of an entry, in the bits below the number of its postings.
const (
	faqFlag   = 1
	titleFlag = 2
	sizeFlag  = 4
	flagBits  = 3
)

// chunks returns the number of chunks that the entry counts for. A title match without a chunk counts as
// one.
func (e entry) chunks() int { return max(1, len(e.postings)) }

// append appends the encoded entry. Its postings must be sorted by part.
func (e entry) append(b []byte) []byte {
	head := uint64(len(e.postings)) << flagBits
	if e.faq {
		head |= faqFlag
	}
	if e.title > 0 {
		head |= titleFlag
	}
	if e.head+e.rest > 0 {
		head |= sizeFlag
	}
	b = binary.AppendUvarint(b, head)
	if e.title > 0 {
		b = binary.AppendUvarint(b, uint64(e.title))
	}
	if e.head+e.rest > 0 {
		b = binary.AppendUvarint(b, uint64(e.head))
		b = binary.AppendUvarint(b, uint64(e.rest))
	}
	last := posting{ordinal: -1}
	for _, p := range e.postings {
		counts := byte(min(p.label, maxLabel)<<4 | min(p.body, maxBody))
		if p.part == last.part && p.ordinal == last.ordinal+1 {
			b = append(b, counts)
		} else {
			b = append(b, counts|movedFlag)
			b = binary.AppendUvarint(b, uint64(p.part-last.part))
			b = binary.AppendUvarint(b, uint64(p.ordinal))
		}
		b = binary.AppendUvarint(b, uint64(p.length))
		last = p
	}
	return b
}

// errEntry reports malformed entries.
var errEntry = errors.New("knowledge: malformed index entry")

// A decoder decodes entries. After malformed bytes it is broken and reads zeros.
type decoder struct {
	bytes  []byte
	broken bool
}

func (d *decoder) number() int {
	n, size := binary.Uvarint(d.bytes)
	if size <= 0 || n > 1<<62 {
		d.bytes, d.broken = nil, true
		return 0
	}
	d.bytes = d.bytes[size:]
	return int(n)
}

func (d *decoder) signed() int64 {
	n, size := binary.Varint(d.bytes)
	if size <= 0 {
		d.bytes, d.broken = nil, true
		return 0
	}
	d.bytes = d.bytes[size:]
	return n
}

func (d *decoder) take(n int) []byte {
	if n > len(d.bytes) {
		d.bytes, d.broken = nil, true
		return nil
	}
	taken := d.bytes[:n]
	d.bytes = d.bytes[n:]
	return taken
}

// small reads a number that is not an id. A value above any valid one breaks the decoder.
func (d *decoder) small() int {
	n := d.number()
	if n > 1<<31-1 {
		d.bytes, d.broken = nil, true
		return 0
	}
	return n
}

func (d *decoder) entry() entry {
	head := d.number()
	e := entry{faq: head&faqFlag != 0}
	if head&titleFlag != 0 {
		e.title = d.small()
	}
	if head&sizeFlag != 0 {
		e.head, e.rest = d.small(), d.small()
	}
	n := head >> flagBits
	if n > len(d.bytes) { // a posting has at least two bytes
		d.bytes, d.broken = nil, true
		return entry{}
	}
	e.postings = make([]posting, 0, n)
	last := posting{ordinal: -1}
	for len(e.postings) < n && !d.broken {
		var counts byte
		if b := d.take(1); b != nil {
			counts = b[0]
		}
		p := posting{part: last.part, ordinal: last.ordinal + 1,
			label: int(counts>>4) & maxLabel, body: int(counts) & maxBody}
		if counts&movedFlag != 0 {
			p.part, p.ordinal = last.part+d.small(), d.small()
		}
		p.length = d.small()
		e.postings = append(e.postings, p)
		last = p
	}
	return e
}
