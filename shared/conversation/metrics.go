package conversation

import (
	"strings"
	"time"

	"frontdesk/shared/frame"
	"frontdesk/shared/text"
)

// Metrics are the times and numbers of a conversation from which its counters are computed. A time is zero
// if the event did not occur.
type Metrics struct {
	Received   int64     `json:"received"`             // the number of inbound messages
	ReceivedAt time.Time `json:"received_at,omitzero"` // CreatedAt of the last inbound message
	SentAt     time.Time `json:"sent_at,omitzero"`     // CreatedAt of the last outbound message
	AskedAt    time.Time `json:"asked_at,omitzero"`    // when the contact first wrote
	AnsweredAt time.Time `json:"answered_at,omitzero"` // when the contact was first answered
	OpenedAt   time.Time `json:"opened_at,omitzero"`   // when it began or was last reopened
	ResolvedAt time.Time `json:"resolved_at,omitzero"` // when it was last resolved
	AwaitedAt  time.Time `json:"awaited_at,omitzero"`  // when the contact last began to wait for a person
	RepliedAt  time.Time `json:"replied_at,omitzero"`  // when a person last answered a waiting contact
	HandedOff  bool      `json:"handed_off,omitempty"` // it has ever been handed over to a person
	ByPerson   bool      `json:"by_person,omitempty"`  // a person of the business has written in it
}

// previewLength is how many characters of its last message a conversation shows in lists.
const previewLength = 120

// follow updates the conversation for a message that is added to it.
func (c *Conversation) follow(m Message) {
	c.Messages++
	c.LastID = max(c.LastID, m.ID)
	c.Preview = text.Truncate(strings.Join(strings.Fields(m.Content), " "), previewLength)
	if m.CreatedAt.After(c.LastMessageAt) {
		c.LastMessageAt = m.CreatedAt
	}
	if m.Direction == Inbound {
		c.Received++
		c.Unread++
		c.ReceivedAt = m.CreatedAt
		if c.AskedAt.IsZero() {
			c.AskedAt = m.CreatedAt
		}
		if !c.AnsweredByAI() && !c.awaitsPerson() {
			c.AwaitedAt = m.CreatedAt
		}
		return
	}
	if !m.SentByAI && c.awaitsPerson() {
		c.RepliedAt = m.CreatedAt
		if c.RepliedAt.Before(c.AwaitedAt) { // by another machine's clock
			c.RepliedAt = c.AwaitedAt
		}
	}
	c.SentAt = m.CreatedAt
	if !c.AskedAt.IsZero() && c.AnsweredAt.IsZero() {
		c.AnsweredAt = m.CreatedAt
	}
}

// awaitsPerson reports whether the contact has written to a person and has no answer yet.
func (c *Conversation) awaitsPerson() bool { return c.AwaitedAt.After(c.RepliedAt) }

// MarkRead records that a person has read the conversation, or marks it as unread again.
func (c *Conversation) MarkRead(read bool) {
	if read {
		c.Unread = 0
	} else {
		c.Unread = max(1, c.Unread)
	}
}

// sent returns the number of messages to the contact.
func (c Conversation) sent() int64 { return c.Messages - c.Received }

// resolvedByAI reports whether the conversation is resolved and no person had a part in it but the contact.
func (c Conversation) resolvedByAI() bool {
	return c.Status == Resolved && !c.AnsweredAt.IsZero() && !c.HandedOff && !c.ByPerson
}

// Ended reports whether the conversation is resolved or closed. The contact's next message on a channel
// begins another one.
func (c Conversation) Ended() bool { return c.Status == Resolved || c.Status == Closed }

// Reopen makes a conversation that has ended an open one again.
func (c *Conversation) Reopen(at time.Time) {
	if c.Ended() {
		c.Status, c.OpenedAt = Open, at
	}
}

// Resolve makes a conversation resolved. A funnel that the contact was in ends there.
func (c *Conversation) Resolve(at time.Time) {
	if c.Status != Resolved {
		c.Status, c.ResolvedAt, c.Frame.Asked.Funnel = Resolved, at, frame.InFunnel{}
		c.AwaitedAt = c.RepliedAt
	}
}

// HandOver makes a person answer instead of the agent, writes the summary and ends the agent's dialogue. If a
// person answers already, the reason and the summary stay unchanged.
func (c *Conversation) HandOver(reason HandoffReason) {
	c.TakeoverMode, c.AIEnabled, c.HandedOff = ByHuman, false, true
	if c.HandoffReason == "" {
		c.HandoffReason = reason
		c.HandoffSummary = c.summary()
	}
	c.Frame.HandOver()
}

// HandBack makes the agent answer again, with a new dialogue.
func (c *Conversation) HandBack() {
	c.TakeoverMode, c.AIEnabled, c.AwaitedAt = ByAI, true, c.RepliedAt
	c.HandoffReason, c.HandoffSummary, c.Frame = "", "", frame.Frame{}
}
