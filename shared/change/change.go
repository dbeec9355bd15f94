// Package change lists which conversations and appointments of a workspace changed since a cursor, and who
// is present in a conversation.
//
// Every write that changes one of them has an entry in the workspace's feed, under an id created at that
// time. The entries of messages are in an index that messages need anyway, so the feed costs them nothing.
// Other changes write a small item; see [Conversation] and [Appointment]. So does a [Presence].
package change

import (
	"encoding/json"
	"fmt"
	"time"

	"frontdesk/shared/id"
	"frontdesk/shared/table"
)

const (
	// shards is how many partitions share the feed of a workspace. DynamoDB accepts 1,000 writes a second in
	// each.
	shards = 4

	// lifetime is how long such an item is stored.
	lifetime = 24 * time.Hour
)

// An entry is the part of a feed item that the feed reads. Documents of messages have these fields too.
type entry struct {
	ConversationID int64    `json:"conversation_id,omitempty"`
	AppointmentID  int64    `json:"appointment_id,omitempty"`
	Direction      string   `json:"direction,omitempty"` // of a message
	Present        *present `json:"present,omitempty"`   // of a Presence
}

// inbound is the direction of a visitor's messages.
const inbound = "inbound"

// Conversation returns the write that records a change of a conversation without a new message. pk is the
// conversation's partition, at is an id created for the change.
func Conversation(account int64, pk string, conversation, at int64) table.Write {
	return write(account, pk, entry{ConversationID: conversation}, at)
}

// Appointment returns the write that records that an appointment was created, changed or deleted. pk is the
// appointment's partition, at is an id created for the change.
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
