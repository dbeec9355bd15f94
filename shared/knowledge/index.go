package knowledge

import (
	"encoding/binary"
	"strings"

	"frontdesk/shared/concept"
	"frontdesk/shared/fault"
	"frontdesk/shared/table"
	"frontdesk/shared/text"
)

// Limits of one document in the index.
const (
	// maxWords is the limit of distinct words of a document in the index; further words are ignored. Merging
	// writes each of them. A megabyte of English has about half as many.
	maxWords = 30_000
	// maxWordList is the limit of the list of these words, in bytes. The list is one item.
	maxWordList = table.MaxItemSize - 1<<10
	// maxPendingItem is the limit of entries in one pending item, in bytes. The rest of the item leaves room
	// for one longer entry, of a word that occurs in all blocks of an FAQ.
	maxPendingItem = 200 << 10
	// maxBlocks and maxBlock limit an FAQ: the number of blocks, so that the entry of a word that occurs in
	// all of them fits into an item, and the bytes of one block, since it is stored in one part.
	maxBlocks = 25_000
	maxBlock  = 256 << 10
)

// everywhere is an artificial word in the title of every document.
var everywhere = concept.Word("")

// An index is a document prepared for storage and search.
type index struct {
	parts   []part
	chunks  int
	length  int // of all chunks, in words without stop words
	words   []string
	entries map[string]*entry
	kind    entry // the fields that all entries share
}

// newIndex splits the content into chunks and lists its words. It returns a validation_error of "content" if
// the document is an FAQ without valid blocks.
func newIndex(language string, d Document) (*index, error) {
	chunks, err := chunksOf(d)
	if err != nil {
		return nil, err
	}
	ix := &index{chunks: len(chunks), entries: map[string]*entry{}, kind: entry{faq: d.Type == FAQ}}
	least := minPart
	if ix.kind.faq {
		least = minFAQPart
	}
	ix.parts = split(d.Content, chunks, least)
	for n, p := range ix.parts {
		if more := p.readUnits() - 1; n == 0 {
			ix.kind.head = more
		} else {
			ix.kind.rest = max(ix.kind.rest, more)
		}
	}
	room := maxWordList
	for _, t := range text.Tokens(language, d.Title) {
		if !t.Stop {
			if e := ix.entry(t.Stem, &room); e != nil {
				e.title++
			}
		}
	}
	if e := ix.entry(everywhere, &room); e != nil {
		e.title = 1
	}
	n := 0
	for i, p := range ix.parts {
		for ordinal := range p.marks {
			c := count(language, chunks[n], ix.kind.faq)
			for _, word := range c.words {
				if e := ix.entry(word, &room); e != nil {
					e.postings = append(e.postings,
						posting{i, ordinal, c.label[word], c.body[word], c.length})
				}
			}
			ix.length += c.length
			n++
		}
	}
	return ix, nil
}

func chunksOf(d Document) ([]chunk, error) {
	if d.Type != FAQ {
		return chunkText(d.Content), nil
	}
	chunks := chunkFAQ(d.Content)
	switch {
	case len(chunks) == 0:
		return nil, fault.Invalid("content",
			`The content of a faq must hold at least one block of a line "Q: <question>" and a line "A: <answer>", with blank lines between blocks.`)
	case len(chunks) > maxBlocks:
		return nil, fault.Invalid("content", "A faq may have at most %d questions.", maxBlocks)
	}
	for _, c := range chunks {
		if c.end-c.start > maxBlock {
			return nil, fault.Invalid("content",
				"A question with its answer may have at most %d bytes. Use doc_type text for long texts.",
				maxBlock)
		}
	}
	return chunks, nil
}

// entry returns the entry of a word, nil if the document has too many words already.
func (ix *index) entry(word string, room *int) *entry {
	if e, ok := ix.entries[word]; ok {
		return e
	}
	if len(ix.words) == maxWords || *room < len(word)+1 {
		return nil
	}
	*room -= len(word) + 1
	ix.words = append(ix.words, word)
	e := ix.kind
	ix.entries[word] = &e
	return &e
}

// counts are the word counts of one chunk.
type counts struct {
	words       []string // distinct words in order of occurrence
	label, body map[string]int
	length      int
}

// count counts the words of a chunk. Stop words count only in questions of an FAQ, for messages that have no
// others: "Who are you?"
func count(language string, c chunk, faq bool) counts {
	n := counts{label: map[string]int{}, body: map[string]int{}}
	add := func(to map[string]int, s string, stops bool) {
		enter := func(word string) {
			if n.label[word]+n.body[word] == 0 {
				n.words = append(n.words, word)
			}
			to[word]++
		}
		tokens := text.Tokens(language, s)
		for _, t := range tokens {
			if t.Stop && !stops {
				continue
			}
			if !t.Stop {
				n.length++
			}
			enter(t.Stem)
		}
		for _, f := range concept.In(language, tokens) {
			enter(concept.Word(f.Name))
		}
	}
	for _, label := range c.labels {
		add(n.label, label, faq)
	}
	add(n.body, c.body, false)
	return n
}

// list returns the item with all words under which this version of the document is indexed. Merge uses it to
// remove the version from the index.
func (ix *index) list(account int64, d Document) table.Item {
	return table.Item{
		Key:  DocumentWordsKey(account, d.ID, d.Index.Generation),
		Blob: []byte(strings.Join(ix.words, "\n")),
	}
}

// pending returns the items with the version's entries, as stored until they are merged: for each word its
// length, the word and its entry.
func (ix *index) pending(account int64, d Document) []table.Item {
	var items []table.Item
	var blob []byte
	flush := func() {
		if len(blob) > 0 {
			key := PendingKey(account, d.AgentID, d.ID, d.Index.Generation, len(items))
			items = append(items, table.Item{Key: key, Blob: blob})
			blob = nil
		}
	}
	for _, word := range ix.words {
		if len(blob) > maxPendingItem {
			flush()
		}
		blob = binary.AppendUvarint(blob, uint64(len(word)))
		blob = append(blob, word...)
		blob = ix.entries[word].append(blob)
	}
	flush()
	return items
}

// readPending calls found for each word of a pending item and its entry.
func readPending(item table.Item, found func(word []byte, e entry)) error {
	d := decoder{bytes: item.Blob}
	for len(d.bytes) > 0 && !d.broken {
		word := d.take(d.small())
		e := d.entry()
		if !d.broken {
			found(word, e)
		}
	}
	if d.broken {
		return errEntry
	}
	return nil
}
