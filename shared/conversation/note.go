package conversation

import (
	"encoding/json"
	"fmt"
	"time"

	"frontdesk/shared/table"
)

// A Note is an internal remark on a conversation. The contact never sees it.
type Note struct {
	ID             int64     `json:"id"`
	ConversationID int64     `json:"conversation_id"`
	Content        string    `json:"content"`
	Author         string    `json:"author"` // a member's name, "" if unknown
	CreatedAt      time.Time `json:"created_at"`
}

// Item returns the note as it is stored. Notes do not change.
func (n Note) Item(account int64) (table.Item, error) {
	doc, err := json.Marshal(n)
	return table.Item{Key: NoteKey(account, n.ConversationID, n.ID), Doc: doc}, err
}

// ReadNote decodes an item under NoteKey.
func ReadNote(item table.Item) (Note, error) {
	var n Note
	if err := json.Unmarshal(item.Doc, &n); err != nil {
		return Note{}, fmt.Errorf("conversation: note %s: %w", item.SK, err)
	}
	return n, nil
}

// Notes returns the query for a conversation's notes, oldest first.
func Notes(account, conversation int64) table.Query {
	return table.Query{PK: Partition(account, conversation), Prefix: NotePrefix}
}
