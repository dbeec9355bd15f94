package conversation

import (
	"time"

	"frontdesk/shared/event"
)

// Event returns an event of a kind with the fields of the conversation. The caller sets the others.
func (c Conversation) Event(kind event.Kind, at time.Time) event.Event {
	return event.Event{
		Kind: kind, At: at, AgentID: c.AgentID, ContactID: c.ContactID, ContactName: c.ContactName,
		ConversationID: c.ID, Channel: string(c.Channel), OnPlatform: c.Channel.OnPlatform(),
	}
}

// Events returns the events of a change of a conversation, without those of its messages. before is nil for a
// new one.
func Events(before *Conversation, after Conversation, at time.Time) []event.Event {
	var all []event.Event
	if before == nil {
		before = &Conversation{}
		all = append(all, after.Event(event.ConversationOpened, at))
	}
	if after.TakeoverMode == ByHuman && before.TakeoverMode != ByHuman {
		all = append(all, after.Event(event.ConversationHandedOver, at))
	}
	if after.Status == Resolved && before.Status != Resolved {
		all = append(all, after.Event(event.ConversationResolved, at))
	}
	return all
}

// MessageEvent returns the event of a message that was received or sent.
func (c Conversation) MessageEvent(m Message) event.Event {
	e := c.Event(event.MessageReceived, m.CreatedAt)
	e.MessageID, e.Message = m.ID, m.Content
	if m.Direction == Outbound {
		e.Kind, e.SentByAI = event.MessageSent, &m.SentByAI
	}
	return e
}
