// Package knowledge stores the documents of an agent, indexes them and searches them.
//
// A document is stored as parts in one partition. Part 0 is the head: it has the document's fields and the
// beginning of its content; further parts have the rest. The content is divided into chunks, each within one
// part and meaningful by itself. A search returns chunks.
//
// The index is inverted: each word of an agent has a list of the chunks that contain it. The entries of a
// new document are first stored as pending items, in the transaction that stores the document. A Merger adds
// pending entries to the lists in the background. Reindexing a document creates a new version with a new
// generation. A removed version leaves a note among the pending items until a merge has removed it from the
// lists. Searches read these notes and skip the version.
package knowledge

import (
	"encoding/json"
	"fmt"
	"time"

	"frontdesk/shared/table"
)

// A Type is the format of a document's content.
type Type string

// The types of documents.
const (
	Text Type = "text"
	FAQ  Type = "faq"  // questions and answers; see parseFAQ
	URL  Type = "url"  // the text of a web page
	File Type = "file" // the text of an uploaded file
)

// Values implements api.Enum.
func (Type) Values() []string {
	return []string{string(Text), string(FAQ), string(URL), string(File)}
}

// A Document is a piece of knowledge.
type Document struct {
	ID        int64     `json:"id"`
	AgentID   int64     `json:"agent_id"`
	Title     string    `json:"title"`
	Type      Type      `json:"type"`
	SourceURL string    `json:"source_url,omitempty"` // only for the type URL
	Active    bool      `json:"active"`               // searches find it
	Chunks    int       `json:"chunks"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
	// IndexError is why the document is not indexed, such as that its page could not be fetched. It may be
	// shown to users.
	IndexError string `json:"index_error,omitempty"`

	// Content is the text. In lists it is only the beginning, and Truncated is set if there is more.
	Content   string `json:"-"`
	Truncated bool   `json:"-"`

	Index state `json:"index"`
}

// Empty reports whether the document has no text to search.
func (d Document) Empty() bool {
	return d.Chunks == 0 || d.Index.Generation != 0 && d.Index.Words == 0
}

// state is the document's indexing state, stored in its head.
type state struct {
	Generation int64  `json:"generation,omitempty"` // current version's generation; 0 before the first
	Language   string `json:"language,omitempty"`   // in which the entries were made
	Words      int    `json:"words,omitempty"`      // total length of the chunks
	Parts      int    `json:"parts"`                // number of items of the document
}

// headDoc is the JSON document of part 0, partDoc that of further parts.
type headDoc struct {
	Document
	Marks []mark `json:"marks,omitempty"`
}

// partDoc has the fields that a passage needs, so that a search does not read the head.
type partDoc struct {
	Generation int64  `json:"generation"`
	Title      string `json:"title"`
	Type       Type   `json:"type"`
	SourceURL  string `json:"source_url,omitempty"`
	Marks      []mark `json:"marks,omitempty"`
}

// A mark is the position of a chunk in the text of its part: byte offset and length.
type mark [2]int

// Read decodes the head of a document, with the part of the content in it.
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

// items returns the document as stored: the head and the further parts. Texts are stored in Blob, which adds
// no encoding overhead.
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
