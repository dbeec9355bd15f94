package contact

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"frontdesk/shared/agent"
	"frontdesk/shared/conversation"
	"frontdesk/shared/counter"
	"frontdesk/shared/event"
	"frontdesk/shared/fault"
	"frontdesk/shared/id"
	"frontdesk/shared/table"
)

// ErrNotFound says that the workspace has no such contact, or that its agent was deleted. It is the API's
// not_found fault, so handlers return it unchanged.
var ErrNotFound error = fault.NotFound()

// A Store stores contacts. It is safe for concurrent use.
type Store struct {
	Table table.Table
	Now   func() time.Time
	IDs   *id.Source // for Upsert and Change
}

// stored is a contact as it was read.
type stored struct {
	Contact
	item  table.Item
	phone Pointer             // if it was looked up by phone
	subs  event.Subscriptions // of the agent's actions
}

// Load reads a contact in one round trip. It returns ErrNotFound if the workspace has no such contact.
func (s *Store) Load(ctx context.Context, account, contact int64) (Contact, error) {
	read, err := s.load(ctx, account, contact, agent.DeletedPrefix)
	return read.Contact, err
}

// load reads a contact and the marks of the workspace's agents with that prefix.
func (s *Store) load(ctx context.Context, account, contact int64, prefix table.SortPrefix) (stored, error) {
	item, marks, err := agent.ReadMarked(ctx, s.Table, account, Key(account, contact), prefix)
	if errors.Is(err, table.ErrNotFound) {
		return stored{}, ErrNotFound
	}
	if err != nil {
		return stored{}, err
	}
	c, err := Read(item)
	if err == nil && marks.Has(c.AgentID) {
		err = ErrNotFound
	}
	return stored{Contact: c, item: item, subs: marks.Subscriptions(c.AgentID)}, err
}

// Upsert returns the agent's contact with the phone number of c. If there is none it creates c with a new
// id; otherwise it sets empty Name and Email from c. A new contact is opted out if the last contact with the
// number was. It returns agent.ErrNotFound if the workspace has no such agent.
func (s *Store) Upsert(ctx context.Context, account int64, c Contact) (_ Contact, created bool, err error) {
	var after Contact
	err = table.Retry(ctx, func() error {
		found, taken, err := s.lookUp(ctx, account, c)
		if err != nil {
			return err
		}
		after, created = found.Contact, found.isNew()
		if found.isNew() {
			after = c
			after.ID = s.IDs.Next()
			after.OptedIn = after.OptedIn && !found.phone.OptedOut
		}
		for field, value := range map[*string]string{&after.Name: c.Name, &after.Email: c.Email} {
			if *field == "" {
				*field = value
			}
		}
		after, err = s.save(ctx, account, found, after, taken)
		return err
	})
	return after, created, err
}

func (s stored) isNew() bool { return s.item.Version == 0 }

// lookUp finds the contact with the phone number of c, and reports whether the e-mail address of c is taken.
// It returns a *table.ConditionError if the contact was deleted between the two reads, so that the caller
// retries.
func (s *Store) lookUp(ctx context.Context, account int64, c Contact) (found stored, taken bool, err error) {
	agentKey, phoneKey := agent.Key(account, c.AgentID), KeyByPhone(account, c.AgentID, c.Phone)
	keys := []table.Key{agentKey, phoneKey}
	if c.Email != "" {
		keys = append(keys, KeyByEmail(account, c.AgentID, c.Email))
	}
	items, err := s.Table.BatchGet(ctx, keys...)
	if err != nil {
		return stored{}, false, err
	}
	summary, ok := items[agentKey]
	if !ok {
		return stored{}, false, agent.ErrNotFound
	}
	found.subs = event.SubscriptionsOf(summary.Numbers)
	_, taken = items[KeyByEmail(account, c.AgentID, c.Email)]
	if item, ok := items[phoneKey]; ok {
		if found.phone, err = ReadPointer(item); err != nil {
			return stored{}, false, err
		}
	}
	if found.phone.ContactID == 0 {
		return found, taken, nil
	}
	found.item, err = s.Table.Get(ctx, Key(account, found.phone.ContactID))
	if errors.Is(err, table.ErrNotFound) {
		return stored{}, false, &table.ConditionError{}
	}
	if err != nil {
		return stored{}, false, err
	}
	found.Contact, err = Read(found.item)
	return found, taken, err
}

// Change edits a contact. edit is called again after a conflict with another change; its error ends the
// change. It must not change id, agent, phone and times. The lead score is computed, another stage publishes
// an event, and name and score are copied into the conversations. It returns ErrNotFound if the workspace
// has no such contact.
func (s *Store) Change(ctx context.Context, account, contact int64, edit func(*Contact) error) (Contact,
	error) {
	taken := false
	var after Contact
	err := table.Retry(ctx, func() error {
		read, err := s.load(ctx, account, contact, agent.MarkPrefix)
		if err != nil {
			return err
		}
		after = read.Contact
		after.Tags = slices.Clone(after.Tags)
		if err := edit(&after); err != nil {
			return err
		}
		after, err = s.save(ctx, account, read, after, taken)
		taken = taken || errors.Is(err, errTaken)
		return err
	})
	return after, err
}

// errTaken says that an e-mail address leads to another contact.
var errTaken = errors.New("contact: the e-mail address leads to another contact")

// save stores a changed contact, or does nothing if it is unchanged. With taken, a new e-mail address stays
// with the contact that it leads to. It returns a *table.ConditionError if something changed since the read,
// with errTaken if the address was taken meanwhile.
func (s *Store) save(ctx context.Context, account int64, before stored, after Contact, taken bool) (Contact,
	error) {
	after.LeadScore = after.Score()
	writes, err := after.emailWrites(account, before.Contact, taken)
	if err != nil {
		return Contact{}, err
	}
	item, err := after.Item(account, before.item.Version)
	if err != nil || bytes.Equal(item.Doc, before.item.Doc) {
		return after, err
	}
	if before.isNew() {
		phone, err := Pointer{ContactID: after.ID,
			Version: before.phone.Version}.Item(KeyByPhone(account, after.AgentID, after.Phone))
		if err != nil {
			return Contact{}, err
		}
		writes = append(writes, table.PutIfAbsent(item), table.PutAsRead(phone))
		writes = append(writes, counter.Add(account, after.AgentID, after.ID, Recount(nil, &after))...)
		published, err := event.Publish(s.IDs, account, before.subs, Events(nil, after, s.now())...)
		if err != nil {
			return Contact{}, err
		}
		writes = append(writes, published...)
	} else {
		revision, err := s.Revise(ctx, account, before.subs, before.item.Version, before.Contact, &after)
		if err != nil {
			return Contact{}, err
		}
		writes = append(writes, revision...)
	}
	err = s.Table.Transact(ctx, writes...)
	if table.ConditionErrorAt(err, 0) &&
		writes[0].Item.Key == KeyByEmail(account, after.AgentID, after.Email) {
		err = fmt.Errorf("%w: %w", errTaken, err)
	}
	return after, err
}

// Revise returns the writes that change a contact but not its phone and e-mail address, for a transaction of
// the caller. version is that of the contact as read. They include counters, the event of a changed stage,
// and the conversations if name or score change, for which they are read in one round trip. It sets the lead
// score.
func (s *Store) Revise(ctx context.Context, account int64, to event.Subscriptions, version int64,
	before Contact, after *Contact) ([]table.Write, error) {
	after.LeadScore = after.Score()
	item, err := after.Item(account, version)
	if err != nil {
		return nil, err
	}
	writes := []table.Write{table.PutIfVersion(item)}
	writes = append(writes, counter.Add(account, after.AgentID, after.ID, Recount(&before, after))...)
	published, err := event.Publish(s.IDs, account, to, Events(&before, *after, s.now())...)
	if err != nil {
		return nil, err
	}
	writes = append(writes, published...)
	if after.Partner() != before.Partner() {
		renew, err := conversation.UpdatePartner(ctx, s.Table, account, after.Conversations, after.Partner())
		if err != nil {
			return nil, err
		}
		writes = append(writes, renew...)
	}
	return writes, nil
}

// MovePhone replaces a contact's phone number. It does nothing if the contact no longer has the number
// before, or the new one leads to another contact. It returns ErrNotFound if the workspace has no such
// contact.
func (s *Store) MovePhone(ctx context.Context, account, contact int64, before, phone string) error {
	return table.Retry(ctx, func() error {
		read, err := s.load(ctx, account, contact, agent.MarkPrefix)
		if err != nil || read.Phone != before || before == phone {
			return err
		}
		key := KeyByPhone(account, read.AgentID, phone)
		item, err := s.Table.Get(ctx, key)
		if err != nil && !errors.Is(err, table.ErrNotFound) {
			return err
		}
		leads := Pointer{}
		if err == nil {
			if leads, err = ReadPointer(item); err != nil {
				return err
			}
		}
		if leads.ContactID != 0 && leads.ContactID != contact {
			return nil
		}
		after := read.Contact
		after.Phone = phone
		leads.ContactID, leads.OptedOut = contact, false
		pointer, err := leads.Item(key)
		if err != nil {
			return err
		}
		writes, err := s.Revise(ctx, account, read.subs, read.item.Version, read.Contact, &after)
		if err != nil {
			return err
		}
		writes = append(writes, table.PutAsRead(pointer),
			table.Delete(KeyByPhone(account, read.AgentID, before)))
		return s.Table.Transact(ctx, writes...)
	})
}

// emailWrites returns the writes that redirect the e-mail pointers, the new pointer first. A taken address
// gets none.
func (c *Contact) emailWrites(account int64, before Contact, taken bool) ([]table.Write, error) {
	from, to := KeyByEmail(account, c.AgentID, before.Email), KeyByEmail(account, c.AgentID, c.Email)
	if from == to {
		return nil, nil
	}
	var writes []table.Write
	c.OwnsEmail = c.Email != "" && !taken
	if c.OwnsEmail {
		pointer, err := Pointer{ContactID: c.ID}.Item(to)
		if err != nil {
			return nil, err
		}
		writes = append(writes, table.PutIfAbsent(pointer))
	}
	if before.OwnsEmail {
		writes = append(writes, table.Delete(from))
	}
	return writes, nil
}

// Delete removes a contact. Its conversations and appointments stay, and so does an opt-out of its phone
// numbers. It returns ErrNotFound if the workspace has no such contact.
func (s *Store) Delete(ctx context.Context, account, contact int64) error {
	return s.remove(ctx, account, contact, false)
}

// Erase removes a contact with its opt-out, and publishes the event from which a worker erases its
// conversations, appointments and whatever else came of them. It returns ErrNotFound if the workspace has
// no such contact.
func (s *Store) Erase(ctx context.Context, account, contact int64) error {
	return s.remove(ctx, account, contact, true)
}

func (s *Store) remove(ctx context.Context, account, contact int64, erase bool) error {
	return table.Retry(ctx, func() error {
		read, err := s.load(ctx, account, contact, agent.DeletedPrefix)
		if err != nil {
			return err
		}
		writes, err := s.leave(ctx, account, read.Contact, erase)
		if err != nil {
			return err
		}
		writes = append(writes, table.DeleteIfVersion(read.item.Key, read.item.Version))
		if erase {
			erased, err := event.Publish(s.IDs, account, nil, event.Event{
				Kind: event.ContactErased, At: s.now(), AgentID: read.AgentID, ContactID: contact,
			})
			if err != nil {
				return err
			}
			writes = append(writes, erased...)
		}
		writes = append(writes, counter.Add(account, read.AgentID, contact, Recount(&read.Contact, nil))...)
		return s.Table.Transact(ctx, writes...)
	})
}

func (s *Store) now() time.Time { return s.Now().UTC().Truncate(time.Millisecond) }
