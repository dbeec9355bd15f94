// Package dynamo implements table.Table with Amazon DynamoDB.
package dynamo

import (
	"context"
	"errors"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"frontdesk/shared/table"
	"frontdesk/shared/table/internal/layout"
)

// Table implements table.Table with one DynamoDB table that has the keys and indexes of package schema. The
// Meter gets the consumed capacity that DynamoDB reports, which is none for failed calls.
type Table struct {
	client *dynamodb.Client
	name   string
	now    func() time.Time
}

var _ table.Table = (*Table)(nil)

// New returns the Table with that name. now is the clock for expiry. It makes no request.
func New(client *dynamodb.Client, name string, now func() time.Time) *Table {
	return &Table{client: client, name: name, now: now}
}

// Get implements table.Table.
func (t *Table) Get(ctx context.Context, key table.Key) (table.Item, error) {
	if !layout.Possible(key) {
		return table.Item{}, table.ErrNotFound
	}
	out, err := t.client.GetItem(ctx, &dynamodb.GetItemInput{
		TableName:              &t.name,
		Key:                    marshalKey(key),
		ConsistentRead:         aws.Bool(true),
		ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	})
	if err != nil {
		table.Count(ctx, 0, 0)
		return table.Item{}, failure(err)
	}
	table.Count(ctx, units(out.ConsumedCapacity), 0)
	if len(out.Item) == 0 {
		return table.Item{}, table.ErrNotFound
	}
	item, err := Unmarshal(out.Item)
	if err != nil {
		return table.Item{}, err
	}
	if layout.Expired(item, t.now()) {
		return table.Item{}, table.ErrNotFound
	}
	return item, nil
}

// Query implements table.Table.
func (t *Table) Query(ctx context.Context, q table.Query) (table.Page, error) {
	return layout.Collect(ctx, q, t.now(), t.queryOnce)
}

// queryOnce makes one request of a query.
func (t *Table) queryOnce(ctx context.Context, q table.Query) ([]table.Item, bool, error) {
	var e expression
	condition := e.name(layout.IndexPK(q.Index)) + " = " + e.value(text(q.PK))
	if bounds := e.sortKeys(q); bounds != "" {
		condition += " AND " + bounds
	}
	in := &dynamodb.QueryInput{
		TableName:                 &t.name,
		KeyConditionExpression:    &condition,
		ExpressionAttributeNames:  e.Names,
		ExpressionAttributeValues: e.Values,
		ScanIndexForward:          aws.Bool(!q.Descending),
		ConsistentRead:            aws.Bool(q.Index == table.Primary && !q.Stale),
		ReturnConsumedCapacity:    types.ReturnConsumedCapacityTotal,
	}
	if q.Index != table.Primary {
		in.IndexName = aws.String(layout.IndexName(q.Index))
	}
	if q.Limit > 0 {
		in.Limit = aws.Int32(int32(min(q.Limit, maxLimit)))
	}
	if q.After != "" {
		start, err := startKey(q)
		if err != nil {
			return nil, false, err
		}
		in.ExclusiveStartKey = start
	}
	out, err := t.client.Query(ctx, in)
	if err != nil {
		table.Count(ctx, 0, 0)
		return nil, false, failure(err)
	}
	table.Count(ctx, units(out.ConsumedCapacity), 0)
	items := make([]table.Item, len(out.Items))
	for i, attributes := range out.Items {
		if items[i], err = Unmarshal(attributes); err != nil {
			return nil, false, err
		}
	}
	return items, len(out.LastEvaluatedKey) > 0, nil
}

// maxLimit is more than the number of items that one request can return.
const maxLimit = layout.PageSize

// sortKeys returns the part of the key condition for the query's bounds, "" without bounds.
func (e *expression) sortKeys(q table.Query) string {
	sk := layout.IndexSK(q.Index)
	switch {
	case q.Prefix != "":
		return "begins_with(" + e.name(sk) + ", " + e.value(text(string(q.Prefix))) + ")"
	case q.From != "" && q.To != "":
		return e.name(sk) + " BETWEEN " + e.value(text(q.From)) + " AND " + e.value(text(q.To))
	case q.From != "":
		return e.name(sk) + " >= " + e.value(text(q.From))
	case q.To != "":
		return e.name(sk) + " <= " + e.value(text(q.To))
	}
	return ""
}

// startKey converts the query's cursor to an ExclusiveStartKey.
func startKey(q table.Query) (map[string]types.AttributeValue, error) {
	sk, base, err := q.Start()
	if err != nil {
		return nil, err
	}
	if q.Index == table.Primary {
		return marshalKey(table.Key{PK: q.PK, SK: sk}), nil
	}
	start := marshalKey(base)
	start[layout.IndexPK(q.Index)] = text(q.PK)
	start[layout.IndexSK(q.Index)] = text(sk)
	return start, nil
}

// Update implements table.Table. The SDK repeats a request whose response is lost, so amounts may be added
// twice.
func (t *Table) Update(ctx context.Context, u table.Update) (table.Item, error) {
	if err := layout.CheckUpdate(u); err != nil {
		return table.Item{}, err
	}
	if !layout.Possible(u.Key) {
		return table.Item{}, table.ErrNotFound
	}
	var item table.Item
	err := t.retry(ctx, func() (err error) {
		item, err = t.updateOnce(ctx, u)
		return err
	})
	return item, err
}

func (t *Table) updateOnce(ctx context.Context, u table.Update) (table.Item, error) {
	var e expression
	condition := e.exists(t.now())
	if bounds := e.bounds(table.Write{Add: u.Add, AtMost: u.AtMost}); bounds != "" {
		condition += " AND " + bounds
	}
	update := e.add(u.Add)
	for i, name := range u.Remove {
		if i == 0 {
			update += " REMOVE "
		} else {
			update += ", "
		}
		update += e.name(layout.NumberPrefix + name)
	}
	out, err := t.client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName:                           &t.name,
		Key:                                 marshalKey(u.Key),
		UpdateExpression:                    orNil(update),
		ConditionExpression:                 &condition,
		ExpressionAttributeNames:            e.Names,
		ExpressionAttributeValues:           e.Values,
		ReturnValues:                        types.ReturnValueAllNew,
		ReturnConsumedCapacity:              types.ReturnConsumedCapacityTotal,
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	})
	if err != nil {
		table.Count(ctx, 0, 0)
		var failed *types.ConditionalCheckFailedException
		if !errors.As(err, &failed) {
			return table.Item{}, failure(err)
		}
		// The failed condition returns the item, which distinguishes a missing one from an exceeded bound.
		item, err := t.live(failed.Item)
		switch {
		case err != nil:
			return table.Item{}, err
		case item.PK == "":
			return table.Item{}, table.ErrNotFound
		}
		return item, &table.ConditionError{}
	}
	table.Count(ctx, 0, units(out.ConsumedCapacity))
	return Unmarshal(out.Attributes)
}

// units returns the capacity units of a response.
func units(c *types.ConsumedCapacity) float64 {
	if c == nil {
		return 0
	}
	return aws.ToFloat64(c.CapacityUnits)
}
