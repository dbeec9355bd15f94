package conversation

import (
	"context"

	"frontdesk/shared/counter"
	"frontdesk/shared/id"
	"frontdesk/shared/resource"
	"frontdesk/shared/table"
)

// OfContact reads all conversations of an agent with one contact. It looks through those of the agent.
func OfContact(ctx context.Context, t table.Table, account, agent, contact int64) ([]Conversation, error) {
	q, also := Filter{}.OfAgent(account, agent)
	q.Descending = false
	return resource.Find(ctx, t, q, also, Read, func(c Conversation) bool { return c.ContactID == contact })
}

// Erase deletes a conversation with its messages, notes and the items that point to it, and subtracts it from
// the counters. It may be repeated after an interruption.
func Erase(ctx context.Context, t table.Table, ids *id.Source, account int64, c Conversation) error {
	item, err := c.Item(account, 0)
	if err != nil {
		return err
	}
	writes, err := deletion(ctx, t, account, c.AgentID, item)
	if err != nil {
		return err
	}
	// The conversation itself is deleted last, since the rest is found by it.
	if err := t.WriteAll(ctx, writes[1:]...); err != nil {
		return err
	}
	counts := counter.Add(account, c.AgentID, ids.Next(), Recount(&c, nil))
	err = t.Transact(ctx, append(counts, table.DeleteIfExists(item.Key))...)
	if table.IsConditionError(err) {
		return nil // it is gone
	}
	return err
}
