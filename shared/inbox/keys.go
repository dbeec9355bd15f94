package inbox

import (
	"frontdesk/shared/channel"
	"frontdesk/shared/table"
)

const (
	lanes table.Prefix = "lane"
	seen  table.Prefix = "seen"

	// updatePrefix begins the sort keys of a lane's updates.
	updatePrefix table.SortPrefix = "update/"
)

// partition holds the updates of a lane, and who has it.
func (l Lane) partition() string { return lanes.Of(l.AccountID, l.AgentID, l.Channel, short(l.Person)) }

// lockKey tells that a worker has the lane.
func (l Lane) lockKey() table.Key { return table.Key{PK: l.partition(), SK: "lock"} }

// updateKey is an update of the lane.
func (l Lane) updateKey(id int64) table.Key {
	return table.Key{PK: l.partition(), SK: updatePrefix.Of(table.PadID(id))}
}

// seenKey tells that an update was stored.
func (l Lane) seenKey(u channel.Update) table.Key {
	return table.Key{PK: seen.Of(l.AccountID, l.AgentID, l.Channel, u.Kind, short(u.ID)), SK: "seen"}
}
