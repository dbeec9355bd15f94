package appointment

import (
	"time"

	"frontdesk/shared/resource"
)

// Resource is the appointments of an agent and the times that they take.
func Resource() resource.Resource {
	r := resource.Resource{Name: "appointments"}
	for _, status := range Status.Values("") {
		list := func(account, agent int64) string {
			return KeyByAgent(account, agent, status, time.Time{}, 0).PK
		}
		r.Purge = append(r.Purge, resource.Listed(list, resource.Item))
	}
	for _, long := range []bool{false, true} {
		times := func(account, agent int64) string { return BusyPartition(account, agent, long) }
		r.Purge = append(r.Purge, resource.Partition(times))
	}
	return r
}
