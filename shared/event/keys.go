package event

import "frontdesk/shared/table"

const outbox table.Prefix = "outbox"

// KeyPrefix begins the partition keys of events. The change feed's filter in template.yaml has it too.
const KeyPrefix = string(outbox) + "/"

// Key returns the key of an event.
func Key(account, event int64) table.Key {
	return table.Key{PK: outbox.Join(account, event), SK: "event"}
}
