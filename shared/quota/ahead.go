package quota

import (
	"context"
	"errors"

	"frontdesk/shared/auth"
	"frontdesk/shared/table"
)

// CountAhead counts the message of a turn, and its reply if replies is set, once in a turn. What a limit does
// not allow is not counted: NetworkRefused and ReplyRefused report it. It does nothing unless the reservation
// is Ahead.
func (m *Meter) CountAhead(ctx context.Context, replies bool) error {
	r := m.Reservation
	var reply, visit use
	// The updates are not cancelled if another read of the turn fails, so that GiveBack knows their outcome.
	ctx = table.Alone(context.WithoutCancel(ctx))
	err := table.Parallel(ctx, func(ctx context.Context) (err error) {
		if replies && r.Ahead && !r.askedReply && m.Plan.Replies > 0 {
			reply, err = m.countReply(ctx)
		}
		return err
	}, func(ctx context.Context) (err error) {
		if r.Ahead && !r.askedVisits && m.Network != "" {
			visit, err = m.countVisit(ctx, replies)
		}
		return err
	})
	if u := reply.plus(visit); u != (use{}) {
		r.add(m, u)
	}
	return err
}

func (m *Meter) countReply(ctx context.Context) (use, error) {
	item, counted, err := m.update(ctx, m.Account.CountReply(m.Plan, m.Now, 0))
	if err != nil {
		return use{}, err
	}
	m.Reservation.used, m.Reservation.askedReply = auth.Used(item), true
	if !counted {
		return use{}, nil
	}
	return use{replies: 1}, nil
}

// countVisit counts the message without its reply if the network has no AI reply left: it is stored for a
// person.
func (m *Meter) countVisit(ctx context.Context, replies bool) (use, error) {
	visit := auth.Visits{Messages: 1}
	if m.NewSession {
		visit.Sessions = 1
	}
	if m.Plan.Visitor.Replies > 0 && replies {
		visit.Replies = 1
	}
	for {
		item, counted, err := m.update(ctx, m.Account.CountVisits(m.Plan, m.Network, m.Now, visit))
		if err != nil {
			return use{}, err
		}
		m.visits = auth.VisitsIn(item, m.Now)
		if !counted && visit.Replies > 0 && !m.NetworkRefused() {
			visit.Replies = 0
			continue
		}
		m.Reservation.visits, m.Reservation.askedVisits = m.visits, true
		if !counted {
			return use{}, nil
		}
		return use{visits: visit}, nil
	}
}

// update executes a write that counts, by itself, and returns the item after it. counted is false if a limit
// does not allow it.
func (m *Meter) update(ctx context.Context, w table.Write) (item table.Item, counted bool, err error) {
	item, err = m.Table.Update(ctx, table.Update{Key: w.Item.Key, Add: w.Add, AtMost: w.AtMost})
	switch {
	case table.IsConditionError(err):
		return item, false, nil
	case !errors.Is(err, table.ErrNotFound):
		return item, err == nil, err
	}
	// The first write of a period creates the item.
	err = m.Table.Transact(ctx, w)
	if table.IsConditionError(err) {
		item, err = m.Table.Get(ctx, w.Item.Key)
		return item, false, err
	}
	return table.Item{Key: w.Item.Key, Numbers: w.Add}, err == nil, err
}
