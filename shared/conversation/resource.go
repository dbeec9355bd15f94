package conversation

import (
	"context"

	"frontdesk/shared/change"
	"frontdesk/shared/resource"
	"frontdesk/shared/table"
)

// Resource describes the conversations of an agent with their messages, and the items that point to them.
func Resource() resource.Resource {
	r := resource.Resource{Name: "conversations"}
	for _, status := range Status.Values("") {
		list := func(account, agent int64) string { return lists.Join(account, agent, status) }
		r.Purge = append(r.Purge, resource.ListedIn(table.Index3, list, deletion))
	}
	return r
}

func deletion(
	ctx context.Context, t table.Table, account, agent int64, item table.Item,
) ([]table.Write, error) {
	c, err := Read(item)
	if err != nil {
		return nil, err
	}
	for _, prefix := range []table.SortPrefix{NotePrefix, MessagePrefix} {
		if err := resource.DeletePartition(ctx, t, item.PK, prefix); err != nil {
			return nil, err
		}
	}
	if err := resource.DeleteQuery(ctx, t, change.PresenceQuery(item.PK)); err != nil {
		return nil, err
	}
	writes := []table.Write{table.Delete(item.Key), table.Delete(change.MarkKey(item.PK))}
	if c.SessionID != "" {
		writes = append(writes, table.Delete(SessionKey(account, agent, c.SessionID)))
	}
	if c.Address != "" {
		writes = append(writes, table.Delete(AddressKey(account, agent, string(c.Channel), c.Address)))
	}
	return writes, nil
}
