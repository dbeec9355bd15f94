package event

import "frontdesk/shared/table"

const outbox table.Prefix = "outbox"

// KeyPrefix begins the partition keys of events. The filter of the change feed in template.yaml names it too.
const KeyPrefix = string(outbox) + "/"

// Key is the key of an event.
func Key(account, event int64) table.Key {
	return table.Key{PK: outbox.Of(account, event), SK: "event"}
}
