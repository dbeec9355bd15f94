// Package knowledge is what an agent has been taught: its documents, the index over them, and the search in
// it.
//
// A document lies in parts of one partition: the head, which is part 0 and holds what is known of the
// document and the beginning of its content, and further parts with the rest. The content is cut into chunks,
// each a stretch of one part that makes sense by itself; a chunk is what a search finds.
//
// The index is inverted: each word of an agent has a list, which tells in what chunks it stands. A
// document's entries are pending at first: they lie in an item of their own, which is written in one
// transaction with the document. A Merger adds what is pending to the lists, in the background. Indexing a
// document anew makes it a new version, under a new generation. A version that is gone leaves a note among
// what is pending, until it is merged, which takes the version out of the lists; searches read the notes,
// and so return nothing of it.
package knowledge

import (
	"encoding/json"
	"fmt"
	"time"

	"frontdesk/shared/table"
)

// A Type is the form of a document's content.
type Type string

// The types of documents.
const (
	Text Type = "text"
	FAQ  Type = "faq"  // questions and answers; see parseFAQ
	URL  Type = "url"  // the text of a page that is fetched
	File Type = "file" // the text of a file that somebody uploaded
)

// Values are all types there are.
func (Type) Values() []string {
	return []string{string(Text), string(FAQ), string(URL), string(File)}
}

// A Document is a piece of knowledge.
type Document struct {
	ID        int64     `json:"id"`
	AgentID   int64     `json:"agent_id"`
	Title     string    `json:"title"`
	Type      Type      `json:"type"`
	SourceURL string    `json:"source_url,omitempty"` // for the type URL
	Active    bool      `json:"active"`               // whether searches find it
	Chunks    int       `json:"chunks"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
	// IndexError says why there is nothing in the index: the page could not be fetched. It is fit to show.
	IndexError string `json:"index_error,omitempty"`

	// Content is the text; of a document from a list, the beginning of it. Truncated tells that more follows.
	Content   string `json:"-"`
	Truncated bool   `json:"-"`

	Index state `json:"index"`
}

// Empty reports whether the document holds no text that could be found.
func (d Document) Empty() bool {
	return d.Chunks == 0 || d.Index.Generation != 0 && d.Index.Words == 0
}

// state is what a document's head says of its place in the index.
type state struct {
	Generation int64  `json:"generation,omitempty"` // of its entries; 0 before the first
	Language   string `json:"language,omitempty"`   // whose words the entries are
	Words      int    `json:"words,omitempty"`      // the length of all chunks
	Parts      int    `json:"parts"`                // how many items hold the document
}

// headDoc is the JSON text of part 0, partDoc that of the others.
type headDoc struct {
	Document
	Marks []mark `json:"marks,omitempty"`
}

// partDoc has of its document what a passage needs, so that a search reads no head for it.
type partDoc struct {
	Generation int64  `json:"generation"`
	Title      string `json:"title"`
	Type       Type   `json:"type"`
	SourceURL  string `json:"source_url,omitempty"`
	Marks      []mark `json:"marks,omitempty"`
}

// A mark is where a chunk lies in the text of its part: the byte it begins at and its length.
type mark [2]int

// Read is the document that a head holds, with the content that lies in it.
func Read(head table.Item) (Document, error) {
	h, err := readHead(head)
	return h.Document, err
}

func readHead(item table.Item) (headDoc, error) {
	var h headDoc
	if err := json.Unmarshal(item.Doc, &h); err != nil {
		return headDoc{}, fmt.Errorf("knowledge: %s: %w", item.PK, err)
	}
	h.Content, h.Truncated = string(item.Blob), h.Index.Parts > 1
	return h, nil
}

func readPart(item table.Item) (partDoc, error) {
	var p partDoc
	if err := json.Unmarshal(item.Doc, &p); err != nil {
		return partDoc{}, fmt.Errorf("knowledge: %s %s: %w", item.PK, item.SK, err)
	}
	return p, nil
}

// items are the document as it is stored: the head and the further parts. The parts' texts lie in Blob, where
// they take no more room than they have bytes.
func (d Document) items(account int64, parts []part) ([]table.Item, error) {
	d.Index.Parts = len(parts)
	items := make([]table.Item, len(parts))
	for n, p := range parts {
		item := table.Item{Key: DocumentKey(account, d.ID, n), Blob: []byte(p.text)}
		var err error
		if n == 0 {
			item.Index1 = DocumentKeyByAgent(account, d.AgentID, d.ID)
			item.Doc, err = json.Marshal(headDoc{d, p.marks})
		} else {
			item.Doc, err = json.Marshal(partDoc{d.Index.Generation, d.Title, d.Type, d.SourceURL, p.marks})
		}
		if err != nil {
			return nil, err
		}
		items[n] = item
	}
	return items, nil
}
