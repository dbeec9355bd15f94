package dynamo

import (
	"maps"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"frontdesk/shared/table"
	"frontdesk/shared/table/internal/layout"
)

// request converts a write to a part of a transaction.
func (t *Table) request(w table.Write, f layout.Form, now time.Time) types.TransactWriteItem {
	switch {
	case w.Op == table.OpCheck:
		return t.check(w, now)
	case w.Op == table.OpDelete:
		return t.delete(w, now)
	case w.Op == table.OpSet:
		return t.put(w, created(w, now), now)
	case f == layout.Create:
		w.If = table.IfAbsent
		return t.put(w, created(w, now), now)
	case w.Op == table.OpPut:
		return t.amendPut(w, now)
	}
	return t.amendAdd(w, now)
}

// created returns the item that the write stores if there is none.
func created(w table.Write, now time.Time) table.Item {
	item := w.Item
	item.Version = w.Made(now)
	if w.Op == table.OpAdd {
		item.Numbers = w.Add
	}
	return item
}

func (t *Table) check(w table.Write, now time.Time) types.TransactWriteItem {
	var e expression
	condition := e.condition(w, now)
	return types.TransactWriteItem{ConditionCheck: &types.ConditionCheck{
		TableName:                 &t.name,
		Key:                       marshalKey(w.Item.Key),
		ConditionExpression:       &condition,
		ExpressionAttributeNames:  e.Names,
		ExpressionAttributeValues: e.Values,
	}}
}

func (t *Table) delete(w table.Write, now time.Time) types.TransactWriteItem {
	var e expression
	condition := e.condition(w, now)
	return types.TransactWriteItem{Delete: &types.Delete{
		TableName:                 &t.name,
		Key:                       marshalKey(w.Item.Key),
		ConditionExpression:       orNil(condition),
		ExpressionAttributeNames:  e.Names,
		ExpressionAttributeValues: e.Values,
	}}
}

func (t *Table) put(w table.Write, item table.Item, now time.Time) types.TransactWriteItem {
	var e expression
	condition := e.condition(w, now)
	return types.TransactWriteItem{Put: &types.Put{
		TableName:                           &t.name,
		Item:                                Marshal(item),
		ConditionExpression:                 orNil(condition),
		ExpressionAttributeNames:            e.Names,
		ExpressionAttributeValues:           e.Values,
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	}}
}

// amendPut replaces an item except its numbers.
func (t *Table) amendPut(w table.Write, now time.Time) types.TransactWriteItem {
	var e expression
	condition := e.condition(w, now)
	version := e.name(layout.Version)
	before := version
	switch {
	case w.If != table.IfAny:
	case len(w.Item.Numbers) > 0:
		condition = e.exists(now) // a new item would need its numbers: the other form
	default:
		condition = e.unexpired(now)
		before = "if_not_exists(" + version + ", " + e.value(number(w.Made(now)-1)) + ")"
	}
	set := "SET " + version + " = " + before + " + " + e.value(number(1))
	remove := ""
	w.Item.Numbers = nil
	attributes := Marshal(w.Item)
	for _, attribute := range putAttributes {
		if value, ok := attributes[attribute]; ok {
			set += ", " + e.name(attribute) + " = " + e.value(value)
		} else if remove == "" {
			remove = " REMOVE " + e.name(attribute)
		} else {
			remove += ", " + e.name(attribute)
		}
	}
	return t.update(w.Item.Key, set+remove, condition, e)
}

// putAttributes are the attributes that a put sets, or removes if the item has no value.
var putAttributes = [...]string{
	layout.Doc, layout.Blob, layout.Expires,
	"g1pk", "g1sk", "g2pk", "g2sk", "g3pk", "g3sk", "g4pk", "g4sk",
}

// amendAdd adds to the numbers of an item, and creates the item in the same request if the write may.
func (t *Table) amendAdd(w table.Write, now time.Time) types.TransactWriteItem {
	var e expression
	condition := e.condition(w, now)
	if w.If == table.IfAny {
		condition = e.unexpired(now)
	}
	if bounds := e.bounds(w); bounds != "" {
		condition += " AND " + bounds
	}
	version := e.name(layout.Version)
	expr := "SET " + version + " = if_not_exists(" + version + ", " + e.value(number(w.Made(now))) + ")"
	if !w.Item.Expires.IsZero() {
		expr += ", " + e.name(layout.Expires) + " = " + e.value(number(w.Item.Expires.Unix()))
	}
	return t.update(w.Item.Key, expr+e.add(w.Add), condition, e)
}

// add returns the ADD clause of the amounts with a leading space, "" without amounts.
func (e *expression) add(amounts map[string]int64) string {
	clause := ""
	for _, name := range slices.Sorted(maps.Keys(amounts)) {
		if clause == "" {
			clause = " ADD "
		} else {
			clause += ", "
		}
		clause += e.name(layout.NumberPrefix+name) + " " + e.value(number(amounts[name]))
	}
	return clause
}

func (t *Table) update(key table.Key, update, condition string, e expression) types.TransactWriteItem {
	return types.TransactWriteItem{Update: &types.Update{
		TableName:                           &t.name,
		Key:                                 marshalKey(key),
		UpdateExpression:                    &update,
		ConditionExpression:                 &condition,
		ExpressionAttributeNames:            e.Names,
		ExpressionAttributeValues:           e.Values,
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	}}
}

// orNil returns nil for the empty expression, which DynamoDB refuses.
func orNil(expression string) *string {
	if expression == "" {
		return nil
	}
	return aws.String(expression)
}
