package assistant

import (
	"frontdesk/shared/ai"
	"frontdesk/shared/conversation"
	"frontdesk/shared/outbox"
	"frontdesk/shared/table"
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
