package appointment

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"frontdesk/shared/table"
)

// A Busy is the time that a pending or confirmed appointment takes. It is stored beside the appointment, in
// an item of its own, and changes in the same transaction: so whoever looks for free times reads those of
// some days in one query that lacks nothing, which the indexes of the appointments cannot promise.
type Busy struct {
	ID        int64     `json:"id"` // the appointment's
	ContactID int64     `json:"contact_id"`
	Title     string    `json:"title"`
	Start     time.Time `json:"start"`
	End       time.Time `json:"end"`
}

// shortest bounds the appointments whose times lie together: whoever reads a period begins so much earlier.
const shortest = 24 * time.Hour

// open reports whether the appointment takes time.
func (a *Appointment) open() bool { return a != nil && !a.Status.Final() }

func (a *Appointment) busyItem(account int64) (table.Item, error) {
	doc, err := json.Marshal(Busy{a.ID, a.ContactID, a.Title, a.StartTime, a.EndTime})
	long := a.EndTime.Sub(a.StartTime) > shortest
	return table.Item{Key: BusyKey(account, a.AgentID, long, a.StartTime, a.ID), Doc: doc}, err
}

// busyWrites bring the time that an appointment takes from what it was before to what it is after; nil is
// none.
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

// Busy reads the times that appointments take from an agent between two moments, by their start, in one trip.
// It sees every appointment that was made before. What it returns may begin before from and end after to.
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

// Reserve is the write that makes of those who reserve a time of one agent at the same moment all but one
// fail. Read is the item under ReservedKey, the zero Item where there is none, and must have been read before
// the times with Busy: then the transaction succeeds only if nobody reserved anything since. It does not look
// at the times themselves, and those who make appointments without it are not held up.
func Reserve(account, agent int64, read table.Item) table.Write {
	item := table.Item{Key: ReservedKey(account, agent), Version: read.Version}
	if read.Version == 0 {
		return table.PutIfAbsent(item)
	}
	return table.PutIfVersion(item)
}
