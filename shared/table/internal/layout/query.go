package layout

import (
	"context"
	"errors"
	"fmt"
	"time"
	"unicode/utf8"

	"frontdesk/shared/table"
)

// PageSize is the limit of bytes that one request of a query reads.
const PageSize = 1 << 20

// Collect makes requests until a query is answered. page reads on from q.After, at most q.Limit items unless
// that is 0, and reports whether there may be more. Collect leaves out expired items.
func Collect(
	ctx context.Context, q table.Query, now time.Time,
	page func(context.Context, table.Query) (items []table.Item, more bool, err error),
) (table.Page, error) {
	possible, err := checkQuery(q)
	if err != nil || !possible {
		return table.Page{}, err
	}
	var answer table.Page
	rest := q
	for {
		if q.Limit > 0 {
			rest.Limit = q.Limit - len(answer.Items)
		}
		items, more, err := page(ctx, rest)
		if err != nil {
			return table.Page{}, err
		}
		for _, item := range items {
			if !Expired(item, now) {
				answer.Items = append(answer.Items, item)
			}
		}
		if !more || len(items) == 0 {
			return answer, nil
		}
		rest.After = table.Cursor(q.Index, items[len(items)-1])
		if q.Limit > 0 && len(answer.Items) >= q.Limit {
			answer.Next = rest.After
			return answer, nil
		}
	}
}

// checkQuery reports whether the query can have any items. It returns an error for an invalid query.
func checkQuery(q table.Query) (possibly bool, err error) {
	if q.Prefix != "" && (q.From != "" || q.To != "") {
		return false, errors.New("table: a query has both a prefix and bounds")
	}
	for _, bound := range []string{q.From, q.To} {
		if len(bound) > table.MaxSortKey || !utf8.ValidString(bound) {
			return false, fmt.Errorf("table: a bound of a query is longer than %d bytes or no text in UTF-8",
				table.MaxSortKey)
		}
	}
	if !possible(q.PK, table.MaxPartitionKey) || q.Prefix != "" &&
		!possible(string(q.Prefix), table.MaxSortKey) {
		return false, nil
	}
	if q.To != "" && q.From > q.To {
		return false, nil
	}
	if q.After == "" {
		return true, nil
	}
	sk, _, err := q.Start()
	if err != nil {
		return false, err
	}
	end := q.To
	if q.Descending {
		end = q.From
	}
	// DynamoDB refuses a cursor at the end of the bounds, except in an index, where several items may have
	// the sort key.
	return q.Index != table.Primary || sk != end, nil
}
