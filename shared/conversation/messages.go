package conversation

import (
	"context"

	"frontdesk/shared/agent"
	"frontdesk/shared/table"
)

// CountMessages returns how many messages a conversation has. ErrNotFound where the workspace has no such conversation.
func (s *Store) CountMessages(ctx context.Context, account, conversation int64) (int64, error) {
	c, err := s.Load(ctx, account, conversation)
	return c.Messages, err
}

// Message reads a message by its id alone, in one trip. ErrNotFound where the workspace has no such message, or its agent
// was deleted; on DynamoDB also in the first milliseconds after it was written, since it is found by an index.
func (s *Store) Message(ctx context.Context, account, message int64) (Message, error) {
	var found table.Page
	var deleted agent.Deleted
	err := table.Parallel(ctx, func(ctx context.Context) (err error) {
		key := MessageKeyByID(account, message)
		found, err = s.Table.Query(ctx, table.Query{Index: table.Index1, PK: key.PK, From: key.SK, To: key.SK})
		return err
	}, func(ctx context.Context) (err error) {
		deleted, err = agent.ReadDeleted(ctx, s.Table, account)
		return err
	})
	if err != nil {
		return Message{}, err
	}
	if len(found.Items) == 0 {
		return Message{}, ErrNotFound
	}
	m, err := ReadMessage(found.Items[0])
	if err == nil && deleted.Has(m.AgentID) {
		err = ErrNotFound
	}
	return m, err
}
