package knowledge

import (
	"encoding/binary"
	"errors"
)

// An entry is what one word does in one document. It is stored as varints and flags: how many postings there
// are and of what kind, how often the title has the word, what parts take to read, and for each posting where
// the chunk lies, how often the word stands in its labels and in its body, and how long it is. The two counts
// are bounded, since a word that is repeated soon counts no more.
type entry struct {
	faq   bool // of an FAQ; else of running text
	title int  // how often the document's title has the word
	// head and rest are how many read units more than one the document's head takes, and each further part.
	head, rest int
	postings   []posting
}

// A posting is what a word does in one chunk.
type posting struct {
	part, ordinal int // which chunk
	label, body   int // how often it stands in the chunk's labels and in its body
	length        int // of the chunk, in words that are no stop words
}

// The greatest counts of a posting.
const (
	maxLabel = 7
	maxBody  = 15
)

// movedFlag tells in a posting's byte of counts that its place follows. Without it the chunk is the next one
// of the same part.
const movedFlag = 0x80

// Flags of an entry, below the number of its postings.
const (
	faqFlag   = 1
	titleFlag = 2
	sizeFlag  = 4
	flagBits  = 3
)

// chunks is how many chunks the word counts for: a title that has it without any chunk counts as one.
func (e entry) chunks() int { return max(1, len(e.postings)) }

// append appends the entry as it is stored. Its postings are in the order of parts.
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

// errEntry says that bytes are no entries.
var errEntry = errors.New("knowledge: malformed index entry")

// A decoder reads what entries are stored as. After bytes that are none it is broken and reads zeros.
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

// small is number for what is no id; more than any document has is broken.
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
	if n > len(d.bytes) { // a posting has two bytes and more
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
