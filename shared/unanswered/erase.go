package unanswered

import (
	"context"
	"errors"

	"frontdesk/shared/resource"
	"frontdesk/shared/table"
)

// Erase deletes an agent's questions that were last asked in one of the conversations.
func Erase(ctx context.Context, t table.Table, account, agentID int64, conversations map[int64]bool) error {
	q := table.Query{PK: Key(account, agentID, 0).PK}
	return resource.Each(ctx, t, q, func(item table.Item) error {
		question, err := Read(item)
		if err != nil || !conversations[question.ConversationID] {
			return err
		}
		err = Delete(ctx, t, account, agentID, question.ID)
		if errors.Is(err, ErrNotFound) {
			return nil
		}
		return err
	})
}
