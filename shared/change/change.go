// Package change tells which conversations and appointments of a workspace changed since a moment.
//
// Whatever is written when one of them changes has a place in the workspace's feed, under an id that was made
// then. Messages have theirs in an index that they are found by anyway, so that the feed costs them nothing.
// Other changes write a small item of their own; see [Conversation] and [Appointment].
package change

import (
	"encoding/json"
	"fmt"
	"time"

	"frontdesk/shared/id"
	"frontdesk/shared/table"
)

const (
	// shards is how many partitions share the feed of a workspace. DynamoDB takes 1,000 writes a second in
	// each of them.
	shards = 4

	// lifetime is how long such an item is kept.
	lifetime = 24 * time.Hour
)

// An entry is what an item of the feed tells. The documents of messages have these fields too.
type entry struct {
	ConversationID int64 `json:"conversation_id,omitempty"`
	AppointmentID  int64 `json:"appointment_id,omitempty"`
}

// Conversation is the write that tells of a change of a conversation which adds no message. PK is the
// partition of the conversation, at an id that is made for the change.
func Conversation(account int64, pk string, conversation, at int64) table.Write {
	return write(account, pk, entry{ConversationID: conversation}, at)
}

// Appointment is the write that tells that an appointment was made, changed or deleted. PK is the partition
// of the appointment, at an id that is made for the change.
func Appointment(account int64, pk string, appointment, at int64) table.Write {
	return write(account, pk, entry{AppointmentID: appointment}, at)
}

func write(account int64, pk string, e entry, at int64) table.Write {
	doc, err := json.Marshal(e)
	if err != nil {
		panic(err) // an entry holds integers
	}
	return table.Put(table.Item{
		Key: MarkKey(pk), Doc: doc, Index1: Key(account, at),
		Expires: id.Time(at).Add(lifetime).Truncate(time.Second),
	})
}

func readEntry(item table.Item) (entry, error) {
	var e entry
	if err := json.Unmarshal(item.Doc, &e); err != nil {
		return e, fmt.Errorf("change: %s %s: %w", item.PK, item.SK, err)
	}
	return e, nil
}
