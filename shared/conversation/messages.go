package conversation

import (
	"context"
	"errors"

	"frontdesk/shared/agent"
	"frontdesk/shared/table"
)

// CountMessages returns how many messages a conversation has. It returns ErrNotFound if the workspace has no
// such conversation.
func (s *Store) CountMessages(ctx context.Context, account, conversation int64) (int64, error) {
	c, err := s.Load(ctx, account, conversation)
	return c.Messages, err
}

// Message reads a message by its id alone. It takes one round trip, or two for a contact's message that is
// stored with its reply: only the reply, whose id is one greater, is in the index. It returns ErrNotFound if
// the workspace has no such message or its agent was deleted, and on DynamoDB also in the first milliseconds
// after the write, since the index lags.
func (s *Store) Message(ctx context.Context, account, message int64) (Message, error) {
	var own, reply []table.Item
	var deleted agent.Deleted
	err := table.Parallel(ctx, func(ctx context.Context) (err error) {
		own, err = s.indexed(ctx, account, message)
		return err
	}, func(ctx context.Context) (err error) {
		reply, err = s.indexed(ctx, account, message+1)
		return err
	}, func(ctx context.Context) (err error) {
		deleted, err = agent.ReadDeleted(ctx, s.Table, account)
		return err
	})
	if err != nil {
		return Message{}, err
	}
	if len(own) == 0 && len(reply) > 0 {
		asked, together, err := questionOf(reply[0])
		if err == nil && together && deleted.Has(asked.AgentID) {
			err = ErrNotFound
		}
		if err != nil || together {
			return asked, err
		}
		after, err := ReadMessage(reply[0])
		if err != nil {
			return Message{}, err
		}
		item, err := s.Table.Get(ctx, MessageKey(account, after.ConversationID, message))
		if err != nil && !errors.Is(err, table.ErrNotFound) {
			return Message{}, err
		}
		if err == nil {
			own = append(own, item)
		}
	}
	if len(own) == 0 {
		return Message{}, ErrNotFound
	}
	m, err := ReadMessage(own[0])
	if err == nil && deleted.Has(m.AgentID) {
		err = ErrNotFound
	}
	return m, err
}

// indexed returns the item under an id in the index of messages, as a slice of at most one.
func (s *Store) indexed(ctx context.Context, account, message int64) ([]table.Item, error) {
	key := MessageKeyByID(account, message)
	found, err := s.Table.Query(ctx, table.Query{Index: table.Index1, PK: key.PK, From: key.SK, To: key.SK})
	return found.Items, err
}
