package appointment

import (
	"time"

	"frontdesk/shared/agent"
	"frontdesk/shared/table"
)

const (
	appointments table.Prefix = "appointment"
	// lists begins the partitions of the indexes that list appointments.
	lists table.Prefix = "appointments"
	busy  table.Prefix = "busy"

	reserved table.SortPrefix = "reserved"
)

// Key returns the key of an appointment.
func Key(account, appointment int64) table.Key {
	return table.Key{PK: appointments.Join(account, appointment), SK: "appointment"}
}

// KeyByAgent returns the key in Index1, where an agent's appointments of a status are ordered by start and
// id.
func KeyByAgent(account, agent int64, status string, start time.Time, appointment int64) table.Key {
	return table.Key{PK: lists.Join(account, agent, status), SK: startKey(start, appointment)}
}

// KeyByAccount returns the key in Index2, where a workspace's appointments of a status are ordered by start
// and id.
func KeyByAccount(account int64, status string, start time.Time, appointment int64) table.Key {
	return table.Key{PK: lists.Join(account, status), SK: startKey(start, appointment)}
}

// startKey returns a sort key in the order of start times, whatever their UTC offsets. Years must have four
// digits.
func startKey(start time.Time, appointment int64) string {
	return BusyFrom(start) + "/" + table.PadID(appointment)
}

// BusyKey returns the key of an appointment's busy time. Appointments longer than a day are in a partition of
// their own, so that a query of the others need not begin far back.
func BusyKey(account, agent int64, long bool, start time.Time, appointment int64) table.Key {
	return table.Key{PK: BusyPartition(account, agent, long), SK: startKey(start, appointment)}
}

// BusyPartition returns the partition of BusyKey.
func BusyPartition(account, agent int64, long bool) string {
	if long {
		return busy.Join(account, agent, "long")
	}
	return busy.Join(account, agent)
}

// BusyFrom returns the lower bound of sort keys of BusyKey that start at or after start.
func BusyFrom(start time.Time) string { return start.UTC().Format(time.RFC3339) }

// ReservedKey returns the key of the item that each reservation of an agent's time replaces, so that
// concurrent ones conflict.
func ReservedKey(account, agentID int64) table.Key {
	return table.Key{PK: agent.Partition(account, agentID), SK: string(reserved)}
}
