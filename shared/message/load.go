package message

import (
	"context"
	"errors"

	"frontdesk/shared/agent"
	"frontdesk/shared/contact"
	"frontdesk/shared/conversation"
	"frontdesk/shared/table"
)

// Load reads a conversation by its id in one round trip, without its contact. It returns
// conversation.ErrNotFound if the workspace has no such conversation or its agent was deleted.
func (s Store) Load(ctx context.Context, account, conversationID int64) (*Unit, error) {
	key := conversation.Key(account, conversationID)
	item, marks, err := agent.ReadMarked(ctx, s.Table, account, key, agent.MarkPrefix)
	if errors.Is(err, table.ErrNotFound) {
		return nil, conversation.ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	u := s.New(account)
	if err := u.ReadConversation(item); err != nil {
		return nil, err
	}
	if marks.Has(u.Conversation.AgentID) {
		return nil, conversation.ErrNotFound
	}
	u.Subscriptions = marks.Subscriptions(u.Conversation.AgentID)
	return u, nil
}

// LoadWithContact reads a conversation and its contact in two round trips. The contact is the zero Contact if
// it was deleted. It returns table.ErrNotFound if the conversation does not exist.
func (s Store) LoadWithContact(ctx context.Context, account, conversationID int64) (*Unit, error) {
	item, err := s.Table.Get(ctx, conversation.Key(account, conversationID))
	if err != nil {
		return nil, err
	}
	u := s.New(account)
	if err := u.ReadConversation(item); err != nil {
		return nil, err
	}
	_, err = u.readContact(ctx)
	return u, err
}

// readContact reads the conversation's contact and address, and the items of more, in one round trip. It
// returns these items.
func (u *Unit) readContact(ctx context.Context, more ...table.Key) (map[table.Key]table.Item, error) {
	contactKey := contact.Key(u.account, u.Conversation.ContactID)
	keys := append(more, contactKey)
	if u.Conversation.SendsByPlatform() {
		keys = append(keys, u.addressKey())
	} else {
		u.Address.LastInboundAt = u.Conversation.ReceivedAt
	}
	items, err := u.store.Table.BatchGet(ctx, keys...)
	if err != nil {
		return nil, err
	}
	if item, ok := items[contactKey]; ok {
		err = u.ReadContact(item)
	}
	if item, ok := items[u.addressKey()]; ok && err == nil {
		err = u.ReadAddress(item)
	}
	return items, err
}

// Change changes a conversation. edit gets a unit of its current state, and is called again if a concurrent
// change was stored first; an error of edit is returned and nothing is stored. It returns
// conversation.ErrNotFound if the workspace has no such conversation.
func (s Store) Change(
	ctx context.Context, account, conversationID int64, edit func(*Unit) error,
) (conversation.Conversation, error) {
	var after conversation.Conversation
	err := table.Retry(ctx, func() error {
		u, err := s.Load(ctx, account, conversationID)
		if err != nil {
			return err
		}
		if err := edit(u); err != nil {
			return err
		}
		after = u.Conversation
		return u.Commit(ctx)
	})
	return after, err
}
