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

// PageSize is how many items a page of a list has.
const PageSize = 50

// PageIn is the part of an In that asks for a page of a list.
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

// A Listing is what a page is made of.
type Listing[T any] struct {
	// Query reads the items, in the order of the list. Its Limit and After are set here.
	Query table.Query
	// Also are further partitions of the Query's index, which are read like its own, at the same time, and
	// merged by their sort keys. No two items of them may have one sort key. A page costs what a page of each
	// costs.
	Also []string
	// Keep tells which of the items that were read belong to the list, of a narrow index by their keys alone;
	// nil is all. Count has returned when it is first called. What is left out costs its reading, and further
	// trips where a page is not full without it.
	Keep func(table.Item) (bool, error)
	// Count tells how many items the list has in all, exactly. It runs beside the query, and is the place to
	// refuse the whole list, as when its agent does not exist.
	Count func(context.Context) (int64, error)
	// Item turns what is stored into what is shown.
	Item func(table.Item) (T, error)
}

// Cursors begin with the way they lead.
const (
	forward  = "n"
	backward = "p"
)

// Paginate reads one page, mostly in one trip, or two where the index is narrow. By a cursor it reads the page alone; by the number alone also
// what comes before, and skips it.
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

// A page is the reading of one page of a listing.
type page struct {
	reader
	number   int
	skip     int // items that come before it
	backward bool
}

// follow begins at the place that a cursor carries. NotFound for one that was not made here.
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

// read counts the list and reads items, together where nothing is skipped. Else the count comes first, and a
// page behind the last is NotFound before items are read.
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

// links are the addresses of the next and the previous page, nil where there is none. More tells that items
// follow those that were found.
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

// First reads the first n items of a listing, 1,000 in a trip.
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

// PaginateAll is a page of a list that was read whole, from a place that has no cursors. A page past the
// last, and any cursor, is not_found.
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

// number is the number of the page. The error is not_found where it is none.
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

// link is the address of the request with another page.
func link(ctx context.Context, page int, cursor string) *string {
	rec := requestOf(ctx)
	path, rawQuery, _ := strings.Cut(rec.url, "?")
	query, _ := url.ParseQuery(rawQuery) // what does not parse is left out
	query.Set("page", strconv.Itoa(page))
	query.Del("cursor")
	if cursor != "" {
		query.Set("cursor", cursor)
	}
	address := rec.Base + path + "?" + query.Encode()
	return &address
}
