package assistant

import (
	"frontdesk/shared/ai"
	"frontdesk/shared/contact"
	"frontdesk/shared/conversation"
	"frontdesk/shared/outbox"
	"frontdesk/shared/table"
	"frontdesk/shared/trigger"
)

// sent is what webhooks are told of a reply, in the order of the API's reference.
type sent struct {
	ConversationID int64  `json:"conversation_id"`
	ContactPhone   string `json:"contact_phone"`
	Content        string `json:"content"`
	SentByAI       bool   `json:"sent_by_ai"`
	Action         string `json:"action"`
	Intent         string `json:"intent"`
}

// announce is the write that tells of a reply.
func (s *state) announce(m Message, reply conversation.Message, written ai.Reply, event int64) (table.Write, error) {
	data, err := outbox.Data(sent{
		s.conversation.ID, s.contact.Phone, reply.Content, reply.SentByAI, written.Action, written.Intent,
	})
	if err != nil {
		return table.Write{}, err
	}
	return outbox.Event{
		ID: event, Kind: outbox.MessageSent, At: reply.CreatedAt,
		AccountID: m.AccountID, AgentID: m.AgentID, ConversationID: s.conversation.ID, Data: data,
	}.Put()
}

// news is what the turn brings about that the agent's actions may wait for, but for the reply. What the message is about
// is known where somebody has replied to it.
func (s *state) news(inbound conversation.Message, reply *ai.Reply) trigger.News {
	news := s.contact.News()
	news.ConversationID, news.Channel = s.conversation.ID, string(s.conversation.Channel)
	before := &s.conversationBefore
	if s.conversationVersion == 0 {
		before = nil
	}
	news.Occurrences = conversation.Occurred(before, s.conversation)
	if s.contactVersion != 0 {
		news.Occurrences = append(news.Occurrences, contact.Occurred(s.contactBefore, s.contact)...)
	}
	received := inbound.Occurred()
	if reply != nil && reply.Intent != "" {
		received.Triggers = append(received.Triggers, trigger.IntentDetected)
		received.Intent, received.Confidence = reply.Intent, &reply.Confidence
	}
	news.Occurrences = append(news.Occurrences, received)
	return news
}
