package playbook

import (
	"context"

	"frontdesk/shared/table"
)

// Upsert changes the row that has a key, or makes one. It gets change with the row as it is, or new and without the key;
// change has to leave it with the key, and is called again when somebody else changed it meanwhile. Its error ends the
// upsert. ErrNotFound where the workspace has no such agent; an *api.Error where a new row would be one too many.
// The kind must be one with keys.
func (s Store[T, P]) Upsert(ctx context.Context, account, agent int64, key string, change func(*T) error) (row T, created bool, err error) {
	summary, copied := table.AgentKey(account, agent), table.PlaybookCopyKey(account, agent, string(kindOf[T, P]()), key)
	for range attempts {
		found, err := s.Table.BatchGet(ctx, summary, copied)
		if err != nil {
			return row, false, err
		}
		if _, ok := found[summary]; !ok {
			return row, false, ErrNotFound
		}
		item, ok := found[copied]
		if !ok {
			row, err = s.Create(ctx, account, agent, change)
			if err == errTaken {
				continue
			}
			return row, err == nil, err
		}
		row, version, err := readCopy[T](item)
		if err != nil {
			return row, false, err
		}
		row, err = s.replace(ctx, account, row, table.Item{Version: version}, change)
		if !table.IsFailed(err) {
			return row, false, err
		}
	}
	return row, false, table.ErrBusy
}
