package conversation

import (
	"context"
	"errors"
	"time"

	"frontdesk/shared/change"
	"frontdesk/shared/counter"
	"frontdesk/shared/id"
	"frontdesk/shared/resource"
	"frontdesk/shared/table"
)

// Idle calls do with the conversations of an agent in which nothing was said since a time.
func Idle(
	ctx context.Context, t table.Table, account, agent int64, since time.Time, do func(Conversation) error,
) error {
	// What was said after the time was said in a conversation that began before it or after.
	q, also := Filter{To: id.Last(since)}.OfAgent(account, agent)
	q.Descending = false
	for _, q.PK = range append([]string{q.PK}, also...) {
		err := resource.Each(ctx, t, q, func(item table.Item) error {
			c, err := Read(item)
			if err != nil || c.LastMessageAt.After(since) {
				return err
			}
			return do(c)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Expire deletes a conversation without messages since a time, with its messages and notes. It is subtracted
// from the counters of all time but not from those of days, so analytics stay. The contact's address then
// points to no conversation. If the contact writes meanwhile, the conversation stays, without its old
// messages. It may be repeated after an interruption.
func Expire(
	ctx context.Context, t table.Table, ids *id.Source, account, conversation int64, since time.Time,
) error {
	item, err := t.Get(ctx, Key(account, conversation))
	if errors.Is(err, table.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	c, err := Read(item)
	if err != nil || c.LastMessageAt.After(since) {
		return err
	}
	last := MessageKey(account, c.ID, c.LastID)
	messages := table.Query{PK: last.PK, From: string(NotePrefix), To: last.SK}
	if err := resource.DeleteQuery(ctx, t, messages); err != nil {
		return err
	}
	writes, err := c.leads(ctx, t, account)
	if err != nil {
		return err
	}
	var gone counter.Change
	gone.Count(statusCount+string(c.Status), -1)
	if c.Unread > 0 {
		gone.Count(unread, -1)
	}
	writes = append(writes, counter.Add(account, c.AgentID, ids.Next(), gone)...)
	writes = append(writes, table.DeleteIfVersion(item.Key, item.Version),
		table.Delete(change.MarkKey(item.PK)))
	if err := t.Transact(ctx, writes...); !table.IsConditionError(err) {
		return err
	}
	return nil // a message arrived meanwhile
}

// leads returns the writes that delete the conversation's session and clear its address. If they point to
// another conversation by now, they stay.
func (c *Conversation) leads(ctx context.Context, t table.Table, account int64) ([]table.Write, error) {
	var writes []table.Write
	session := SessionKey(account, c.AgentID, c.SessionID)
	address := AddressKey(account, c.AgentID, string(c.Channel), c.Address)
	found, err := t.BatchGet(ctx, session, address)
	if err != nil {
		return nil, err
	}
	if item, ok := found[session]; ok && c.SessionID != "" {
		s, err := ReadSession(item)
		if err != nil {
			return nil, err
		}
		if s.ConversationID == c.ID {
			writes = append(writes, table.DeleteIfVersion(session, item.Version))
		}
	}
	if item, ok := found[address]; ok && c.Address != "" {
		a, err := ReadAddress(item)
		if err != nil {
			return nil, err
		}
		if a.ConversationID == c.ID {
			a.ConversationID = 0
			if item, err = a.Item(address, item.Version); err != nil {
				return nil, err
			}
			writes = append(writes, table.PutIfVersion(item))
		}
	}
	return writes, nil
}
