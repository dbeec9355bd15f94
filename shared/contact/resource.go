package contact

import (
	"context"

	"frontdesk/shared/resource"
	"frontdesk/shared/table"
)

// Resource describes the contacts of an agent, their pointers, and the phone numbers that are opted out.
func Resource() resource.Resource {
	list := func(account, agent int64) string { return KeyByAgent(account, agent, 0).PK }
	optOuts := func(account, agent int64) string { return OptOutKey(account, agent, "").PK }
	return resource.Resource{Name: "contacts", Purge: []resource.Purge{
		resource.Listed(list, deletion), resource.Listed(optOuts, resource.Item),
	}}
}

func deletion(
	_ context.Context,
	_ table.Table,
	account, _ int64,
	item table.Item,
) ([]table.Write, error) {
	c, err := Read(item)
	if err != nil {
		return nil, err
	}
	writes := []table.Write{table.Delete(item.Key)}
	for _, key := range c.pointers(account) {
		writes = append(writes, table.Delete(key))
	}
	return writes, nil
}
