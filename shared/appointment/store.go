package appointment

import (
	"bytes"
	"context"
	"errors"
	"time"

	"frontdesk/shared/agent"
	"frontdesk/shared/api"
	"frontdesk/shared/contact"
	"frontdesk/shared/id"
	"frontdesk/shared/outbox"
	"frontdesk/shared/table"
	"frontdesk/shared/tally"
)

// ErrNotFound says that the workspace has no such appointment, or that its agent was deleted. It is the API's own
// not_found, so a handler may return it as it is.
var ErrNotFound error = api.NotFound()

// A Store keeps appointments.
type Store struct {
	Table table.Table
	Now   func() time.Time
	IDs   *id.Source // for Create, Book and Change
}

// Load reads an appointment, in one trip. ErrNotFound where the workspace has no such appointment.
func (s *Store) Load(ctx context.Context, account, appointment int64) (Appointment, error) {
	a, _, err := s.load(ctx, account, appointment)
	return a, err
}

func (s *Store) load(ctx context.Context, account, appointment int64) (Appointment, table.Item, error) {
	var item table.Item
	var deleted agent.Deleted
	err := table.Together(ctx, func(ctx context.Context) (err error) {
		item, err = s.Table.Get(ctx, table.AppointmentKey(account, appointment))
		return err
	}, func(ctx context.Context) (err error) {
		deleted, err = agent.ReadDeleted(ctx, s.Table, account)
		return err
	})
	if errors.Is(err, table.ErrNotFound) {
		return Appointment{}, table.Item{}, ErrNotFound
	}
	if err != nil {
		return Appointment{}, table.Item{}, err
	}
	a, err := Read(item)
	if err == nil && deleted.Has(a.AgentID) {
		err = ErrNotFound
	}
	return a, item, err
}

// Create makes an appointment of the agent and the contact that a names, as Book does, in two trips. agent.ErrNotFound
// where the workspace has no such agent, contact.ErrNotFound where the agent has no such contact.
func (s *Store) Create(ctx context.Context, account int64, a Appointment) (Appointment, error) {
	if err := a.settle(); err != nil { // before anything is read
		return Appointment{}, err
	}
	with, err := s.contact(ctx, account, a.AgentID, a.ContactID)
	if err != nil {
		return Appointment{}, err
	}
	err = table.Retry(ctx, func() error {
		writes, err := s.Book(account, with, &a)
		if err != nil {
			return err
		}
		writes = append(writes, tally.Add(account, a.AgentID, a.ID, Recount(nil, &a))...)
		return s.Table.Transact(ctx, writes...) // where a condition failed the id is taken
	})
	return a, err
}

// contact reads a contact of an agent, and whether there is the agent.
func (s *Store) contact(ctx context.Context, account, agentID, contactID int64) (contact.Contact, error) {
	agentKey, contactKey := table.AgentKey(account, agentID), table.ContactKey(account, contactID)
	items, err := s.Table.BatchGet(ctx, agentKey, contactKey)
	if err != nil {
		return contact.Contact{}, err
	}
	if _, ok := items[agentKey]; !ok {
		return contact.Contact{}, agent.ErrNotFound
	}
	item, ok := items[contactKey]
	if !ok {
		return contact.Contact{}, contact.ErrNotFound
	}
	c, err := contact.Read(item)
	if err == nil && c.AgentID != agentID {
		err = contact.ErrNotFound
	}
	return c, err
}

// Book returns the writes that make an appointment with a contact and announce it, for a transaction of the caller; what
// Recount says of it belongs in there too. It fills in what a does not say: the ids, the contact's name and phone, the
// times of its making, and that it is pending where it has no status. Title, notes and times are up to the caller. The
// error is a validation_error where the times break a rule.
func (s *Store) Book(account int64, with contact.Contact, a *Appointment) ([]table.Write, error) {
	if err := a.settle(); err != nil {
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
	event, err := a.announce(account, s.IDs.Next(), outbox.AppointmentCreated, a.CreatedAt)
	return append(writes, table.PutIfAbsent(item), event), err
}

// Change changes an appointment: edit gets it as it is, and is called again when somebody else changed it meanwhile. Its
// error ends the change. Title, notes, times and status are what it may change; one that gets another time is announced.
// The error is a validation_error where the times break a rule, or the appointment is final and the change is of its
// status or its time. ErrNotFound where the workspace has no such appointment.
func (s *Store) Change(ctx context.Context, account, appointment int64, edit func(*Appointment) error) (Appointment, error) {
	var after Appointment
	err := table.Retry(ctx, func() error {
		before, read, err := s.load(ctx, account, appointment)
		if err != nil {
			return err
		}
		after = before
		if err := edit(&after); err != nil {
			return err
		}
		writes, err := s.Revise(account, read, before, &after)
		if err != nil || writes == nil {
			return err
		}
		writes = append(writes, tally.Add(account, after.AgentID, after.ID, Recount(&before, &after))...)
		return s.Table.Transact(ctx, writes...)
	})
	return after, err
}

// Revise returns the writes that make an appointment what it is to become, and announce another time, for a transaction
// of the caller; what Recount says of it belongs in there too. Read is the item that before was read from: the
// transaction fails where the appointment was changed since. There are no writes where nothing changed. The error is a
// validation_error as with Change.
func (s *Store) Revise(account int64, read table.Item, before Appointment, after *Appointment) ([]table.Write, error) {
	if err := after.settle(); err != nil {
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
	writes = append(writes, table.PutIfVersion(item))
	if after.rescheduled(before) {
		event, err := after.announce(account, s.IDs.Next(), outbox.AppointmentUpdated, after.UpdatedAt)
		if err != nil {
			return nil, err
		}
		writes = append(writes, event)
	}
	return writes, nil
}

// Delete removes an appointment. ErrNotFound where the workspace has no such appointment.
func (s *Store) Delete(ctx context.Context, account, appointment int64) error {
	return table.Retry(ctx, func() error {
		a, read, err := s.load(ctx, account, appointment)
		if err != nil {
			return err
		}
		writes, err := busyWrites(account, &a, nil)
		if err != nil {
			return err
		}
		writes = append(writes, table.DeleteIfVersion(read.Key, read.Version))
		return s.Table.Transact(ctx, append(writes, tally.Add(account, a.AgentID, a.ID, Recount(&a, nil))...)...)
	})
}

func (s *Store) now() time.Time { return s.Now().UTC().Truncate(time.Millisecond) }
