package api

import (
	"cmp"
	"context"
	"slices"

	"frontdesk/shared/table"
)

// A reader reads the items of several partitions of one index as if they lay in one. A cursor is a place in
// the order of sort keys, so one does for all of them.
type reader struct {
	table      table.Table
	query      table.Query // without its PK and Limit; After is where the next read begins
	partitions []string

	items []table.Item // read, and not taken yet
	end   bool         // nothing follows the items
}

// mostAtOnce is how many items one read asks for at most.
const mostAtOnce = 1000

// read reads the next n items. Of each partition it reads as many, for all of them may be the next.
func (r *reader) read(ctx context.Context, n int) error {
	pages := make([]table.Page, len(r.partitions))
	var reads []func(context.Context) error
	for i, pk := range r.partitions {
		q := r.query
		q.PK, q.Limit = pk, n
		reads = append(reads, func(ctx context.Context) (err error) {
			pages[i], err = r.table.Query(ctx, q)
			return err
		})
	}
	if err := table.Parallel(ctx, reads...); err != nil {
		return err
	}
	r.items, r.end = nil, true
	for _, page := range pages {
		r.items = append(r.items, page.Items...)
		r.end = r.end && page.Next == ""
	}
	if len(pages) > 1 {
		slices.SortFunc(r.items, r.compare)
	}
	if len(r.items) > n {
		r.items, r.end = r.items[:n], false
	}
	if len(r.items) > 0 {
		r.query.After = table.Cursor(r.query.Index, r.items[len(r.items)-1])
	}
	return nil
}

// whole returns items that were taken with all that they have. Where a narrow index is behind, an item may have
// been found twice, or in a partition that it has left; it is in the list once, or not any more.
func (r *reader) whole(ctx context.Context, found []table.Item) ([]table.Item, error) {
	if !r.query.Index.Narrow() {
		return found, nil
	}
	items, err := table.Whole(ctx, r.table, r.query.Index, found)
	seen := make(map[table.Key]bool, len(items))
	return slices.DeleteFunc(items, func(item table.Item) bool {
		if seen[item.Key] || !slices.Contains(r.partitions, item.In(r.query.Index).PK) {
			return true
		}
		seen[item.Key] = true
		return false
	}), err
}

// compare is the order of the list.
func (r *reader) compare(a, b table.Item) int {
	order := cmp.Compare(a.In(r.query.Index).SK, b.In(r.query.Index).SK)
	if r.query.Descending {
		return -order
	}
	return order
}

// take passes over as many items as it is told and returns the next n, fewer where the list ends. Keep says
// which items count; nil is all. It goes on to read, more each time, until it has them.
func (r *reader) take(ctx context.Context, pass, n int, keep func(table.Item) (bool, error)) ([]table.Item,
	error) {
	var taken []table.Item
	for step := 4 * (pass + n); ; step *= 4 {
		for _, item := range r.items {
			if keep != nil {
				if ok, err := keep(item); err != nil {
					return nil, err
				} else if !ok {
					continue
				}
			}
			if pass > 0 {
				pass--
				continue
			}
			if taken = append(taken, item); len(taken) == n {
				return taken, nil
			}
		}
		if r.end {
			return taken, nil
		}
		if err := r.read(ctx, min(step, mostAtOnce)); err != nil {
			return nil, err
		}
	}
}
