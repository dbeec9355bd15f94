package api_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/shared/api"
	"frontdesk/shared/api/apitest"
	"frontdesk/shared/table"
	"frontdesk/shared/table/sqlite"
)

// A shelf is a list of 500 books that lie in four partitions, some in each hundred of the list.
type shelf struct {
	apitest.Client
	table table.Table
	costs []table.Cost // of the pages read so far
}

const books = 500

// bookKey is where book n is: in the table, and in Index1. Every seventh is in the first partition, most are
// in the second, and the fourth begins at the middle of the list.
func bookKey(n int) (key, index table.Key) {
	partition := "b"
	switch {
	case n%7 == 0:
		partition = "a"
	case n%3 == 0:
		partition = "c"
	case n >= books/2 && n%2 == 0:
		partition = "d"
	}
	return table.Key{PK: "book/" + strconv.Itoa(n), SK: "book"},
		table.Key{PK: partition, SK: table.PadID(int64(n))}
}

func newShelf(t *testing.T) *shelf {
	t.Helper()
	store, err := sqlite.Open(filepath.Join(t.TempDir(), "table.db"), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	var writes []table.Write
	for n := 1; n <= books; n++ {
		key, index := bookKey(n)
		writes = append(writes, table.Set(table.Item{Key: key, Index1: index,
			Numbers: map[string]int64{"n": int64(n)}}))
	}
	if err := store.WriteAll(t.Context(), writes...); err != nil {
		t.Fatal(err)
	}
	s := &shelf{table: store}
	r := &api.Router{Auth: open{}, Log: slog.New(slog.NewTextHandler(io.Discard, nil))}
	list := func(descending bool, keep func(int64) bool) func(context.Context, api.PageIn) (api.List[int64],
		error) {
		return func(ctx context.Context, in api.PageIn) (api.List[int64], error) {
			ctx, meter := table.WithMeter(ctx)
			defer func() { s.costs = append(s.costs, meter.Cost()) }()
			counted := false
			listing := api.Listing[int64]{
				Query: table.Query{Index: table.Index1, PK: "a", Descending: descending},
				Also:  []string{"b", "c", "d", "empty"},
				Count: func(context.Context) (int64, error) {
					counted = true
					return int64(len(booksThat(keep))), nil
				},
				Item: func(item table.Item) (int64, error) { return item.Numbers["n"], nil },
			}
			if keep != nil {
				listing.Keep = func(item table.Item) (bool, error) {
					if !counted {
						t.Error("Keep is called before Count")
					}
					return keep(item.Numbers["n"]), nil
				}
			}
			return api.Paginate(ctx, s.table, in, listing)
		}
	}
	doc := api.Doc{Summary: "List", Public: true}
	api.Handle(r, "GET /all/", doc, list(false, nil))
	api.Handle(r, "GET /backwards/", doc, list(true, nil))
	api.Handle(r, "GET /few/", doc, list(false, few))
	api.Handle(r, "GET /late/", doc, list(true, late))
	api.Handle(r, "GET /none/", doc, list(false, func(int64) bool { return false }))
	server := httptest.NewServer(r)
	t.Cleanup(server.Close)
	s.Base = server.URL + api.Prefix + "/"
	return s
}

func few(n int64) bool  { return n%4 == 1 }
func late(n int64) bool { return n <= 60 }

// booksThat are those that keep does not leave out, in ascending order.
func booksThat(keep func(int64) bool) []int64 {
	var all []int64
	for n := int64(1); n <= books; n++ {
		if keep == nil || keep(n) {
			all = append(all, n)
		}
	}
	return all
}

// page is what a page shows.
func page(t *testing.T, a apitest.Answer) (numbers []int64) {
	t.Helper()
	results, ok := a.Fields["results"].([]any)
	if !ok {
		t.Fatalf("%d %s", a.Status, a.Body)
	}
	for _, v := range results {
		n, err := strconv.ParseInt(fmt.Sprint(v), 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		numbers = append(numbers, n)
	}
	return numbers
}

// TestPaginate walks lists forwards and back, and asks for each page by its number too.
func TestPaginate(t *testing.T) {
	s := newShelf(t)
	for _, test := range []struct {
		path     string
		keep     func(int64) bool
		backward bool
	}{{"all/", nil, false}, {"backwards/", nil, true}, {"few/", few, false}, {"late/", late, true}} {
		t.Run(test.path, func(t *testing.T) {
			want := booksThat(test.keep)
			if test.backward {
				slices.Reverse(want)
			}
			pages := slices.Collect(slices.Chunk(want, api.PageSize))
			address := test.path
			var last string
			for i, want := range pages {
				a := s.Want(t, 200, "GET", address, nil)
				if diff := cmp.Diff(want, page(t, a)); diff != "" {
					t.Fatalf("page %d (-want +got):\n%s", i+1, diff)
				}
				numbered := s.Want(t, 200, "GET", test.path+"?page="+strconv.Itoa(i+1), nil)
				if diff := cmp.Diff(a.Body, numbered.Body); diff != "" {
					t.Errorf("page %d by its number (-by next +got):\n%s", i+1, diff)
				}
				last, address = address, a.Text("next")
			}
			if address != "" {
				t.Errorf("the last page has a next one, %s", address)
			}
			for i, want := range slices.Backward(pages) {
				a := s.Want(t, 200, "GET", last, nil)
				if diff := cmp.Diff(want, page(t, a)); diff != "" {
					t.Fatalf("page %d on the way back (-want +got):\n%s", i+1, diff)
				}
				last = a.Text("previous")
			}
			if last != "" {
				t.Errorf("the first page has a previous one, %s", last)
			}
			s.WantError(t, 404, "not_found", "", "GET", test.path+"?page="+strconv.Itoa(len(pages)+1), nil)
		})
	}
}

// TestPaginateCost expects every page that is followed to by next to be read in one trip, from every
// partition once.
func TestPaginateCost(t *testing.T) {
	s := newShelf(t)
	for address := "all/"; address != ""; {
		address = s.Want(t, 200, "GET", address, nil).Text("next")
	}
	for i, cost := range s.costs {
		if cost.Trips != 1 || cost.Requests != 5 || cost.ReadUnits > s.costs[0].ReadUnits {
			t.Errorf("page %d cost %+v, the first %+v", i+1, cost, s.costs[0])
		}
	}
	s.costs = nil
	s.Want(t, 200, "GET", "all/?page=4", nil)
	if s.costs[0].Trips != 1 {
		t.Errorf("page 4 by its number took %d trips", s.costs[0].Trips)
	}
	s.Want(t, 200, "GET", "late/", nil)
	if s.costs[1].Trips > 3 {
		t.Errorf("a page behind 440 that are left out took %d trips", s.costs[1].Trips)
	}
}

func TestPaginateNothing(t *testing.T) {
	s := newShelf(t)
	a := s.Want(t, 200, "GET", "none/", nil)
	if want := `{"count":0,"next":null,"previous":null,"results":[]}`; a.Body != want {
		t.Errorf("%s, want %s", a.Body, want)
	}
	for _, query := range []string{
		"page=0", "page=-1", "page=x", "page=1.5", "page=999999999999999999999", "page=2&cursor=x",
		"cursor=n", "cursor=nAAAA", "cursor=q",
		"page=11", "page=1099511627776", "page=%ff", "cursor=%ff", "cursor=" + strings.Repeat("n", 5000),
	} {
		s.WantError(t, 404, "not_found", "", "GET", "all/?"+query, nil)
	}
}
