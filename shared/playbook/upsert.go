package playbook

import (
	"context"

	"frontdesk/shared/agent"
	"frontdesk/shared/table"
)

// Upsert changes the row that has a key, or makes one. It gets change with the row as it is, or new and
// without the key; change has to leave it with the key, and is called again when somebody else changed it
// meanwhile. Its error ends the upsert. ErrNotFound where the workspace has no such agent; an *api.Error
// where a new row would be one too many. The kind must be one with keys.
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
			if err == errTaken { // meanwhile
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
