package counter

import (
	"fmt"
	"strconv"
	"strings"

	"frontdesk/shared/agent"
	"frontdesk/shared/table"
)

const (
	counters table.Prefix = "counter"

	// days begins the sort keys of daily counts, in the agent's partition.
	days table.SortPrefix = "day/"
)

// Key returns the key of one shard of an agent's total counts. All agents of a workspace share a partition.
func Key(account, agent int64, shard int) table.Key {
	return table.Key{PK: counters.Join(account), SK: fmt.Sprintf("%s%02d", KeyPrefix(agent), shard)}
}

// KeyPrefix begins the sort keys of an agent's total counts.
func KeyPrefix(agent int64) table.SortPrefix { return table.SortPrefix(table.PadID(agent) + "/") }

// ReadKey returns the agent of a Key.
func ReadKey(key table.Key) (agent int64, err error) {
	id, _, _ := strings.Cut(key.SK, "/")
	if agent, err = strconv.ParseInt(id, 10, 64); err != nil {
		return 0, fmt.Errorf("counter: %s %s is no key of counts: %w", key.PK, key.SK, err)
	}
	return agent, nil
}

// DayKey returns the key of one shard of an agent's counts of a date such as 2026-03-02.
func DayKey(account, agentID int64, date string, shard int) table.Key {
	sort := days.Join(fmt.Sprintf("%s/%02d", date, shard))
	return table.Key{PK: agent.Partition(account, agentID), SK: sort}
}

// ReadDayKey returns the date of a DayKey.
func ReadDayKey(key table.Key) (date string, err error) {
	date, _, ok := strings.Cut(strings.TrimPrefix(key.SK, string(days)), "/")
	if !ok {
		return "", fmt.Errorf("counter: %s %s is no key of a day's counts", key.PK, key.SK)
	}
	return date, nil
}
