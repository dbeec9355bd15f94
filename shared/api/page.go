package api

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"frontdesk/shared/fault"
	"frontdesk/shared/opt"
	"frontdesk/shared/table"
)

// PageSize is the number of items of a page.
const PageSize = 50

// PageIn is embedded in the In of an endpoint that answers a page of a list.
type PageIn struct {
	Page   opt.Value[string] `query:"page" check:"place" doc:"The number of the page, from 1. A page past the last answers 404." example:"1"`
	Cursor string            `query:"cursor" check:"place" doc:"The place where the page begins, as next and previous carry it. With it any page costs the same."`
}

// A List is one page of a list.
type List[T any] struct {
	Count    int64   `json:"count" doc:"Total number of items." example:"1"`
	Next     *string `json:"next" doc:"Address of the next page, null on the last one." check:"format=url"`
	Previous *string `json:"previous" doc:"Address of the previous page, null on the first one." check:"format=url"`
	Results  []T     `json:"results" doc:"The items of this page, at most 50."`
}

// A Listing describes how a list is read, counted and shown.
type Listing[T any] struct {
	// Query reads the items in the order of the list. Paginate sets Limit and After.
	Query table.Query
	// Also are further partitions of the Query's index, read concurrently and merged by sort key. Sort keys
	// must be unique across them. A page costs as much as one page of each partition.
	Also []string
	// Keep reports whether an item belongs to the list; nil keeps all. For a narrow index it sees only the
	// keys. It is first called after Count has returned. Skipped items cost reads, and further round trips
	// if the page is not full without them.
	Keep func(table.Item) (bool, error)
	// Count returns the exact number of items of the list. It runs concurrently with the query, and may
	// refuse the whole list, for example where its agent does not exist.
	Count func(context.Context) (int64, error)
	// Item converts a stored item to what is shown.
	Item func(table.Item) (T, error)
}

// Cursors begin with their direction.
const (
	forward  = "n"
	backward = "p"
)

// Paginate reads one page, usually in one round trip, or two if the index is narrow. With a cursor it reads
// only the page; with a page number it also reads the items before the page. A page after the last and a
// malformed cursor are not found.
func Paginate[T any](ctx context.Context, t table.Table, in PageIn, l Listing[T]) (List[T], error) {
	number, err := in.number()
	if err != nil {
		return List[T]{}, err
	}
	p := page{number: number, skip: (number - 1) * PageSize,
		reader: reader{table: t, query: l.Query, partitions: append([]string{l.Query.PK}, l.Also...)}}
	if in.Cursor != "" {
		if err := p.follow(in.Cursor); err != nil {
			return List[T]{}, err
		}
	}
	count, err := p.read(ctx, l.Count)
	var found []table.Item
	if err == nil {
		found, err = p.take(ctx, p.skip, PageSize+1, l.Keep)
	}
	if errors.Is(err, table.ErrBadCursor) || err == nil && p.skip > 0 && len(found) == 0 {
		return List[T]{}, fault.NotFound()
	}
	if err != nil {
		return List[T]{}, err
	}
	// One item more than a page was asked for, to learn whether there is a next page.
	more := len(found) > PageSize
	found = found[:min(len(found), PageSize)]
	if p.backward {
		slices.Reverse(found)
	}
	list := List[T]{Count: count, Results: make([]T, 0, len(found))}
	whole, err := p.whole(ctx, found)
	if err != nil {
		return List[T]{}, err
	}
	for _, item := range whole {
		shown, err := l.Item(item)
		if err != nil {
			return List[T]{}, err
		}
		list.Results = append(list.Results, shown)
	}
	list.Next, list.Previous = p.links(ctx, found, more)
	return list, nil
}

// A page is the state of reading one page of a listing.
type page struct {
	reader
	number   int
	skip     int // items before the page
	backward bool
}

// follow starts at the position of a cursor. It returns NotFound for a malformed one.
func (p *page) follow(cursor string) error {
	way, after := cursor[:1], cursor[1:]
	if way != forward && way != backward || after == "" {
		return fault.NotFound()
	}
	p.skip, p.query.After, p.backward = 0, after, way == backward
	if p.backward {
		p.query.Descending = !p.query.Descending
	}
	return nil
}

// read counts the list and reads items, concurrently if nothing is skipped. Otherwise it counts first, so
// that a page after the last is not found before items are read.
func (p *page) read(ctx context.Context, counting func(context.Context) (int64, error)) (count int64,
	err error) {
	countItems := func(ctx context.Context) (err error) {
		count, err = counting(ctx)
		return err
	}
	readItems := func(ctx context.Context) error {
		return p.reader.read(ctx, min(p.skip+PageSize+1, mostAtOnce))
	}
	if p.skip == 0 {
		err = table.Parallel(ctx, countItems, readItems)
		return count, err
	}
	if err := countItems(ctx); err != nil {
		return 0, err
	}
	if int64(p.skip) >= count {
		return 0, fault.NotFound()
	}
	return count, readItems(ctx)
}

// links returns the URLs of the next and the previous page, nil if there is none. more is set if items
// follow those of the page.
func (p *page) links(ctx context.Context, found []table.Item, more bool) (next, previous *string) {
	if len(found) == 0 {
		return nil, nil
	}
	if more || p.backward {
		next = link(ctx, p.number+1, forward+table.Cursor(p.query.Index, found[len(found)-1]))
	}
	if p.number > 1 {
		cursor := ""
		if p.number > 2 {
			cursor = backward + table.Cursor(p.query.Index, found[0])
		}
		previous = link(ctx, p.number-1, cursor)
	}
	return next, previous
}

// First reads the first n items of a listing, 1,000 in a round trip. n bounds what searches read.
func First[T any](ctx context.Context, t table.Table, n int, l Listing[T]) ([]T, error) {
	r := reader{table: t, query: l.Query, partitions: append([]string{l.Query.PK}, l.Also...)}
	err := table.Parallel(ctx, func(ctx context.Context) error {
		_, err := l.Count(ctx)
		return err
	}, func(ctx context.Context) error { return r.read(ctx, min(n, mostAtOnce)) })
	if err != nil {
		return nil, err
	}
	found, err := r.take(ctx, 0, n, l.Keep)
	if err != nil {
		return nil, err
	}
	if found, err = r.whole(ctx, found); err != nil {
		return nil, err
	}
	all := make([]T, 0, len(found))
	for _, item := range found {
		one, err := l.Item(item)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}

// PaginateAll returns a page of a list that is in memory and has no cursors. A page after the last, and any
// cursor, is not found.
func PaginateAll[T any](ctx context.Context, in PageIn, all []T) (List[T], error) {
	page, err := in.number()
	if err != nil {
		return List[T]{}, err
	}
	from := (page - 1) * PageSize
	if in.Cursor != "" || page > 1 && from >= len(all) {
		return List[T]{}, fault.NotFound()
	}
	to := min(from+PageSize, len(all))
	list := List[T]{Count: int64(len(all)), Results: append([]T{}, all[from:to]...)}
	if to < len(all) {
		list.Next = link(ctx, page+1, "")
	}
	if page > 1 {
		list.Previous = link(ctx, page-1, "")
	}
	return list, nil
}

// number returns the number of the page, 1 by default. A malformed one is not found.
func (in PageIn) number() (int, error) {
	if !in.Page.Set {
		return 1, nil
	}
	n, err := strconv.Atoi(in.Page.Value)
	if err != nil || n < 1 || n > 1<<40 {
		return 0, fault.NotFound()
	}
	return n, nil
}

// link returns the URL of the request with another page.
func link(ctx context.Context, page int, cursor string) *string {
	rec := requestOf(ctx)
	path, rawQuery, _ := strings.Cut(rec.url, "?")
	query, _ := url.ParseQuery(rawQuery) // malformed parts are left out
	query.Set("page", strconv.Itoa(page))
	query.Del("cursor")
	if cursor != "" {
		query.Set("cursor", cursor)
	}
	address := rec.Base + path + "?" + query.Encode()
	return &address
}
