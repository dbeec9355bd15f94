package conversation

import (
	"context"
	"errors"
	"time"

	"frontdesk/shared/agent"
	"frontdesk/shared/event"
	"frontdesk/shared/fault"
	"frontdesk/shared/id"
	"frontdesk/shared/table"
	"frontdesk/shared/tally"
)

// ErrNotFound says that the workspace has no such conversation, or that its agent was deleted. It is the API's own
// not_found, so a handler may return it as it is.
var ErrNotFound error = fault.NotFound()

// A Store keeps conversations.
type Store struct {
	Table table.Table
	Now   func() time.Time
	IDs   *id.Source
}

// Load reads a conversation, in one trip. ErrNotFound where the workspace has no such conversation.
func (s *Store) Load(ctx context.Context, account, conversation int64) (Conversation, error) {
	read, err := s.load(ctx, account, conversation, agent.DeletedPrefix)
	return read.Conversation, err
}

// A stored conversation is one as it was read.
type stored struct {
	Conversation
	version int64
	marks   agent.Marks
}

// load reads a conversation and those marks of the workspace's agents.
func (s *Store) load(ctx context.Context, account, conversation int64, prefix table.SortPrefix) (stored, error) {
	item, marks, err := agent.ReadMarked(ctx, s.Table, account, Key(account, conversation), prefix)
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
	return stored{c, item.Version, marks}, err
}

// Change changes a conversation: edit gets it as it is, and is called again when somebody else changed it meanwhile. It
// may return writes that belong to the change; its error ends it. One that becomes resolved is announced, and what else
// happens to it is to the agent's actions. ErrNotFound where the workspace has no such conversation.
func (s *Store) Change(ctx context.Context, account, conversation int64, edit func(*Conversation) ([]table.Write, error)) (Conversation, error) {
	return s.change(ctx, account, conversation, func(c *Conversation, _ *[]event.Event) ([]table.Write, error) { return edit(c) })
}

// change is Change with an edit that may add to the news what happened beside.
func (s *Store) change(ctx context.Context, account, conversation int64, edit func(*Conversation, *[]event.Event) ([]table.Write, error)) (Conversation, error) {
	var after Conversation
	err := table.Retry(ctx, func() error {
		read, err := s.load(ctx, account, conversation, agent.MarkPrefix)
		if err != nil {
			return err
		}
		before := read.Conversation
		var events []event.Event
		after = before
		writes, err := edit(&after, &events)
		if err != nil || after == before && len(writes) == 0 {
			return err
		}
		revision, err := s.Revise(account, read.marks.Subscriptions(after.AgentID), read.version, before, after, events...)
		if err != nil {
			return err
		}
		return s.Table.Transact(ctx, append(writes, revision...)...)
	})
	return after, err
}

// Revise is the writes that make a conversation, of which that version was read, what it is after a change, on the
// condition that nobody changed it meanwhile, with all that belongs to it, for a transaction of the caller. One that
// becomes resolved is announced; the news and what else happened to it are to the agent's actions, as far as they wait.
func (s *Store) Revise(account int64, to event.Subscriptions, version int64, before, after Conversation, more ...event.Event) ([]table.Write, error) {
	item, err := after.Item(account, version)
	if err != nil {
		return nil, err
	}
	writes := []table.Write{table.PutIfVersion(item)}
	writes = append(writes, tally.Add(account, after.AgentID, s.IDs.Next(), Recount(&before, &after))...)
	published, err := event.Publish(s.IDs, account, to, append(Events(&before, after, s.now()), more...)...)
	return append(writes, published...), err
}

// Reply adds what a person of the business says. Prepare may have the message leave by the conversation's channel: it sets
// how that is sent, and returns the writes that belong to it; its error ends the reply. It is called again when somebody
// else changed the conversation meanwhile. ErrNotFound where the workspace has no such conversation.
func (s *Store) Reply(ctx context.Context, account, conversation int64, text string, prepare func(Conversation, *Message) ([]table.Write, error)) (Message, error) {
	var m Message
	_, err := s.change(ctx, account, conversation, func(c *Conversation, events *[]event.Event) ([]table.Write, error) {
		m = Message{
			ID: s.IDs.Next(), ConversationID: c.ID, AgentID: c.AgentID, Direction: Outbound, Type: Text, Content: text,
			Status: Sent, CreatedAt: s.now(),
		}
		writes, err := prepare(*c, &m)
		if err != nil {
			return nil, err
		}
		c.ByPerson = true
		if m.Sending == nil { // actions hear of what leaves once it was accepted
			*events = append(*events, c.MessageEvent(m))
		}
		stored, err := c.Append(account, m)
		return append(writes, stored...), err
	})
	return m, err
}

func (s *Store) now() time.Time { return s.Now().UTC().Truncate(time.Millisecond) }
