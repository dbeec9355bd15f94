// Package conversation stores what contacts and agents write to each other: conversations, their messages,
// notes, chat sessions and the addresses of contacts on channels. Only package message writes messages.
package conversation

import (
	"encoding/json"
	"fmt"
	"time"

	"frontdesk/shared/frame"
	"frontdesk/shared/id"
	"frontdesk/shared/table"
)

// Status is the state of a conversation.
type Status string

// Statuses that the service itself sets; Values has them all.
const (
	Open            Status = "open"
	WaitingBusiness Status = "waiting_business" // the business has something to do
	Resolved        Status = "resolved"
	Closed          Status = "closed"
)

// Values lists the statuses.
func (Status) Values() []string {
	return []string{string(Open), string(Resolved), "pending", "waiting_customer", string(WaitingBusiness),
		"booked", "quoted", "spam", string(Closed)}
}

// Channel is the way a conversation came in.
type Channel string

// The channels.
const (
	WhatsApp  Channel = "whatsapp"
	Email     Channel = "email"
	SMS       Channel = "sms"
	Instagram Channel = "instagram"
	Messenger Channel = "messenger"
	WebChat   Channel = "webchat"
	API       Channel = "api"
)

// Values lists the channels.
func (Channel) Values() []string {
	return []string{string(WhatsApp), string(Email), string(SMS), string(Instagram), string(Messenger),
		string(WebChat), string(API)}
}

// OnPlatform reports whether messages of the channel are sent over another company's platform. Those of the
// web chat and the API are only stored; clients fetch them.
func (c Channel) OnPlatform() bool { return c != WebChat && c != API }

// Takeover says whether the agent or a person answers.
type Takeover string

// The ways of handling a conversation.
const (
	ByAI         Takeover = "ai"
	ByHuman      Takeover = "human"
	BySupervisor Takeover = "supervisor"
)

// Values lists them.
func (Takeover) Values() []string {
	return []string{string(ByAI), string(ByHuman), string(BySupervisor)}
}

// Priority is how urgent a conversation is.
type Priority string

// Priorities that the service itself sets: those of a new and of an urgent conversation.
const (
	Normal Priority = "normal"
	Urgent Priority = "urgent"
)

// Values lists the priorities, the least urgent first.
func (Priority) Values() []string { return []string{"low", string(Normal), "high", string(Urgent)} }

// A Conversation is a thread of messages between a contact and an agent.
type Conversation struct {
	ID            int64     `json:"id"`
	AgentID       int64     `json:"agent_id"`
	Status        Status    `json:"status"`
	Channel       Channel   `json:"channel"`
	AIEnabled     bool      `json:"ai_enabled"`
	TakeoverMode  Takeover  `json:"takeover_mode"`
	Priority      Priority  `json:"priority"`
	LastMessageAt time.Time `json:"last_message_at"`
	CreatedAt     time.Time `json:"-"` // from the id
	// Messages is how many messages it has.
	Messages int64 `json:"messages"`
	// LastID is the greatest id of its messages, 0 without messages. The next message gets a greater one,
	// even if the clock was set back.
	LastID int64 `json:"last_id,omitempty"`
	// Preview is the beginning of the last message, on one line.
	Preview string `json:"preview,omitempty"`
	// Unread is how many messages the contact wrote since a person last read the conversation.
	Unread int64 `json:"unread,omitempty"`
	// Assignee is the member who is responsible for it, 0 for none.
	Assignee int64    `json:"assignee,omitempty"`
	Labels   []string `json:"labels,omitempty"`
	// Notes is how many notes it has.
	Notes int64 `json:"notes,omitempty"`
	// SessionID is its chat session, "" if it has none.
	SessionID string `json:"session_id,omitempty"`
	// Address identifies the contact on the platform of the channel; "" if messages are not sent over a
	// platform.
	Address string `json:"address,omitempty"`
	// Mail is what replies by e-mail continue; the zero Mail on other channels.
	Mail Mail `json:"mail,omitzero"`
	// WindowEndsAt is when the time ends in which the platform lets the business write freely; zero if there
	// is no limit or the contact has not written.
	WindowEndsAt time.Time `json:"window_ends_at,omitzero"`
	// HandoffReason is why a person handles the conversation; "" while none does.
	HandoffReason HandoffReason `json:"handoff_reason,omitempty"`
	// HandoffSummary summarises for the person who takes over who the contact is, what they want, what was
	// tried and how they feel, in the agent's language; "" if the contact had not written.
	HandoffSummary string `json:"handoff_summary,omitempty"`
	// Frame is the dialogue state from which the agent continues.
	Frame frame.Frame `json:"frame,omitzero"`
	Partner
	Metrics
}

// New returns a conversation that begins with a contact on a channel and is answered by the agent.
func New(conversation, agent int64, on Channel, with Partner) Conversation {
	return Conversation{
		ID:           conversation,
		AgentID:      agent,
		Partner:      with,
		Status:       Open,
		Channel:      on,
		AIEnabled:    true,
		TakeoverMode: ByAI,
		Priority:     Normal,
		CreatedAt:    id.Time(conversation), // by which lists find it
		Metrics:      Metrics{OpenedAt: id.Time(conversation)},
	}
}

// AddMessage adds a message to the conversation, with what it changes there, and returns the write that
// stores it. The conversation is for the caller to store, in the same transaction.
func (c *Conversation) AddMessage(account int64, m Message) (table.Write, error) {
	m.AgentID = c.AgentID
	c.follow(m)
	item, err := MessageItem(account, m, 0)
	put := table.PutIfAbsent(item)
	put.Making = table.VersionOf(m.ID)
	return put, err
}

// AnsweredByAI reports whether the agent replies to messages of this conversation.
func (c Conversation) AnsweredByAI() bool { return c.AIEnabled && c.TakeoverMode == ByAI }

// SendsByPlatform reports whether messages to the contact are sent over the channel's platform. They are not
// if the contact's messages came in over the API: its caller then also delivers the replies.
func (c Conversation) SendsByPlatform() bool { return c.Address != "" }

// Item returns the conversation as it is stored. version is that of the item it was read from, 0 for a new
// one.
func (c Conversation) Item(account, version int64) (table.Item, error) {
	if c.OpenedAt.Equal(c.CreatedAt) { // which Read knows; a turn costs less while this item is below 1 KB
		c.OpenedAt = time.Time{}
	}
	doc, err := json.Marshal(c)
	return table.Item{
		Key:     Key(account, c.ID),
		Doc:     doc,
		Index3:  KeyByScore(account, c.AgentID, string(c.Status), c.ID, c.LeadScore),
		Index4:  KeyByAccount(account, string(c.Status), c.ID, c.AgentID),
		Version: version,
	}, err
}

// Read decodes an item under Key.
func Read(item table.Item) (Conversation, error) {
	var c Conversation
	if err := json.Unmarshal(item.Doc, &c); err != nil {
		return Conversation{}, fmt.Errorf("conversation: %s: %w", item.PK, err)
	}
	c.CreatedAt = id.Time(c.ID)
	if c.OpenedAt.IsZero() {
		c.OpenedAt = c.CreatedAt
	}
	return c, nil
}
