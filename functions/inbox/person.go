package inbox

import (
	"context"
	"errors"
	"time"

	"frontdesk/shared/agent"
	"frontdesk/shared/channel"
	"frontdesk/shared/contact"
	"frontdesk/shared/conversation"
	"frontdesk/shared/inbox"
	"frontdesk/shared/message"
	"frontdesk/shared/table"
)

func (s *Service) now() time.Time { return s.Now().UTC().Truncate(time.Millisecond) }

// keyOf returns the key of the conversation.Address of a person's address.
func keyOf(lane inbox.Lane, address string) table.Key {
	return conversation.AddressKey(lane.AccountID, lane.AgentID, string(lane.Channel), address)
}

// address reads the first known address of a person, the zero Address if none is known.
func (s *Service) address(ctx context.Context, lane inbox.Lane, p channel.Person) (conversation.Address,
	table.Item, error) {
	var keys []table.Key
	for _, address := range append([]string{p.Address}, p.Aliases...) {
		if address != "" {
			keys = append(keys, keyOf(lane, address))
		}
	}
	items, err := s.Table.BatchGet(ctx, keys...)
	if err != nil {
		return conversation.Address{}, table.Item{}, err
	}
	for _, key := range keys {
		if item, ok := items[key]; ok {
			known, err := conversation.ReadAddress(item)
			return known, item, err
		}
	}
	return conversation.Address{}, table.Item{}, nil
}

// move points the new address of a person to the contact and conversation of the previous one, and sends
// replies to it. A new number becomes the contact's phone.
func (s *Service) move(ctx context.Context, lane inbox.Lane, entry inbox.Entry) error {
	before, _, err := s.address(ctx, lane, channel.Person{Address: entry.Previous})
	if err != nil || before.ContactID == 0 {
		return err
	}
	for _, address := range append([]string{entry.From.Address}, entry.From.Aliases...) {
		err := table.Retry(ctx, func() error {
			_, item, err := s.address(ctx, lane, channel.Person{Address: address})
			if err != nil {
				return err
			}
			put, err := before.Item(keyOf(lane, address), item.Version)
			if err != nil {
				return err
			}
			return s.Table.Transact(ctx, table.PutAsRead(put))
		})
		if err != nil {
			return err
		}
	}
	if entry.From.Phone != "" {
		contacts := &contact.Store{Table: s.Table, Now: s.Now, IDs: s.IDs}
		err := contacts.MovePhone(ctx, lane.AccountID, before.ContactID, entry.Previous, entry.From.Phone)
		if err != nil && !errors.Is(err, contact.ErrNotFound) {
			return err
		}
	}
	_, err = s.Sender.Change(ctx, lane.AccountID, before.ConversationID, func(u *message.Unit) error {
		u.Conversation.Address = entry.From.Address
		return nil
	})
	if errors.Is(err, conversation.ErrNotFound) {
		return nil
	}
	return err
}

// consent stores whether a person wants messages, from an update.
func (s *Service) consent(ctx context.Context, lane inbox.Lane, entry inbox.Entry) error {
	from, err := s.wisher(ctx, lane, entry.Update)
	if err != nil || from.Address == "" {
		return err
	}
	return s.optOut(ctx, lane, from, entry.OptedIn)
}

// optOut stores whether a person wants messages. For an unknown person with a known phone number, it creates
// a contact.
func (s *Service) optOut(ctx context.Context, lane inbox.Lane, from channel.Person, optedIn bool) error {
	contacts := &contact.Store{Table: s.Table, Now: s.Now, IDs: s.IDs}
	known, _, err := s.address(ctx, lane, from)
	if err != nil {
		return err
	}
	if known.ContactID == 0 && from.Phone != "" {
		c := contact.New(0, lane.AgentID, s.now())
		c.Phone = from.Phone
		made, _, err := contacts.Upsert(ctx, lane.AccountID, c)
		if errors.Is(err, agent.ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		known.ContactID = made.ID
	}
	if known.ContactID == 0 {
		return nil
	}
	_, err = contacts.Change(ctx, lane.AccountID, known.ContactID, func(c *contact.Contact) error {
		c.OptedIn = optedIn
		return nil
	})
	if errors.Is(err, contact.ErrNotFound) {
		return nil
	}
	return err
}
