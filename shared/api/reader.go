package api

import (
	"cmp"
	"context"
	"slices"

	"frontdesk/shared/table"
)

// A reader reads several partitions of one index as if they were one. A cursor is a position in the order of
// sort keys, so one cursor serves all partitions.
type reader struct {
	table      table.Table
	query      table.Query // without PK and Limit; After is the position of the next read
	partitions []string

	items []table.Item // read but not yet taken
	end   bool         // nothing follows items
}

// mostAtOnce is the limit of items of one read.
const mostAtOnce = 1000

// read reads the next n items. It reads n of each partition, since all of them may come next.
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

// whole returns the complete items of those found in a narrow index. Such an index may lag behind, so an item
// may be found twice or in a partition that it has left; the result has it once or not at all.
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

// compare orders items as the list does.
func (r *reader) compare(a, b table.Item) int {
	order := cmp.Compare(a.In(r.query.Index).SK, b.In(r.query.Index).SK)
	if r.query.Descending {
		return -order
	}
	return order
}

// take skips some items and returns the next n, or fewer at the end of the list. keep selects the items that
// count, nil for all. Each further read is four times as large.
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
