package conversation

import (
	"time"

	"frontdesk/shared/outbox"
	"frontdesk/shared/table"
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
