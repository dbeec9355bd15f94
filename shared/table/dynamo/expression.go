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

// An expression gathers the names and values that the expressions of one request stand for. Names are always
// given apart, since DynamoDB reserves hundreds of words.
type expression struct {
	Names  map[string]string
	Values map[string]types.AttributeValue
}

// name returns what stands for the attribute.
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

// value returns what stands for the value.
func (e *expression) value(v types.AttributeValue) string {
	if e.Values == nil {
		e.Values = map[string]types.AttributeValue{}
	}
	short := ":" + strconv.Itoa(len(e.Values))
	e.Values[short] = v
	return short
}

// unexpired says that the item has not expired, which holds of no item too.
func (e *expression) unexpired(now time.Time) string {
	expires := e.name(layout.Expires)
	return "(attribute_not_exists(" + expires + ") OR " + expires + " > " + e.value(number(now.Unix())) + ")"
}

// absent says that there is no item, or that it has expired.
func (e *expression) absent(now time.Time) string {
	return "(attribute_not_exists(" + e.name(layout.PK) + ") OR " +
		e.name(layout.Expires) + " <= " + e.value(number(now.Unix())) + ")"
}

// exists says that there is an item.
func (e *expression) exists(now time.Time) string {
	return "attribute_exists(" + e.name(layout.PK) + ") AND " + e.unexpired(now)
}

// condition says what the If of a write asks for. It is empty for IfAny.
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

// bounds says that the numbers of an OpAdd keep its bounds when its amounts are added. It is empty without
// bounds.
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

// bound compares a number with a limit. An absent number is 0, of which the caller knows whether it will do.
func (e *expression) bound(name, compare string, limit int64, zeroWillDo bool) string {
	attribute := e.name(layout.NumberPrefix + name)
	comparison := attribute + compare + e.value(number(limit))
	if zeroWillDo {
		return "(attribute_not_exists(" + attribute + ") OR " + comparison + ")"
	}
	return comparison
}

// difference returns a-b, or what is nearest to it.
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
