package conversation

import (
	"encoding/json"
	"fmt"
	"time"

	"frontdesk/shared/table"
)

// A Note is what people of the business tell each other about a conversation. The contact never sees it.
type Note struct {
	ID             int64     `json:"id"`
	ConversationID int64     `json:"conversation_id"`
	Content        string    `json:"content"`
	Author         string    `json:"author"` // a member's name, "" where it is not known
	CreatedAt      time.Time `json:"created_at"`
}

// Item is the note as it is stored. Notes do not change.
func (n Note) Item(account int64) (table.Item, error) {
	doc, err := json.Marshal(n)
	return table.Item{Key: NoteKey(account, n.ConversationID, n.ID), Doc: doc}, err
}

// ReadNote is the note that an item holds.
func ReadNote(item table.Item) (Note, error) {
	var n Note
	if err := json.Unmarshal(item.Doc, &n); err != nil {
		return Note{}, fmt.Errorf("conversation: note %s: %w", item.SK, err)
	}
	return n, nil
}

// Notes is the query for a conversation's notes, the oldest first.
func Notes(account, conversation int64) table.Query {
	return table.Query{PK: Partition(account, conversation), Prefix: NotePrefix}
}
