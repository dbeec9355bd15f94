package conversation

import (
	"encoding/json"
	"fmt"
	"time"

	"frontdesk/shared/ai"
	"frontdesk/shared/id"
	"frontdesk/shared/table"
)

// Direction is which way a message goes.
type Direction string

// The directions.
const (
	Inbound  Direction = "inbound"  // from the contact
	Outbound Direction = "outbound" // to the contact
)

// Values lists the directions.
func (Direction) Values() []string { return []string{string(Inbound), string(Outbound)} }

// Kind is the form of a message.
type Kind string

// Text is a message of plain text.
const Text Kind = "text"

// Values lists the kinds.
func (Kind) Values() []string { return []string{string(Text), "template"} }

// Delivery is how far a message has come.
type Delivery string

// The states that the chat sets; Values has them all.
const (
	Received Delivery = "received" // inbound
	Sent     Delivery = "sent"     // outbound, handed over to the channel
)

// Values lists the states, in the order in which an outbound message goes through them.
func (Delivery) Values() []string {
	return []string{string(Received), "queued", string(Sent), "delivered", "read", "failed"}
}

// A Message is one thing said in a conversation.
type Message struct {
	ID             int64     `json:"id" example:"219482113064961"`
	ConversationID int64     `json:"conversation_id" example:"219482113060865"`
	Direction      Direction `json:"direction" example:"inbound"`
	Type           Kind      `json:"type" example:"text"`
	Content        string    `json:"content" example:"Are you open on Sundays?"`
	SentByAI       bool      `json:"sent_by_ai" doc:"False for what a person wrote." example:"false"`
	Status         Delivery  `json:"status" example:"received"`
	CreatedAt      time.Time `json:"created_at"`
	// Usage is what the reply took of a language model. It is stored, and not for the API to show.
	Usage ai.Usage `json:"-"`
}

// A stored message is one with what the API does not show.
type stored struct {
	Message
	Usage *ai.Usage `json:"usage,omitempty"`
}

// Item is the message as it is stored. Messages do not change but in their status.
func (m Message) Item(account int64) (table.Item, error) {
	kept := stored{Message: m}
	if m.Usage != (ai.Usage{}) {
		kept.Usage = &m.Usage
	}
	doc, err := json.Marshal(kept)
	return table.Item{
		Key:    table.MessageKey(account, m.ConversationID, m.ID),
		Doc:    doc,
		Index1: table.MessageByID(account, m.ID),
	}, err
}

// ReadMessage is the message that an item holds.
func ReadMessage(item table.Item) (Message, error) {
	var kept stored
	if err := json.Unmarshal(item.Doc, &kept); err != nil {
		return Message{}, fmt.Errorf("conversation: message %s: %w", item.SK, err)
	}
	if kept.Usage != nil {
		kept.Message.Usage = *kept.Usage
	}
	return kept.Message, nil
}

// All is the query for a conversation's messages, the oldest first.
func All(account, conversation int64) table.Query {
	return table.Query{PK: table.ConversationPartition(account, conversation), Prefix: table.MessagePrefix}
}

// Latest is the query for a conversation's last messages, the newest first; with the conversation itself as the first
// item when it is asked for.
func Latest(account, conversation int64, n int, withConversation bool) table.Query {
	q := table.Query{PK: table.ConversationPartition(account, conversation), Descending: true, Limit: n}
	if withConversation {
		q.Limit++
	} else {
		q.Prefix = table.MessagePrefix
	}
	return q
}

// Since is the query for the messages of a conversation after one of them, the oldest first, at most n.
func Since(account, conversation, after int64, n int) table.Query {
	from := table.MessageKey(account, conversation, after+1)
	return table.Query{PK: from.PK, From: from.SK, To: table.MessageKey(account, conversation, id.Max).SK, Limit: n}
}
