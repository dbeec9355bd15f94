package widget

import (
	"strconv"

	"frontdesk/shared/table"
)

const visitors table.Prefix = "visitor"

// visitorKey is the key of the count of the requests that come to a widget in one minute, from one address or in one
// session.
func visitorKey(embed, who string, minute int64) table.Key {
	return table.Key{PK: visitors.Of(embed, who), SK: strconv.FormatInt(minute, 10)}
}
