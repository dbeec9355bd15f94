package knowledge

import (
	"context"
	"strings"

	"frontdesk/shared/concept"
	"frontdesk/shared/fault"
	"frontdesk/shared/table"
	"frontdesk/shared/text"
)

// Limits of one document in the index.
const (
	// maxWords is how many different words of a document are in the index, its first ones: as many writes as
	// a request has the time for. A megabyte of English has about half of it.
	maxWords = 30_000
	// maxWordList is how many bytes the list of them may take; it is one item.
	maxWordList = table.MaxItemSize - 1<<10
	// maxBlocks and maxBlock bound the FAQ: how many blocks, so that the entry of a word that is in all of
	// them fits an item, and how many bytes one may have, since it lies in one part.
	maxBlocks = 25_000
	maxBlock  = 256 << 10
)

// An index is a document ready to be stored and found.
type index struct {
	parts   []part
	chunks  int
	length  int // of all chunks, in words that are no stop words
	words   []string
	entries map[string]*entryWriter
	kind    int // of the entries
}

// newIndex cuts the content and lists its words. The error is an *api.Error where an FAQ is none.
func newIndex(language string, d Document) (*index, error) {
	chunks, err := chunksOf(d)
	if err != nil {
		return nil, err
	}
	ix := &index{parts: split(d.Content, chunks), chunks: len(chunks), entries: map[string]*entryWriter{},
		kind: textEntry}
	if d.Type == FAQ {
		ix.kind = faqEntry
	}
	room := maxWordList
	for _, t := range text.Tokens(language, d.Title) {
		if !t.Stop {
			if e := ix.entry(t.Stem, &room); e != nil {
				e.title++
			}
		}
	}
	n := 0
	for i, p := range ix.parts {
		for ordinal := range p.marks {
			c := count(language, chunks[n], d.Type == FAQ)
			for _, word := range c.words {
				if e := ix.entry(word, &room); e != nil {
					e.add(posting{i, ordinal, c.label[word], c.body[word], c.length})
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

// entry returns the entry of a word, nil where the document has too many words already.
func (ix *index) entry(word string, room *int) *entryWriter {
	if e, ok := ix.entries[word]; ok {
		return e
	}
	if len(ix.words) == maxWords || *room < len(word)+1 {
		return nil
	}
	*room -= len(word) + 1
	ix.words = append(ix.words, word)
	e := &entryWriter{kind: ix.kind}
	ix.entries[word] = e
	return e
}

// counts are the words of one chunk.
type counts struct {
	words       []string // each once, in order
	label, body map[string]int
	length      int
}

// count counts the words of a chunk. Stop words count in the questions of an FAQ alone, for messages that
// consist of them: "Who are you?"
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

// list is the list of the words under which a document's generation stands in the index. Purge finds the
// entries by it.
func (ix *index) list(account int64, d Document) table.Item {
	return table.Item{
		Key:  DocumentWordsKey(account, d.ID, d.Index.Generation),
		Blob: []byte(strings.Join(ix.words, "\n")),
	}
}

// items are the entries of a document's generation.
func (ix *index) items(account int64, d Document) []table.Item {
	items := make([]table.Item, len(ix.words))
	for i, word := range ix.words {
		items[i] = table.Item{
			Key:  WordKey(account, d.AgentID, word, d.ID, d.Index.Generation),
			Blob: ix.entries[word].blob(),
		}
	}
	return items
}

// eraseEntries deletes the entries of a generation that a word list names, and then the list.
func eraseEntries(ctx context.Context, t table.Table, account, agent, document, generation int64,
	words []string) error {
	writes := make([]table.Write, len(words))
	for i, word := range words {
		writes[i] = table.Delete(WordKey(account, agent, word, document, generation))
	}
	if err := t.WriteAll(ctx, writes...); err != nil {
		return err
	}
	return t.WriteAll(ctx, table.Delete(DocumentWordsKey(account, document, generation)))
}
