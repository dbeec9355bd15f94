package playbook

import (
	"context"

	"frontdesk/shared/agent"
	"frontdesk/shared/table"
)

// Upsert changes the row with a key, or creates it. change gets the stored row, or a new one without the key;
// it must set the key, and is called again after a conflict with another change. Its error ends the call.
// Upsert returns ErrNotFound if the workspace has no such agent, and a *fault.Error if the agent has
// MaxRows rows. The kind must have keys.
func (s Store[T, P]) Upsert(ctx context.Context, account, agentID int64, key string,
	change func(*T) error) (row T, created bool, err error) {
	summary, copied := agent.Key(account, agentID), CopyKey(account, agentID, string(kindOf[T, P]()), key)
	err = table.Retry(ctx, func() error {
		found, err := s.Table.BatchGet(ctx, summary, copied)
		if err != nil {
			return err
		}
		if _, ok := found[summary]; !ok {
			return ErrNotFound
		}
		item, ok := found[copied]
		if !ok {
			row, err = s.Create(ctx, account, agentID, change)
			if err == errTaken { // another request created it
				return &table.ConditionError{}
			}
			created = err == nil
			return err
		}
		known, version, err := readCopy[T](item)
		if err != nil {
			return err
		}
		row, err = s.replace(ctx, account, known, table.Item{Version: version}, change)
		return err
	})
	return row, created, err
}
