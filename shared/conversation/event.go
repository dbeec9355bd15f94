package conversation

import (
	"time"

	"frontdesk/shared/outbox"
	"frontdesk/shared/table"
	"frontdesk/shared/trigger"
)

// announce is the write that tells that the conversation was resolved.
func (c Conversation) announce(account, event int64, at time.Time) (table.Write, error) {
	data, err := outbox.Data(struct {
		ConversationID int64 `json:"conversation_id"`
	}{c.ID})
	if err != nil {
		return table.Write{}, err
	}
	return outbox.Event{
		ID: event, Kind: outbox.ConversationResolved, At: at,
		AccountID: account, AgentID: c.AgentID, ConversationID: c.ID, Data: data,
	}.Put()
}

// AnnounceSent is the write that tells of a message that the agent sent over WhatsApp, with what the agent did by it and
// what it is about.
func (c Conversation) AnnounceSent(account, event int64, m Message, phone, action, intent string) (table.Write, error) {
	data, err := outbox.Data(struct { // in the order of the API's reference
		ConversationID int64  `json:"conversation_id"`
		ContactPhone   string `json:"contact_phone"`
		Content        string `json:"content"`
		SentByAI       bool   `json:"sent_by_ai"`
		Action         string `json:"action"`
		Intent         string `json:"intent"`
	}{c.ID, phone, m.Content, m.SentByAI, action, intent})
	if err != nil {
		return table.Write{}, err
	}
	return outbox.Event{
		ID: event, Kind: outbox.MessageSent, At: m.CreatedAt, AccountID: account, AgentID: c.AgentID, ConversationID: c.ID, Data: data,
	}.Put()
}

// News is where the news of something begins that happened in the conversation.
func (c Conversation) News() trigger.News {
	return trigger.News{
		ContactID: c.ContactID, ContactName: c.ContactName, ConversationID: c.ID, Channel: string(c.Channel),
	}
}

// Occurred is what happened to a conversation, beside its messages, when before became after; nil is one that was not
// there.
func Occurred(before *Conversation, after Conversation) []trigger.Occurrence {
	var all []trigger.Occurrence
	add := func(t trigger.Trigger) {
		all = append(all, trigger.Occurrence{Triggers: []trigger.Trigger{t}})
	}
	if before == nil {
		before = &Conversation{}
		add(trigger.ConversationStarted)
	}
	if after.TakeoverMode == ByHuman && before.TakeoverMode != ByHuman {
		add(trigger.Handoff)
	}
	if after.Status == Resolved && before.Status != Resolved {
		add(trigger.ConversationResolved)
	}
	return all
}

// Occurred is what happened when the message came, or went.
func (m Message) Occurred() trigger.Occurrence {
	if m.Direction == Inbound {
		return trigger.Occurrence{
			Triggers: []trigger.Trigger{trigger.MessageReceived, trigger.Keyword},
			Facts:    trigger.Facts{MessageID: m.ID, Message: m.Content},
		}
	}
	return trigger.Occurrence{
		Triggers: []trigger.Trigger{trigger.MessageSent},
		Facts:    trigger.Facts{MessageID: m.ID, Message: m.Content, SentByAI: &m.SentByAI},
	}
}
