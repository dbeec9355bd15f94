package appointment

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"frontdesk/shared/table"
)

// A Busy is the time of a pending or confirmed appointment. It is a separate item, written in the
// appointment's transaction, so that one strongly consistent query returns the busy times of a period. An
// index could not.
type Busy struct {
	ID        int64     `json:"id"` // of the appointment
	ContactID int64     `json:"contact_id"`
	Title     string    `json:"title"`
	Start     time.Time `json:"start"`
	End       time.Time `json:"end"`
}

// shortest is the duration up to which busy times share a partition: a query of a period begins that much
// earlier.
const shortest = 24 * time.Hour

// open reports whether the appointment takes time.
func (a *Appointment) open() bool { return a != nil && !a.Status.Final() }

func (a *Appointment) busyItem(account int64) (table.Item, error) {
	doc, err := json.Marshal(Busy{a.ID, a.ContactID, a.Title, a.StartTime, a.EndTime})
	long := a.EndTime.Sub(a.StartTime) > shortest
	return table.Item{Key: BusyKey(account, a.AgentID, long, a.StartTime, a.ID), Doc: doc}, err
}

// busyWrites returns the writes that update the busy time when before becomes after; nil means none.
func busyWrites(account int64, before, after *Appointment) ([]table.Write, error) {
	var old, made table.Item
	var err error
	if before.open() {
		if old, err = before.busyItem(account); err != nil {
			return nil, err
		}
	}
	if after.open() {
		if made, err = after.busyItem(account); err != nil {
			return nil, err
		}
	}
	var writes []table.Write
	if old.Key != made.Key && before.open() {
		writes = append(writes, table.Delete(old.Key))
	}
	if after.open() && (old.Key != made.Key || string(old.Doc) != string(made.Doc)) {
		writes = append(writes, table.Put(made))
	}
	return writes, nil
}

// Busy returns the busy times of an agent that overlap the period, by start, in one round trip. It sees all
// appointments written before. The results may begin before from and end after to.
func (s *Store) Busy(ctx context.Context, account, agent int64, from, to time.Time) ([]Busy, error) {
	var short, long []Busy
	err := table.Parallel(ctx, func(ctx context.Context) (err error) {
		short, err = s.busy(ctx, BusyPartition(account, agent, false), from.Add(-shortest), to)
		return err
	}, func(ctx context.Context) (err error) {
		long, err = s.busy(ctx, BusyPartition(account, agent, true), from.Add(-maxLength), to)
		return err
	})
	if err != nil {
		return nil, err
	}
	all := slices.DeleteFunc(append(short, long...), func(b Busy) bool { return !b.End.After(from) })
	slices.SortFunc(all, func(a, b Busy) int { return a.Start.Compare(b.Start) })
	return all, nil
}

func (s *Store) busy(ctx context.Context, partition string, from, to time.Time) ([]Busy, error) {
	page, err := s.Table.Query(ctx, table.Query{PK: partition, From: BusyFrom(from), To: BusyFrom(to)})
	if err != nil {
		return nil, err
	}
	all := make([]Busy, len(page.Items))
	for i, item := range page.Items {
		if err := json.Unmarshal(item.Doc, &all[i]); err != nil {
			return nil, fmt.Errorf("appointment: %s %s: %w", item.PK, item.SK, err)
		}
	}
	return all, nil
}

// Reserve returns a write of which only one of several concurrent reservations of an agent succeeds. read is
// the item under ReservedKey, or the zero Item, and must be read before Busy: then the transaction succeeds
// only if nothing was reserved since. It does not check the times, and does not affect appointments that are
// made without it.
func Reserve(account, agent int64, read table.Item) table.Write {
	item := table.Item{Key: ReservedKey(account, agent), Version: read.Version}
	if read.Version == 0 {
		return table.PutIfAbsent(item)
	}
	return table.PutIfVersion(item)
}
