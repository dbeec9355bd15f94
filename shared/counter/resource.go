package counter

import (
	"context"

	"frontdesk/shared/resource"
	"frontdesk/shared/table"
)

// Resource describes the counts of an agent. Daily counts are in the agent's own partition.
func Resource() resource.Resource {
	return resource.Resource{Name: "counts", Purge: []resource.Purge{purge}}
}

func purge(ctx context.Context, t table.Table, account, agent int64) (more bool, err error) {
	return false, resource.DeletePartition(ctx, t, Key(account, agent, 0).PK, KeyPrefix(agent))
}
