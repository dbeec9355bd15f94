package agent

import (
	"frontdesk/shared/event"
	"frontdesk/shared/table"
)

// MaxRetentionDays is the greatest RetentionDays: ten years.
const MaxRetentionDays = 3650

// retentionWrites returns the writes that add the agent to the list of those with a retention, or remove it.
// before is its previous RetentionDays. The event among them deletes at once what is already due.
func (s *Store) retentionWrites(a *Agent, before int) ([]table.Write, error) {
	key := retentionKey(a.AccountID, a.ID)
	switch {
	case a.RetentionDays == before:
		return nil, nil
	case a.RetentionDays == 0:
		return []table.Write{table.Delete(key)}, nil
	}
	item, err := a.refItem(key)
	if err != nil {
		return nil, err
	}
	due := event.Event{Kind: event.RetentionDue, At: s.now(), AgentID: a.ID}
	published, err := event.Publish(s.IDs, a.AccountID, nil, due)
	return append(published, table.Put(item)), err
}
