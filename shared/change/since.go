package change

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"time"

	"frontdesk/shared/id"
	"frontdesk/shared/table"
)

const (
	// overlap is the part of the feed before a cursor that is read again: ids are created shortly before
	// they are stored, by clocks that differ slightly, and an index lags behind its table.
	overlap = 5 * time.Second
	// lookBack is the part of the feed that is read again for a cursor ahead of the clock.
	lookBack = time.Hour
	// most is the limit of entries read of a partition by one call.
	most = 500
)

// Changes are the ids of what changed since a cursor, ascending and without duplicates.
type Changes struct {
	Conversations []int64
	Appointments  []int64
	// Present is who reported lately to be at a conversation or to have left it, one Presence of each person
	// there. It is a state: the same may be returned again.
	Present []Presence
	// Next is the cursor for the next call.
	Next Cursor
}

// Begin returns a cursor for changes from now on, in one round trip.
func Begin(ctx context.Context, t table.Table, account int64, now time.Time) (Cursor, error) {
	changes, err := Since(ctx, t, account, Cursor{At: id.First(now)}, now)
	return changes.Next, err
}

// Since reads what changed since a cursor, usually in one round trip. If there is more than one call reads,
// Next is before now, and the next call returns the rest. An entry is reported again only if a cursor cannot
// hold all entries of a few seconds, or if the clock was set back; then the changes of the last hour are
// reported again.
func Since(
	ctx context.Context, t table.Table, account int64, from Cursor, now time.Time,
) (Changes, error) {
	if from.At > id.First(now.Add(overlap)) {
		from = Cursor{At: id.First(now.Add(-lookBack)), Unread: from.Unread}
	}
	found, complete, err := read(ctx, t, account, behind(from.At))
	if err == nil && complete <= from.At { // the overlap has more than one read returns
		found, complete, err = read(ctx, t, account, from.At+1)
	}
	if err != nil {
		return Changes{}, err
	}
	found = slices.DeleteFunc(found, func(p place) bool { return p.at > complete })
	slices.SortFunc(found, func(a, b place) int { return cmp.Compare(a.at, b.at) })
	return from.follow(found, min(max(from.At, id.First(now)), complete)), nil
}

// read reads the feed from an id on, and returns the id up to which the result is complete.
func read(
	ctx context.Context, t table.Table, account, from int64,
) (found []place, complete int64, err error) {
	pages := make([]table.Page, shards)
	reads := make([]func(context.Context) error, shards)
	for i := range shards {
		q := table.Query{Index: table.Index1, PK: partition(account, int64(i)), Limit: most}
		q.From = table.PadID(from)
		reads[i] = func(ctx context.Context) (err error) {
			pages[i], err = t.Query(ctx, q)
			return err
		}
	}
	if err := table.Parallel(ctx, reads...); err != nil {
		return nil, 0, err
	}
	complete = id.Max
	for _, page := range pages {
		for _, item := range page.Items {
			p, err := placeOf(item)
			if err != nil {
				return nil, 0, err
			}
			found = append(found, p)
		}
		if len(page.Items) == most {
			complete = min(complete, found[len(found)-1].at)
		}
	}
	return found, complete, nil
}

// behind returns the id from which the feed is read for a cursor at an id.
func behind(at int64) int64 { return id.First(id.Time(at).Add(-overlap)) }

// A place is a feed entry with its id.
type place struct {
	entry
	at int64
}

func placeOf(item table.Item) (place, error) {
	e, err := readEntry(item)
	if err != nil {
		return place{}, err
	}
	at, err := strconv.ParseInt(item.Index1.SK, 10, 64)
	return place{e, at}, err
}

// presence returns the Presence of an entry that has one.
func (p place) presence() Presence {
	return Presence{p.ConversationID, p.at, p.Present.Who, p.Present.Activity}
}

// follow returns what is new among the entries found, which are in the order of ids. next is the position of
// the next cursor.
func (c Cursor) follow(found []place, next int64) Changes {
	var changes Changes
	var seen []int64
	said := map[int64]int64{} // when the visitor of a conversation last sent a message
	for _, p := range found {
		if p.Present != nil {
			changes.Present = append(changes.Present, p.presence())
			continue
		}
		if p.Direction == inbound {
			said[p.ConversationID] = p.at
		}
		if p.at >= behind(next) {
			seen = append(seen, p.at)
		}
		if _, known := slices.BinarySearch(c.Seen, p.at); known {
			continue
		}
		if p.ConversationID != 0 {
			changes.Conversations = append(changes.Conversations, p.ConversationID)
		} else {
			changes.Appointments = append(changes.Appointments, p.AppointmentID)
		}
	}
	for i, p := range changes.Present {
		if p.Visitor && said[p.ConversationID] > p.At {
			changes.Present[i].Activity = Left
		}
	}
	changes.Conversations = distinct(changes.Conversations)
	changes.Appointments = distinct(changes.Appointments)
	changes.Next = Cursor{At: next, Seen: seen[max(0, len(seen)-maxSeen):], Unread: c.Unread}
	return changes
}

// distinct sorts the ids and removes duplicates. Its result is never nil.
func distinct(ids []int64) []int64 {
	slices.Sort(ids)
	return append([]int64{}, slices.Compact(ids)...)
}
