package inbox

import (
	"time"

	"frontdesk/shared/channel"
	"frontdesk/shared/table"
)

const (
	lanes table.Prefix = "lane"
	seen  table.Prefix = "seen"

	// updatePrefix begins the sort keys of a lane's updates.
	updatePrefix table.SortPrefix = "update/"
)

// KeyPrefix begins the partition keys of lanes. The filter of the change feed in template.yaml names it too.
const KeyPrefix = string(lanes) + "/"

// partition returns the partition of a lane's updates and lock.
func (l Lane) partition() string {
	return lanes.Join(l.AccountID, l.AgentID, l.Channel, short(l.Person))
}

// lockKey returns the key of the lane's Hold.
func (l Lane) lockKey() table.Key { return table.Key{PK: l.partition(), SK: "lock"} }

// counted is the name of the number of messages in an item under hourKey.
const counted = "messages"

// hourKey returns the key of the message counter of an hour.
func (l Lane) hourKey(at time.Time) table.Key {
	return table.Key{PK: l.partition(), SK: "hour/" + at.Format("2006-01-02T15")}
}

// updateKey returns the key of an update of the lane.
func (l Lane) updateKey(id int64) table.Key {
	return table.Key{PK: l.partition(), SK: updatePrefix.Join(table.PadID(id))}
}

// seenKey returns the key of the record that an update was stored.
func (l Lane) seenKey(u channel.Update) table.Key {
	return table.Key{PK: seen.Join(l.AccountID, l.AgentID, l.Channel, u.Kind, short(u.ID)), SK: "seen"}
}
