package appointment

import (
	"time"

	"frontdesk/shared/table"
)

// OfAgent is the query for an agent's appointments of a status, of "" for those of any, the latest start
// first, and the further partitions that belong to it.
func OfAgent(account, agent int64, status Status) (q table.Query, also []string) {
	return query(table.Index1, status, func(status string) string {
		return KeyByAgent(account, agent, status, time.Time{}, 0).PK
	})
}

// OfAccount is the query for a workspace's appointments, as OfAgent is for an agent's. Those of deleted
// agents are for the reader to leave out.
func OfAccount(account int64, status Status) (q table.Query, also []string) {
	return query(table.Index2, status, func(status string) string {
		return KeyByAccount(account, status, time.Time{}, 0).PK
	})
}

func query(index table.Index, status Status, partition func(status string) string) (table.Query, []string) {
	statuses := status.Values()
	if status != "" {
		statuses = []string{string(status)}
	}
	var partitions []string
	for _, status := range statuses {
		partitions = append(partitions, partition(status))
	}
	return table.Query{Index: index, PK: partitions[0], Descending: true}, partitions[1:]
}
