package knowledge

import (
	"context"

	"frontdesk/shared/resource"
	"frontdesk/shared/table"
)

// Resource describes the documents of an agent and their index.
func Resource() resource.Resource {
	list := func(account, agent int64) string { return DocumentKeyByAgent(account, agent, 0).PK }
	return resource.Resource{Name: "documents",
		Purge: []resource.Purge{resource.Listed(list, deletion), purgeIndex}}
}

func deletion(
	ctx context.Context, t table.Table, account, agent int64, item table.Item,
) ([]table.Write, error) {
	d, err := Read(item)
	if err != nil {
		return nil, err
	}
	return nil, erase(ctx, t, account, d.ID)
}
