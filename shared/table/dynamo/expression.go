package dynamo

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"frontdesk/shared/table"
	"frontdesk/shared/table/internal/layout"
)

// An expression collects the placeholders of a request's expressions. All names are replaced, since DynamoDB
// reserves hundreds of words.
type expression struct {
	Names  map[string]string
	Values map[string]types.AttributeValue
}

// name returns the placeholder of an attribute name.
func (e *expression) name(attribute string) string {
	for short, long := range e.Names {
		if long == attribute {
			return short
		}
	}
	if e.Names == nil {
		e.Names = map[string]string{}
	}
	short := "#" + strconv.Itoa(len(e.Names))
	e.Names[short] = attribute
	return short
}

// value returns the placeholder of a value.
func (e *expression) value(v types.AttributeValue) string {
	if e.Values == nil {
		e.Values = map[string]types.AttributeValue{}
	}
	short := ":" + strconv.Itoa(len(e.Values))
	e.Values[short] = v
	return short
}

// unexpired returns the condition that the item has not expired. It also holds if there is no item.
func (e *expression) unexpired(now time.Time) string {
	expires := e.name(layout.Expires)
	return "(attribute_not_exists(" + expires + ") OR " + expires + " > " + e.value(number(now.Unix())) + ")"
}

// absent returns the condition that there is no item, or an expired one.
func (e *expression) absent(now time.Time) string {
	return "(attribute_not_exists(" + e.name(layout.PK) + ") OR " +
		e.name(layout.Expires) + " <= " + e.value(number(now.Unix())) + ")"
}

// exists returns the condition that there is an item.
func (e *expression) exists(now time.Time) string {
	return "attribute_exists(" + e.name(layout.PK) + ") AND " + e.unexpired(now)
}

// condition returns the condition of a write's If, "" for IfAny.
func (e *expression) condition(w table.Write, now time.Time) string {
	switch w.If {
	case table.IfAbsent:
		return e.absent(now)
	case table.IfExists:
		return e.exists(now)
	case table.IfVersion:
		return e.name(layout.Version) + " = " + e.value(number(w.Item.Version)) + " AND " + e.unexpired(now)
	}
	return ""
}

// bounds returns the condition that an OpAdd's sums keep their bounds, "" without bounds. DynamoDB cannot
// compare a sum, so the bounds are reduced by the amounts.
func (e *expression) bounds(w table.Write) string {
	var all []string
	for name, max := range w.AtMost {
		all = append(all, e.bound(name, " <= ", difference(max, w.Add[name]), w.Add[name] <= max))
	}
	for name, min := range w.AtLeast {
		all = append(all, e.bound(name, " >= ", difference(min, w.Add[name]), w.Add[name] >= min))
	}
	return strings.Join(all, " AND ")
}

// bound compares a number with a limit. zeroWillDo is set if a missing number, which is 0, satisfies it.
func (e *expression) bound(name, compare string, limit int64, zeroWillDo bool) string {
	attribute := e.name(layout.NumberPrefix + name)
	comparison := attribute + compare + e.value(number(limit))
	if zeroWillDo {
		return "(attribute_not_exists(" + attribute + ") OR " + comparison + ")"
	}
	return comparison
}

// difference returns a-b, saturated at the range of int64.
func difference(a, b int64) int64 {
	d := a - b
	switch {
	case b < 0 && d < a:
		return math.MaxInt64
	case b > 0 && d > a:
		return math.MinInt64
	}
	return d
}
