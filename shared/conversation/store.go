package conversation

import (
	"context"
	"errors"

	"frontdesk/shared/agent"
	"frontdesk/shared/fault"
	"frontdesk/shared/table"
)

// ErrNotFound reports that the workspace has no such conversation, or that its agent was deleted. It is the
// not_found error of the API, so handlers return it unchanged.
var ErrNotFound error = fault.NotFound()

// A Store reads conversations; package message changes them.
type Store struct {
	Table table.Table
}

// Load reads a conversation in one round trip. It returns ErrNotFound if the workspace has no such
// conversation.
func (s *Store) Load(ctx context.Context, account, conversation int64) (Conversation, error) {
	key := Key(account, conversation)
	item, marks, err := agent.ReadMarked(ctx, s.Table, account, key, agent.DeletedPrefix)
	if errors.Is(err, table.ErrNotFound) {
		return Conversation{}, ErrNotFound
	}
	if err != nil {
		return Conversation{}, err
	}
	c, err := Read(item)
	if err == nil && marks.Has(c.AgentID) {
		err = ErrNotFound
	}
	return c, err
}
