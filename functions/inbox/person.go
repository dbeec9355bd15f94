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
	"frontdesk/shared/table"
)

func (s *Service) now() time.Time { return s.Now().UTC().Truncate(time.Millisecond) }

// keyOf is where an address of a person leads to the contact and the conversation from.
func keyOf(lane inbox.Lane, address string) table.Key {
	return conversation.IdentityKey(lane.AccountID, lane.AgentID, string(lane.Channel), address)
}

// identity reads where the first known address of a person leads; the zero identity where none is known.
func (s *Service) identity(ctx context.Context, lane inbox.Lane, p channel.Person) (conversation.Identity,
	table.Item, error) {
	var keys []table.Key
	for _, address := range append([]string{p.Address}, p.Aliases...) {
		if address != "" {
			keys = append(keys, keyOf(lane, address))
		}
	}
	items, err := s.Table.BatchGet(ctx, keys...)
	if err != nil {
		return conversation.Identity{}, table.Item{}, err
	}
	for _, key := range keys {
		if item, ok := items[key]; ok {
			known, err := conversation.ReadIdentity(item)
			return known, item, err
		}
	}
	return conversation.Identity{}, table.Item{}, nil
}

// echo stores what a person of the business wrote in the platform's own app. The agent is silent from
// then on, until the conversation is handed back. To a contact who has never been heard of nothing is
// stored.
func (s *Service) echo(ctx context.Context, lane inbox.Lane, entry inbox.Entry) error {
	own := conversation.MessageKeyByProviderID(lane.AccountID, lane.AgentID, string(lane.Channel),
		entry.MessageID)
	page, err := s.Table.Query(ctx, table.Query{Index: table.Index2, PK: own.PK, Limit: 1})
	if err != nil || len(page.Items) > 0 {
		return err // we sent it ourselves
	}
	known, _, err := s.identity(ctx, lane, entry.From)
	if err != nil || known.ConversationID == 0 {
		return err
	}
	_, err = s.conversations().Change(ctx, lane.AccountID, known.ConversationID,
		func(c *conversation.Conversation) ([]table.Write, error) {
			c.HandOver(conversation.HandoffRequested)
			c.ByPerson = true
			return c.Append(lane.AccountID, conversation.Message{
				ID: s.IDs.Next(), ConversationID: c.ID, Direction: conversation.Outbound,
				Type:    conversation.Kind(entry.Type),
				Content: content(entry.Update), Status: conversation.Sent, CreatedAt: s.now(),
				Sending: &conversation.Sending{Channel: c.Channel, To: c.Identity,
					ProviderID: entry.MessageID},
			})
		})
	if errors.Is(err, conversation.ErrNotFound) {
		return nil
	}
	return err
}

// move has the new address of a person lead where the one before did, and replies go there.
func (s *Service) move(ctx context.Context, lane inbox.Lane, entry inbox.Entry) error {
	before, _, err := s.identity(ctx, lane, channel.Person{Address: entry.Previous})
	if err != nil || before.ContactID == 0 {
		return err
	}
	for _, address := range append([]string{entry.From.Address}, entry.From.Aliases...) {
		err := table.Retry(ctx, func() error {
			_, item, err := s.identity(ctx, lane, channel.Person{Address: address})
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
	_, err = s.conversations().Change(ctx, lane.AccountID, before.ConversationID,
		func(c *conversation.Conversation) ([]table.Write, error) {
			c.Identity = entry.From.Address
			return nil, nil
		})
	if errors.Is(err, conversation.ErrNotFound) {
		return nil
	}
	return err
}

// consent notes whether a person wants messages.
func (s *Service) consent(ctx context.Context, lane inbox.Lane, entry inbox.Entry) error {
	return s.optOut(ctx, lane, entry.From, entry.OptedIn)
}

// optOut notes whether a person wants messages. Of one who is not known yet the contact is made, so that
// the wish is kept.
func (s *Service) optOut(ctx context.Context, lane inbox.Lane, from channel.Person, optedIn bool) error {
	contacts := &contact.Store{Table: s.Table, Now: s.Now, IDs: s.IDs}
	known, _, err := s.identity(ctx, lane, from)
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
