package appointment

import (
	"time"

	"frontdesk/shared/agent"
	"frontdesk/shared/table"
)

const (
	appointments table.Prefix = "appointment"
	// lists begins the partitions of the indexes that appointments are listed by.
	lists table.Prefix = "appointments"
	busy  table.Prefix = "busy"

	reserved table.SortPrefix = "reserved"
)

// Key is the key of an appointment.
func Key(account, appointment int64) table.Key {
	return table.Key{PK: appointments.Of(account, appointment), SK: "appointment"}
}

// KeyByAgent is where an agent's appointments of one status are listed, in Index1: by their start, and by
// their ids where they start together.
func KeyByAgent(account, agent int64, status string, start time.Time, appointment int64) table.Key {
	return table.Key{PK: lists.Of(account, agent, status), SK: startKey(start, appointment)}
}

// KeyByAccount is where a workspace's appointments of one status are listed, in Index2.
func KeyByAccount(account int64, status string, start time.Time, appointment int64) table.Key {
	return table.Key{PK: lists.Of(account, status), SK: startKey(start, appointment)}
}

// startKey sorts times, of years of four digits, whatever their offsets from UTC.
func startKey(start time.Time, appointment int64) string {
	return BusyFrom(start) + "/" + table.PadID(appointment)
}

// BusyKey is the key of the time that an appointment takes from an agent, for as long as it is to take place.
// Those that last longer than a day are apart, so that a search for the others need not look far back.
func BusyKey(account, agent int64, long bool, start time.Time, appointment int64) table.Key {
	return table.Key{PK: BusyPartition(account, agent, long), SK: startKey(start, appointment)}
}

// BusyPartition holds the times of BusyKey.
func BusyPartition(account, agent int64, long bool) string {
	if long {
		return busy.Of(account, agent, "long")
	}
	return busy.Of(account, agent)
}

// BusyFrom bounds sort keys of BusyKey: those that start earlier sort before it, the others behind it.
func BusyFrom(start time.Time) string { return start.UTC().Format(time.RFC3339) }

// ReservedKey is the key of the item that every reservation of a time of an agent replaces, so that one of
// two concurrent ones fails.
func ReservedKey(account, agentID int64) table.Key {
	return table.Key{PK: agent.Partition(account, agentID), SK: string(reserved)}
}
