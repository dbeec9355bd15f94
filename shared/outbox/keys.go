package outbox

import "frontdesk/shared/table"

const events table.Prefix = "outbox"

// KeyPrefix begins the partition keys of events. The filter of the change feed in template.yaml names it too.
const KeyPrefix = string(events) + "/"

// Key is the key of an event, which the dispatch function reads from the change feed.
func Key(account, event int64) table.Key {
	return table.Key{PK: events.Of(account, event), SK: "event"}
}
