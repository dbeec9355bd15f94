package appointment

import (
	"context"
	"time"

	"frontdesk/shared/table"
)

// OfAgent returns the query for an agent's appointments of a status, or of all for "", latest start first,
// and the further partitions to read.
func OfAgent(account, agent int64, status Status) (q table.Query, also []string) {
	return query(table.Index1, status, func(status string) string {
		return KeyByAgent(account, agent, status, time.Time{}, 0).PK
	})
}

// OfAccount is OfAgent for a workspace. The caller skips those of deleted agents.
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

// A Filter selects appointments of a list. The zero value selects all.
type Filter struct {
	Status   Status
	From, To time.Time // bounds of the start: From inclusive, To exclusive; zero is no bound
	Contact  int64
}

// Counted reports whether a counter has the number of selected appointments.
func (f Filter) Counted() bool { return f == Filter{Status: f.Status} }

// Bound restricts a query of OfAgent or OfAccount to the filter's times.
func (f Filter) Bound(q table.Query) table.Query {
	if !f.From.IsZero() {
		q.From = BusyFrom(f.From)
	}
	if !f.To.IsZero() {
		q.To = BusyFrom(f.To)
	}
	return q
}

// Keeps reports whether an appointment within the bounds is selected.
func (f Filter) Keeps(a Appointment) bool { return f.Contact == 0 || a.ContactID == f.Contact }

// Count counts the selected appointments of a bound query and its further partitions by reading them, in one
// round trip if no partition has more than 1 MB. kept is a further condition.
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
