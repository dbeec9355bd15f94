// Package merge joins two contacts of an agent that are the same person.
package merge

import (
	"context"
	"errors"
	"slices"
	"time"

	"frontdesk/shared/agent"
	"frontdesk/shared/appointment"
	"frontdesk/shared/contact"
	"frontdesk/shared/conversation"
	"frontdesk/shared/counter"
	"frontdesk/shared/event"
	"frontdesk/shared/fault"
	"frontdesk/shared/id"
	"frontdesk/shared/table"
)

// A Store joins contacts. It is safe for concurrent use.
type Store struct {
	Table table.Table
	Now   func() time.Time
	IDs   *id.Source
}

// stored is a contact as it was read.
type stored struct {
	contact.Contact
	version int64
	marks   agent.Marks
}

// Contacts merges the contact from into the contact into, of the same agent, and returns the result; see
// contact.Contact.Merge for fields that both have. Afterwards all addresses of from point to into, and from
// is deleted. Merging again, or a contact with itself, changes nothing. It returns contact.ErrNotFound if the
// workspace lacks one of them, and a validation_error of contact_id if their agents differ.
//
// It takes several transactions. Until the last one both contacts exist unchanged. The last one publishes an
// event from which a worker calls MoveRest, even if the caller dies.
func (s *Store) Contacts(ctx context.Context, account, into, from int64) (contact.Contact, error) {
	var after contact.Contact
	err := table.Retry(ctx, func() error {
		target, err := s.load(ctx, account, into)
		if err != nil {
			return err
		}
		after = target.Contact
		if into == from || slices.Contains(target.Merged, from) {
			return nil
		}
		source, err := s.load(ctx, account, from)
		if err != nil {
			return err
		}
		if source.AgentID != target.AgentID {
			return fault.Invalid("contact_id", "The contacts are of different agents.")
		}
		after.Merge(source.Contact)
		// The addresses are redirected before the source is deleted. A concurrent message changes one of the
		// contacts, so the last transaction fails and all of this is repeated.
		if err := s.redirect(ctx, account, source, after); err != nil {
			return err
		}
		return s.join(ctx, account, target, source, after)
	})
	return after, err
}

func (s *Store) load(ctx context.Context, account, id int64) (stored, error) {
	item, marks, err := agent.ReadMarked(ctx, s.Table, account, contact.Key(account, id), agent.MarkPrefix)
	if errors.Is(err, table.ErrNotFound) {
		return stored{}, contact.ErrNotFound
	}
	if err != nil {
		return stored{}, err
	}
	c, err := contact.Read(item)
	if err == nil && marks.Has(c.AgentID) {
		err = contact.ErrNotFound
	}
	return stored{c, item.Version, marks}, err
}

// redirect moves a contact's latest conversations to another contact, with their addresses and sessions: one
// transaction for each conversation.
func (s *Store) redirect(ctx context.Context, account int64, from stored, to contact.Contact) error {
	ctx = table.Alone(ctx) // the request takes effect with the last transaction
	for _, id := range from.Conversations {
		err := table.Retry(ctx, func() error {
			item, err := s.Table.Get(ctx, conversation.Key(account, id))
			if errors.Is(err, table.ErrNotFound) {
				return nil
			}
			if err != nil {
				return err
			}
			return s.move(ctx, account, item, []int64{from.ID}, to)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// move moves a conversation of one of the contacts from to another contact, with its address and session.
func (s *Store) move(
	ctx context.Context, account int64, item table.Item, from []int64, to contact.Contact,
) error {
	c, err := conversation.Read(item)
	if err != nil || !slices.Contains(from, c.ContactID) {
		return err
	}
	c.Partner = to.Partner()
	put, err := c.Item(account, item.Version)
	if err != nil {
		return err
	}
	writes := []table.Write{table.PutIfVersion(put)}
	leads, err := s.leads(ctx, account, c, from)
	if err != nil {
		return err
	}
	return s.Table.Transact(ctx, append(writes, leads...)...)
}

// leads returns the writes that redirect a conversation's address and session to its contact, if they lead to
// one of the contacts from.
func (s *Store) leads(
	ctx context.Context, account int64, c conversation.Conversation, from []int64,
) ([]table.Write, error) {
	address := conversation.AddressKey(account, c.AgentID, string(c.Channel), c.Address)
	session := conversation.SessionKey(account, c.AgentID, c.SessionID)
	var keys []table.Key
	if c.Address != "" {
		keys = append(keys, address)
	}
	if c.SessionID != "" {
		keys = append(keys, session)
	}
	if len(keys) == 0 {
		return nil, nil
	}
	items, err := s.Table.BatchGet(ctx, keys...)
	if err != nil {
		return nil, err
	}
	var writes []table.Write
	if item, ok := items[address]; ok && c.Address != "" {
		known, err := conversation.ReadAddress(item)
		if err != nil {
			return nil, err
		}
		if slices.Contains(from, known.ContactID) {
			known.ContactID = c.ContactID
			put, err := known.Item(address, item.Version)
			if err != nil {
				return nil, err
			}
			writes = append(writes, table.PutIfVersion(put))
		}
	}
	if item, ok := items[session]; ok && c.SessionID != "" {
		known, err := conversation.ReadSession(item)
		if err != nil {
			return nil, err
		}
		if slices.Contains(from, known.ContactID) {
			known.ContactID = c.ContactID
			put, err := known.Item(session)
			if err != nil {
				return nil, err
			}
			put.Version = item.Version
			writes = append(writes, table.PutIfVersion(put))
		}
	}
	return writes, nil
}

// join stores the joined contact in one transaction with counters, pointers, events and conversations.
func (s *Store) join(
	ctx context.Context, account int64, target, source stored, after contact.Contact,
) error {
	item, err := after.Item(account, target.version)
	if err != nil {
		return err
	}
	writes := []table.Write{
		table.PutIfVersion(item), table.DeleteIfVersion(contact.Key(account, source.ID), source.version),
	}
	writes = append(writes, counter.Add(account, after.AgentID, after.ID,
		contact.Recount(&target.Contact, &after), contact.Recount(&source.Contact, nil))...)
	pointers, err := source.RedirectWrites(account, after.ID)
	if err != nil {
		return err
	}
	now := s.Now().UTC().Truncate(time.Millisecond)
	merged := after.Event(event.ContactMerged, now)
	happened := append(contact.Events(&target.Contact, after, now), merged)
	published, err := event.Publish(s.IDs, account, target.marks.Subscriptions(after.AgentID), happened...)
	if err != nil {
		return err
	}
	renewed, err := conversation.UpdatePartner(ctx, s.Table, account, after.Conversations, after.Partner())
	if err != nil {
		return err
	}
	return s.Table.Transact(ctx, slices.Concat(writes, pointers, published, renewed)...)
}

// MoveRest moves what Contacts did not: older conversations, and appointments. It reports whether it finished
// before the deadline, and may be called again.
func (s *Store) MoveRest(
	ctx context.Context, account, agentID, into int64, deadline time.Time,
) (bool, error) {
	item, err := s.Table.Get(ctx, contact.Key(account, into))
	if errors.Is(err, table.ErrNotFound) {
		return true, nil // deleted, or joined into another contact, whose event follows
	}
	if err != nil {
		return false, err
	}
	to, err := contact.Read(item)
	if err != nil {
		return false, err
	}
	conversations, others := conversation.Filter{}.OfAgent(account, agentID)
	done, err := s.walk(ctx, conversations, others, deadline, func(item table.Item) error {
		return s.moveIndexed(ctx, account, item.Key, to)
	}, func(item table.Item) (bool, error) {
		c, err := conversation.Read(item)
		return slices.Contains(to.Merged, c.ContactID), err
	})
	if err != nil || !done {
		return done, err
	}
	appointments, others := appointment.OfAgent(account, agentID, "")
	return s.walk(ctx, appointments, others, deadline, func(item table.Item) error {
		return s.moveAppointment(ctx, account, item.Key, to)
	}, func(item table.Item) (bool, error) {
		a, err := appointment.Read(item)
		return slices.Contains(to.Merged, a.ContactID), err
	})
}

// walk calls do for each chosen item of the partitions. It checks the deadline between pages.
func (s *Store) walk(
	ctx context.Context, q table.Query, others []string, deadline time.Time, do func(table.Item) error,
	chosen func(table.Item) (bool, error),
) (done bool, err error) {
	for _, partition := range append([]string{q.PK}, others...) {
		q.PK, q.After, q.Limit = partition, "", atOnce
		for {
			page, err := s.Table.Query(ctx, q)
			if err != nil {
				return false, err
			}
			items, err := table.Whole(ctx, s.Table, q.Index, page.Items)
			if err != nil {
				return false, err
			}
			for _, item := range items {
				is, err := chosen(item)
				if err == nil && is {
					err = do(item)
				}
				if err != nil {
					return false, err
				}
			}
			if page.Next == "" {
				break
			}
			if s.Now().After(deadline) {
				return false, nil
			}
			q.After = page.Next
		}
	}
	return true, nil
}

// atOnce is how many items one query reads.
const atOnce = 500

// moveIndexed is move for a conversation found in an index, which may be stale.
func (s *Store) moveIndexed(ctx context.Context, account int64, key table.Key, to contact.Contact) error {
	return table.Retry(ctx, func() error {
		item, err := s.Table.Get(ctx, key)
		if errors.Is(err, table.ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		return s.move(ctx, account, item, to.Merged, to)
	})
}

// moveAppointment moves an appointment of a merged contact to the contact it was merged into.
func (s *Store) moveAppointment(ctx context.Context, account int64, key table.Key, to contact.Contact) error {
	return table.Retry(ctx, func() error {
		item, err := s.Table.Get(ctx, key)
		if errors.Is(err, table.ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		a, err := appointment.Read(item)
		if err != nil || !slices.Contains(to.Merged, a.ContactID) {
			return err
		}
		a.ContactID = to.ID
		if a.ContactName == "" {
			a.ContactName = to.Name
		}
		put, err := a.Item(account, item.Version)
		if err != nil {
			return err
		}
		return s.Table.Transact(ctx, table.PutIfVersion(put))
	})
}
