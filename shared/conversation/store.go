package conversation

import (
	"context"
	"errors"
	"time"

	"frontdesk/shared/agent"
	"frontdesk/shared/api"
	"frontdesk/shared/id"
	"frontdesk/shared/table"
	"frontdesk/shared/tally"
)

// ErrNotFound says that the workspace has no such conversation, or that its agent was deleted. It is the API's own
// not_found, so a handler may return it as it is.
var ErrNotFound error = api.NotFound()

// A Store keeps conversations.
type Store struct {
	Table table.Table
	Now   func() time.Time
	IDs   *id.Source
}

// attempts is how often a change is tried on a conversation that others change at the same time. Of those who try at
// once one succeeds, so that it is how many may.
const attempts = 24

// Load reads a conversation, in one trip. ErrNotFound where the workspace has no such conversation.
func (s *Store) Load(ctx context.Context, account, conversation int64) (Conversation, error) {
	c, _, err := s.load(ctx, account, conversation)
	return c, err
}

func (s *Store) load(ctx context.Context, account, conversation int64) (c Conversation, version int64, err error) {
	var item table.Item
	var deleted agent.Deleted
	err = table.Together(ctx, func(ctx context.Context) (err error) {
		item, err = s.Table.Get(ctx, table.ConversationKey(account, conversation))
		return err
	}, func(ctx context.Context) (err error) {
		deleted, err = agent.ReadDeleted(ctx, s.Table, account)
		return err
	})
	if errors.Is(err, table.ErrNotFound) {
		return Conversation{}, 0, ErrNotFound
	}
	if err != nil {
		return Conversation{}, 0, err
	}
	c, err = Read(item)
	if err == nil && deleted.Has(c.AgentID) {
		err = ErrNotFound
	}
	return c, item.Version, err
}

// Change changes a conversation: edit gets it as it is, and is called again when somebody else changed it meanwhile. It
// may return writes that belong to the change; its error ends it. One that becomes resolved is announced. ErrNotFound
// where the workspace has no such conversation.
func (s *Store) Change(ctx context.Context, account, conversation int64, edit func(*Conversation) ([]table.Write, error)) (Conversation, error) {
	for range attempts {
		before, version, err := s.load(ctx, account, conversation)
		if err != nil {
			return Conversation{}, err
		}
		after := before
		writes, err := edit(&after)
		if err != nil {
			return Conversation{}, err
		}
		if after == before && len(writes) == 0 {
			return after, nil
		}
		item, err := after.Item(account, version)
		if err != nil {
			return Conversation{}, err
		}
		writes = append(writes, table.PutIfVersion(item))
		writes = append(writes, tally.Add(account, after.AgentID, s.IDs.Next(), Recount(&before, &after))...)
		if after.Status == Resolved && before.Status != Resolved {
			announce, err := after.announce(account, s.IDs.Next(), s.now())
			if err != nil {
				return Conversation{}, err
			}
			writes = append(writes, announce)
		}
		if err := s.Table.Transact(ctx, writes...); !table.IsFailed(err) {
			return after, err
		}
	}
	return Conversation{}, table.ErrBusy
}

// Reply adds what a person of the business says. ErrNotFound where the workspace has no such conversation.
func (s *Store) Reply(ctx context.Context, account, conversation int64, text string) (Message, error) {
	var m Message
	_, err := s.Change(ctx, account, conversation, func(c *Conversation) ([]table.Write, error) {
		m = Message{
			ID: s.IDs.Next(), ConversationID: c.ID, Direction: Outbound, Type: Text, Content: text, Status: Sent, CreatedAt: s.now(),
		}
		c.ByPerson = true
		return c.Append(account, m)
	})
	return m, err
}

func (s *Store) now() time.Time { return s.Now().UTC().Truncate(time.Millisecond) }
