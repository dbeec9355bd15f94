package appointment

import (
	"bytes"
	"context"
	"errors"
	"time"

	"frontdesk/shared/agent"
	"frontdesk/shared/change"
	"frontdesk/shared/contact"
	"frontdesk/shared/counter"
	"frontdesk/shared/event"
	"frontdesk/shared/fault"
	"frontdesk/shared/id"
	"frontdesk/shared/table"
)

// ErrNotFound says that the workspace has no such appointment, or that its agent was deleted. It is the API's
// not_found fault, so handlers return it unchanged.
var ErrNotFound error = fault.NotFound()

// A Store stores appointments. It is safe for concurrent use.
type Store struct {
	Table table.Table
	Now   func() time.Time
	IDs   *id.Source // for all methods that write
}

// Load reads an appointment in one round trip. It returns ErrNotFound if the workspace has no such
// appointment.
func (s *Store) Load(ctx context.Context, account, appointment int64) (Appointment, error) {
	read, err := s.load(ctx, account, appointment, agent.DeletedPrefix)
	return read.Appointment, err
}

// stored is an appointment as it was read.
type stored struct {
	Appointment
	item  table.Item
	marks agent.Marks
}

// load reads an appointment and the marks of the workspace's agents with that prefix.
func (s *Store) load(ctx context.Context, account, appointment int64, prefix table.SortPrefix) (stored,
	error) {
	item, marks, err := agent.ReadMarked(ctx, s.Table, account, Key(account, appointment), prefix)
	if errors.Is(err, table.ErrNotFound) {
		return stored{}, ErrNotFound
	}
	if err != nil {
		return stored{}, err
	}
	a, err := Read(item)
	if err == nil && marks.Has(a.AgentID) {
		err = ErrNotFound
	}
	return stored{a, item, marks}, err
}

// Create makes an appointment for the agent and the contact named in a, as Book does, in two round trips, and
// two more with OnlyIfFree. It returns agent.ErrNotFound or contact.ErrNotFound if they do not exist.
func (s *Store) Create(ctx context.Context, account int64, a Appointment) (Appointment, error) {
	if err := a.normalise(); err != nil { // before any read
		return Appointment{}, err
	}
	with, subscriptions, err := s.contact(ctx, account, a.AgentID, a.ContactID)
	if err != nil {
		return Appointment{}, err
	}
	err = table.Retry(ctx, func() error {
		reserve, err := s.reserve(ctx, account, a, a.OnlyIfFree)
		if err != nil {
			return err
		}
		writes, err := s.Book(account, with, subscriptions, &a)
		if err != nil {
			return err
		}
		writes = append(writes, reserve...)
		writes = append(writes, counter.Add(account, a.AgentID, a.ID, Recount(nil, &a))...)
		return s.Table.Transact(ctx, writes...) // a failed condition: the id is taken, or the time was
	})
	return a, err
}

// reserve returns the write that makes sure a time is given only once, if that is wanted. It returns an
// unprocessable fault if the time is taken.
func (s *Store) reserve(ctx context.Context, account int64, a Appointment, wanted bool) ([]table.Write,
	error) {
	if !wanted {
		return nil, nil
	}
	read, err := s.Table.Get(ctx, ReservedKey(account, a.AgentID)) // must precede the read of busy times
	if err != nil && !errors.Is(err, table.ErrNotFound) {
		return nil, err
	}
	busy, err := s.Busy(ctx, account, a.AgentID, a.StartTime, a.EndTime)
	if err != nil {
		return nil, err
	}
	for _, b := range busy {
		if b.ID != a.ID && b.Start.Before(a.EndTime) && a.StartTime.Before(b.End) {
			return nil, fault.New(fault.Unprocessable, "From %s to %s the time is taken by %q.",
				b.Start.Format(time.RFC3339), b.End.Format(time.RFC3339), b.Title)
		}
	}
	return []table.Write{Reserve(account, a.AgentID, read)}, nil
}

// contact reads a contact of an agent and the agent's subscriptions.
func (s *Store) contact(ctx context.Context, account, agentID, contactID int64) (contact.Contact,
	event.Subscriptions, error) {
	agentKey, contactKey := agent.Key(account, agentID), contact.Key(account, contactID)
	items, err := s.Table.BatchGet(ctx, agentKey, contactKey)
	if err != nil {
		return contact.Contact{}, nil, err
	}
	summary, ok := items[agentKey]
	if !ok {
		return contact.Contact{}, nil, agent.ErrNotFound
	}
	item, ok := items[contactKey]
	if !ok {
		return contact.Contact{}, nil, contact.ErrNotFound
	}
	c, err := contact.Read(item)
	if err == nil && c.AgentID != agentID {
		err = contact.ErrNotFound
	}
	return c, event.SubscriptionsOf(summary.Numbers), err
}

// Book returns the writes that make an appointment with a contact and publish its event, for a transaction of
// the caller, who adds Recount to it. It sets ids, the contact's name and phone, the times of creation, and
// the status if it is empty. The caller sets title, notes and times; times that break a rule are a
// validation_error.
func (s *Store) Book(account int64, with contact.Contact, to event.Subscriptions,
	a *Appointment) ([]table.Write, error) {
	if err := a.normalise(); err != nil {
		return nil, err
	}
	a.ID, a.AgentID, a.ContactID = s.IDs.Next(), with.AgentID, with.ID
	a.ContactName, a.ContactPhone = with.Name, with.Phone
	if a.Status == "" {
		a.Status = Pending
	}
	a.CreatedAt = s.now()
	a.UpdatedAt = a.CreatedAt
	item, err := a.Item(account, 0)
	if err != nil {
		return nil, err
	}
	writes, err := busyWrites(account, nil, a)
	if err != nil {
		return nil, err
	}
	created := a.Event(event.AppointmentCreated, a.CreatedAt)
	created.Contact = with.ForConditions()
	published, err := event.Publish(s.IDs, account, to, created)
	writes = append(append(writes, published...), table.PutIfAbsent(item), s.change(account, a.ID))
	return writes, err
}

// Change edits an appointment: title, notes, times and status. edit is called again after a conflict with
// another change; its error ends the change. A changed time publishes an event. Change returns a
// validation_error for times that break a rule and for changes that a final status forbids, and ErrNotFound
// if the workspace has no such appointment.
func (s *Store) Change(ctx context.Context, account, appointment int64,
	edit func(*Appointment) error) (Appointment, error) {
	var after Appointment
	err := table.Retry(ctx, func() error {
		before, err := s.load(ctx, account, appointment, agent.MarkPrefix)
		if err != nil {
			return err
		}
		after = before.Appointment
		if err := edit(&after); err != nil {
			return err
		}
		writes, err := s.Revise(account, before.marks.Subscriptions(after.AgentID), before.item,
			before.Appointment, &after)
		if err != nil || writes == nil {
			return err
		}
		reserve, err := s.reserve(ctx, account, after,
			after.OnlyIfFree && after.rescheduled(before.Appointment))
		if err != nil {
			return err
		}
		writes = append(append(writes, reserve...), counter.Add(account, after.AgentID, after.ID,
			Recount(&before.Appointment, &after))...)
		return s.Table.Transact(ctx, writes...)
	})
	return after, err
}

// Revise returns the writes that change an appointment, with the event of another time, for a transaction of
// the caller, who adds Recount to it. read is the item that before was read from; the writes' condition fails
// if it has changed since. There are no writes if nothing changed. Validation errors are those of Change.
func (s *Store) Revise(account int64, to event.Subscriptions, read table.Item, before Appointment,
	after *Appointment) ([]table.Write, error) {
	if err := after.normalise(); err != nil {
		return nil, err
	}
	if err := before.mayBecome(*after); err != nil {
		return nil, err
	}
	if item, err := after.Item(account, read.Version); err != nil || bytes.Equal(item.Doc, read.Doc) {
		return nil, err
	}
	after.UpdatedAt = s.now()
	item, err := after.Item(account, read.Version)
	if err != nil {
		return nil, err
	}
	writes, err := busyWrites(account, &before, after)
	if err != nil {
		return nil, err
	}
	writes = append(writes, table.PutIfVersion(item), s.change(account, after.ID))
	if after.rescheduled(before) {
		published, err := event.Publish(s.IDs, account, to,
			after.Event(event.AppointmentUpdated, after.UpdatedAt))
		if err != nil {
			return nil, err
		}
		writes = append(writes, published...)
	}
	return writes, nil
}

// Delete removes an appointment. It returns ErrNotFound if the workspace has no such appointment.
func (s *Store) Delete(ctx context.Context, account, appointment int64) error {
	return table.Retry(ctx, func() error {
		read, err := s.load(ctx, account, appointment, agent.DeletedPrefix)
		if err != nil {
			return err
		}
		writes, err := busyWrites(account, &read.Appointment, nil)
		if err != nil {
			return err
		}
		writes = append(writes, s.change(account, read.ID),
			table.DeleteIfVersion(read.item.Key, read.item.Version))
		return s.Table.Transact(ctx, append(writes,
			counter.Add(account, read.AgentID, read.ID, Recount(&read.Appointment, nil))...)...)
	})
}

// change returns the write that records the change for dashboards; see package change.
func (s *Store) change(account, appointment int64) table.Write {
	return change.Appointment(account, Key(account, appointment).PK, appointment, s.IDs.Next())
}

func (s *Store) now() time.Time { return s.Now().UTC().Truncate(time.Millisecond) }
