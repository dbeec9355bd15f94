package agent

import (
	"context"

	"frontdesk/shared/resource"
	"frontdesk/shared/table"
)

// Resource describes the agent's own partition and its marks. The mark of its deletion is deleted last.
func Resource() resource.Resource {
	return resource.Resource{
		Name:  "agent",
		Purge: []resource.Purge{resource.Partition(Partition), purgeMarks},
	}
}

func purgeMarks(ctx context.Context, t table.Table, account, agent int64) (more bool, err error) {
	if err := t.WriteAll(ctx, table.Delete(TriggersKey(account, agent))); err != nil {
		return false, err
	}
	return false, t.WriteAll(ctx, table.Delete(DeletedKey(account, agent)))
}
