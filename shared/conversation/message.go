package conversation

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"frontdesk/shared/ai"
	"frontdesk/shared/change"
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

// The kinds.
const (
	Text Kind = "text" // plain text
	// a text that the channel has approved beforehand, with values in its placeholders
	Template Kind = "template"
)

// Values lists the kinds: texts, templates, and what else contacts send, whose Content describes it.
func (Kind) Values() []string {
	return []string{
		string(Text), string(Template), "image", "audio", "video", "file", "sticker", "location", "contacts",
		"reaction", "order",
		"story", "edited", "deleted", "unsupported",
	}
}

// MessageStatus is the delivery status of a message.
type MessageStatus string

// The states: the one of inbound messages, and those of outbound ones.
const (
	Received  MessageStatus = "received"
	Queued    MessageStatus = "queued"    // to be handed over to the channel
	Sent      MessageStatus = "sent"      // handed over
	Delivered MessageStatus = "delivered" // on the contact's device
	Seen      MessageStatus = "read"
	Failed    MessageStatus = "failed" // it will not arrive
)

// Values lists the states, in the order in which an outbound message goes through them.
func (MessageStatus) Values() []string {
	return []string{string(Received), string(Queued), string(Sent), string(Delivered), string(Seen),
		string(Failed)}
}

// Precedes reports whether the status next may follow d. Statuses only advance, and may skip some, because
// platforms report late, twice or out of order. A delivered message cannot fail any more, and a failed one
// stays failed.
func (d MessageStatus) Precedes(next MessageStatus) bool {
	from, to := d.step(), next.step()
	if next == Failed {
		return from > 0 && from < Delivered.step()
	}
	return from > 0 && from < to
}

// step numbers the states that an outbound message goes through, from 1; the others have 0.
func (d MessageStatus) step() int {
	return 1 + slices.Index([]MessageStatus{Queued, Sent, Delivered, Seen}, d)
}

// A Message is one thing said in a conversation.
type Message struct {
	ID             int64     `json:"id" example:"219482113064961"`
	ConversationID int64     `json:"conversation_id" example:"219482113060865"`
	Direction      Direction `json:"direction" example:"inbound"`
	Type           Kind      `json:"type" example:"text"`
	Subject        string    `json:"subject,omitempty" doc:"Of a mail that came in." example:"Opening hours"`
	Content        string    `json:"content" doc:"Of a template its name, and the values of its placeholders, each on a line of its own." example:"Are you open on Sundays?"`
	// Choices are the answers that the agent offers; see Chosen.
	Choices []Choice `json:"choices,omitempty" doc:"The answers that the agent offers, for buttons; left out where there are none. Who presses one sends its label or its value as a message; its number, from 1, is understood too."`
	// Cards are the products that the agent offers; those that have no picture and no page are in Content
	// alone.
	Cards []Card `json:"cards,omitempty" doc:"The products that the agent offers and that have a picture or a page; left out where there are none."`
	// Sources are the knowledge documents that an answer of the agent draws on.
	Sources []Source `json:"sources,omitempty" doc:"The knowledge documents that the answer draws on; left out where there are none."`
	// Attachments are the files that came with the message, in their order.
	Attachments  []Attachment  `json:"attachments,omitempty" doc:"The files that came with it; left out where there are none. The n-th, from 0, is fetched at /messages/{id}/attachments/{n}/ while its platform keeps it."`
	SentByAI     bool          `json:"sent_by_ai" doc:"False for what a person wrote." example:"false"`
	Status       MessageStatus `json:"status" example:"received"`
	StatusDetail string        `json:"status_detail" doc:"Why the message failed, or that it may have been sent twice; empty where there is nothing to say." example:""`
	// Segments is how many parts the platform bills for the message; 0 if it was not sent by SMS.
	Segments  int       `json:"segments,omitempty" doc:"Of an SMS that was sent: how many parts it is billed as; left out elsewhere." example:"1"`
	Author    string    `json:"author" doc:"Who of the business wrote it, by name; empty where the agent or the contact did, or the name is not known." example:""`
	Rating    Rating    `json:"rating,omitempty" doc:"How the contact rated it; left out where they have not." example:"positive"`
	CreatedAt time.Time `json:"created_at"`

	// What is stored and not shown.
	AgentID int64    `json:"-"`
	Sending *Sending `json:"-"` // nil if the message is not sent to a platform
	// ProviderID is by what answers name an inbound message: the Message-ID of a mail; "" elsewhere.
	ProviderID string   `json:"-"`
	Usage      ai.Usage `json:"-"` // what the reply took of a language model
	Files      []File   `json:"-"` // locations of the attachments, in their order
}

// A Card is a product as a chat shows it. Texts may be empty except Name; addresses use https.
type Card struct {
	Name     string `json:"name" example:"City bicycle"`
	Price    string `json:"price" doc:"With its currency, as the agent writes it; empty where it may not quote prices." example:"€499.90"`
	ImageURL string `json:"image_url" doc:"An https address, or empty." example:"https://example.com/city.jpg"`
	URL      string `json:"url" doc:"The https address of its page, or empty." example:"https://example.com/city"`
}

// A Source is a knowledge document that an answer draws on.
type Source struct {
	DocumentID int64  `json:"document_id,omitempty" example:"219482112000002"`
	Title      string `json:"title" example:"Delivery and returns"`
	URL        string `json:"url,omitempty" doc:"The address of the web page that it was read from; left out for another." example:"https://example.com/delivery"`
}

// An Attachment describes a file of a message, without its content.
type Attachment struct {
	Type        Kind   `json:"type" example:"image"`
	Name        string `json:"name" doc:"Empty where it has none." example:"receipt.pdf"`
	ContentType string `json:"content_type" doc:"What the platform says that it is; may be empty." example:"image/jpeg"`
}

// A File is the location of an attachment on a channel's platform: an id or a URL.
type File struct {
	ID  string `json:"id,omitempty"`
	URL string `json:"url,omitempty"`
}

// storedMessage is the document of a message.
type storedMessage struct {
	Message
	AgentID    int64    `json:"agent_id"`
	Sending    *Sending `json:"sending,omitempty"`
	ProviderID string   `json:"provider_id,omitempty"`
	Usage      ai.Usage `json:"usage,omitzero"`
	Files      []File   `json:"files,omitempty"`
	Asked      *asked   `json:"asked,omitempty"` // the contact's message that it replies to; see Pair
}

func newStored(m Message) storedMessage {
	m.Rating = "" // which is a number of the item
	return storedMessage{m, m.AgentID, m.Sending, m.ProviderID, m.Usage, m.Files, nil}
}

// MessageItem returns a message as it is stored. version is that of the item it was read from, 0 for a new
// one. Only the status of a message, and what belongs to it, ever change. Only package message calls this.
func MessageItem(account int64, m Message, version int64) (table.Item, error) {
	doc, err := json.Marshal(newStored(m))
	item := table.Item{
		Key:     MessageKey(account, m.ConversationID, m.ID),
		Doc:     doc,
		Index1:  MessageKeyByID(account, m.ID),
		Version: version,
	}
	if s := m.Sending; s != nil && s.ProviderID != "" {
		item.Index2 = MessageKeyByProviderID(account, m.AgentID, string(s.Channel), s.ProviderID)
	}
	if m.ProviderID != "" {
		item.Index2 = MessageKeyByProviderID(account, m.AgentID, string(Email), m.ProviderID)
	}
	return item, err
}

// ReadMessage decodes the message in an item. Of a pair it returns the reply; Messages returns both.
func ReadMessage(item table.Item) (Message, error) {
	var s storedMessage
	if err := json.Unmarshal(item.Doc, &s); err != nil {
		return Message{}, fmt.Errorf("conversation: message %s: %w", item.SK, err)
	}
	s.Message.AgentID, s.Message.Sending, s.Message.Usage = s.AgentID, s.Sending, s.Usage
	s.Message.ProviderID, s.Message.Files = s.ProviderID, s.Files
	s.Message.Rating = ratingOf(item)
	return s.Message, nil
}

// All returns the query for a conversation's messages, oldest first. It is executed by Messages, as those
// below are.
func All(account, conversation int64) table.Query {
	return table.Query{PK: Partition(account, conversation), Prefix: MessagePrefix}
}

// Latest returns the query for a conversation's last n messages, newest first, with the conversation itself
// as the first item if withConversation is set.
func Latest(account, conversation int64, n int, withConversation bool) table.Query {
	q := table.Query{PK: Partition(account, conversation), Descending: true, Limit: n}
	if withConversation {
		q.Limit++
		q.From, q.To = string(MessagePrefix), Key(account, conversation).SK
	} else {
		q.Prefix = MessagePrefix
	}
	return q
}

// Before returns the query for at most n messages of a conversation before one of them, newest first.
func Before(account, conversation, before int64, n int) table.Query {
	q := Latest(account, conversation, n, false)
	q.To = MessageKey(account, conversation, before-1).SK
	q.From, q.Prefix = string(MessagePrefix), ""
	return q
}

// SinceWithPresence returns a query like that of Since. If no further messages follow, the conversation is
// followed by its presences, for [change.ReadPresence].
func SinceWithPresence(account, conversation, after int64, n int) table.Query {
	q := Since(account, conversation, after, n)
	q.To = change.PresenceEnd
	return q
}

// HeadWithPresence returns the query for a conversation without its messages, followed by its presences.
func HeadWithPresence(account, conversation int64) table.Query {
	key := Key(account, conversation)
	return table.Query{PK: key.PK, From: key.SK, To: change.PresenceEnd}
}

// IsPresence reports whether a key is that of a [change.Presence].
func IsPresence(key table.Key) bool { return key.SK > Key(0, 0).SK }

// Since returns the query for at most n messages of a conversation after one of them, oldest first. The
// conversation itself is the last item if no further messages follow.
func Since(account, conversation, after int64, n int) table.Query {
	from := MessageKey(account, conversation, after+1)
	return table.Query{PK: from.PK, From: from.SK, To: Key(account, conversation).SK, Limit: n + 1}
}
