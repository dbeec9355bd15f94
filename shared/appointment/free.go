package appointment

import (
	"context"
	"errors"
	"slices"
	"time"

	"frontdesk/shared/fault"
	"frontdesk/shared/table"
)

// A Reservation keeps a time from being given twice: it is begun before the times are read.
type Reservation struct {
	store          *Store
	account, agent int64
	read           table.Item
}

// Reserving begins a reservation of a time of an agent.
func (s *Store) Reserving(ctx context.Context, account, agent int64) (Reservation, error) {
	item, err := s.Table.Get(ctx, ReservedKey(account, agent))
	if errors.Is(err, table.ErrNotFound) {
		item, err = table.Item{}, nil
	}
	return Reservation{s, account, agent, item}, err
}

// Take returns the write that makes all but one of those fail who take a time at the same moment. The error
// is unprocessable where another appointment than a takes some of the time already.
func (r Reservation) Take(ctx context.Context, a Appointment) (table.Write, error) {
	busy, err := r.store.Busy(ctx, r.account, r.agent, a.StartTime, a.EndTime)
	if err != nil {
		return table.Write{}, err
	}
	i := slices.IndexFunc(busy, func(b Busy) bool {
		return b.ID != a.ID && b.Start.Before(a.EndTime) && a.StartTime.Before(b.End)
	})
	if i >= 0 {
		return table.Write{}, fault.New(fault.Unprocessable, "From %s to %s the time is taken by %q.",
			busy[i].Start.Format(time.RFC3339), busy[i].End.Format(time.RFC3339), busy[i].Title)
	}
	return Reserve(r.account, r.agent, r.read), nil
}
