package appointment

import (
	"context"
	"time"

	"frontdesk/shared/change"
	"frontdesk/shared/resource"
	"frontdesk/shared/table"
)

// Resource describes the appointments of an agent and their busy times.
func Resource() resource.Resource {
	r := resource.Resource{Name: "appointments"}
	for _, status := range Status.Values("") {
		list := func(account, agent int64) string {
			return KeyByAgent(account, agent, status, time.Time{}, 0).PK
		}
		r.Purge = append(r.Purge, resource.Listed(list, deletion))
	}
	for _, long := range []bool{false, true} {
		times := func(account, agent int64) string { return BusyPartition(account, agent, long) }
		r.Purge = append(r.Purge, resource.Partition(times))
	}
	return r
}

func deletion(_ context.Context, _ table.Table, _, _ int64, item table.Item) ([]table.Write, error) {
	return []table.Write{table.Delete(item.Key), table.Delete(change.MarkKey(item.PK))}, nil
}
