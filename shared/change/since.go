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
	// overlap is how far behind a cursor the feed is read again: ids are made a moment before they are
	// stored, on clocks that differ a little, and an index follows its table by some milliseconds.
	overlap = 5 * time.Second
	// lookBack is how far back the feed is read for a cursor that is ahead of the clock.
	lookBack = time.Hour
	// most is how many items of a partition one call reads.
	most = 500
)

// Changes are what changed in a workspace since a cursor, without repetition, in ascending order.
type Changes struct {
	Conversations []int64
	Appointments  []int64
	// Next is where the next call goes on.
	Next Cursor
}

// Begin is the cursor of who wants to know what changes from now on, in one trip.
func Begin(ctx context.Context, t table.Table, account int64, now time.Time) (Cursor, error) {
	changes, err := Since(ctx, t, account, Cursor{At: id.First(now)}, now)
	return changes.Next, err
}

// Since reads what changed since a cursor, in one trip mostly. Where there is more than one call reads, Next
// is before now, and the next call brings the rest. What a former call told of is repeated only where more
// was written within some seconds than a cursor holds, and where the clock was set back since: the changes of
// the last hour are told of then.
func Since(
	ctx context.Context, t table.Table, account int64, from Cursor, now time.Time,
) (Changes, error) {
	if from.At > id.First(now.Add(overlap)) {
		from = Cursor{At: id.First(now.Add(-lookBack)), Unread: from.Unread}
	}
	found, complete, err := read(ctx, t, account, behind(from.At))
	if err == nil && complete <= from.At { // more was written within the overlap than one read brings
		found, complete, err = read(ctx, t, account, from.At+1)
	}
	if err != nil {
		return Changes{}, err
	}
	found = slices.DeleteFunc(found, func(p place) bool { return p.at > complete })
	slices.SortFunc(found, func(a, b place) int { return cmp.Compare(a.at, b.at) })
	return from.follow(found, min(max(from.At, id.First(now)), complete)), nil
}

// read reads the feed of a workspace from an id on, and tells up to which id that is complete.
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

// behind is the id from which the feed is read for a cursor at an id.
func behind(at int64) int64 { return id.First(id.Time(at).Add(-overlap)) }

// A place is an entry of the feed with the id that it has there.
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

// follow tells what is new among the places that were found, in the order of their ids, when the next call
// goes on at an id.
func (c Cursor) follow(found []place, next int64) Changes {
	var changes Changes
	var seen []int64
	for _, p := range found {
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
	changes.Conversations = distinct(changes.Conversations)
	changes.Appointments = distinct(changes.Appointments)
	changes.Next = Cursor{At: next, Seen: seen[max(0, len(seen)-maxSeen):], Unread: c.Unread}
	return changes
}

// distinct returns the ids in ascending order, each once; none as an empty list.
func distinct(ids []int64) []int64 {
	slices.Sort(ids)
	return append([]int64{}, slices.Compact(ids)...)
}
