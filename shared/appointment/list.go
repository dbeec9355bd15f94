package appointment

import (
	"context"
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

// A Filter says which appointments belong to a list. Its zero value is all of them.
type Filter struct {
	Status   Status
	From, To time.Time // of the start: not before From, and before To; zero is no bound
	Contact  int64
}

// Counted reports whether how many appointments pass is a count that is kept.
func (f Filter) Counted() bool { return f == Filter{Status: f.Status} }

// Bound narrows a query of OfAgent or OfAccount to the filter's times.
func (f Filter) Bound(q table.Query) table.Query {
	if !f.From.IsZero() {
		q.From = BusyFrom(f.From)
	}
	if !f.To.IsZero() {
		q.To = BusyFrom(f.To)
	}
	return q
}

// Keeps tells whether an appointment within the bounds passes.
func (f Filter) Keeps(a Appointment) bool { return f.Contact == 0 || a.ContactID == f.Contact }

// Count counts the appointments of a bound query and its further partitions that pass, by reading them, in
// one trip where none has more than a megabyte. Kept is asked of those that pass.
func (f Filter) Count(ctx context.Context, t table.Table, q table.Query, also []string,
	kept func(table.Item) (bool, error)) (int64, error) {
	counts := make([]int64, len(also)+1)
	var reads []func(context.Context) error
	for i, partition := range append([]string{q.PK}, also...) {
		reads = append(reads, func(ctx context.Context) error {
			q := q
			q.PK = partition
			page, err := t.Query(ctx, q)
			for _, item := range page.Items {
				a, err := Read(item)
				if err != nil {
					return err
				}
				keep, err := kept(item)
				if err != nil {
					return err
				}
				if keep && f.Keeps(a) {
					counts[i]++
				}
			}
			return err
		})
	}
	err := table.Parallel(ctx, reads...)
	var sum int64
	for _, n := range counts {
		sum += n
	}
	return sum, err
}
