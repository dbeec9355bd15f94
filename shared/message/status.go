package message

import (
	"context"
	"errors"

	"frontdesk/shared/conversation"
	"frontdesk/shared/counter"
	"frontdesk/shared/table"
)

// claim notes that the next attempt to send a message begins. The message and the version of its item are as
// they were read, and returned as they are now. A *table.ConditionError says that another caller
// changed the message first: the attempt is theirs.
func (s Store) claim(
	ctx context.Context, account int64, m conversation.Message, version int64,
) (conversation.Message, int64, error) {
	sending := *m.Sending
	sending.Attempts++
	sending.Unclear = sending.Unclear || sending.UnderWay
	sending.UnderWay = true
	m.Sending = &sending
	item, err := conversation.MessageItem(account, m, version)
	if err != nil {
		return conversation.Message{}, 0, err
	}
	return m, version + 1, s.Table.Transact(ctx, table.PutIfVersion(item))
}

// putOff notes that the attempt to send a message has ended, and that the message waits for the next. Unclear
// tells that the platform may have taken it. The message and the version of its item are as claim returned
// them, or as the message was stored. A *table.ConditionError says that somebody else changed it since.
func (s Store) putOff(
	ctx context.Context, account int64, m conversation.Message, version int64, unclear bool,
) error {
	sending := *m.Sending
	sending.UnderWay, sending.Unclear = false, sending.Unclear || unclear
	m.Sending = &sending
	item, err := conversation.MessageItem(account, m, version)
	if err != nil {
		return err
	}
	return s.Table.Transact(ctx, table.PutIfVersion(item))
}

// An Outcome is what has become of a message.
type Outcome struct {
	Status     conversation.MessageStatus
	ProviderID string // the platform's id of the message, "" where that is not new
	Detail     string // what there is to say beside the status, in whole sentences
	Segments   int    // how many parts the platform bills, 0 where that is not new
}

// SetStatus takes a message on to the status of an outcome, if that is forward for it, and notes the
// platform's id where there is one. The message and the version of its item are as they were last seen; it is
// read again when somebody else changed it since. A message that is gone is left gone. The accepted writes go
// along where this is the change by which the platform has the message.
func (s Store) SetStatus(
	ctx context.Context, account int64, m conversation.Message, version int64, to Outcome,
	accepted ...table.Write,
) (conversation.Message, error) {
	stale := false
	err := table.Retry(ctx, func() error {
		if stale {
			item, err := s.Table.Get(ctx, conversation.MessageKey(account, m.ConversationID, m.ID))
			if errors.Is(err, table.ErrNotFound) {
				return nil
			}
			if err != nil {
				return err
			}
			if m, err = conversation.ReadMessage(item); err != nil {
				return err
			}
			version = item.Version
		}
		stale = true
		before := m
		if m.Status.Precedes(to.Status) {
			m.Status, m.StatusDetail = to.Status, to.Detail
		}
		if to.Segments > 0 {
			m.Segments = to.Segments
		}
		if m.Sending != nil {
			sending := *m.Sending
			sending.UnderWay = false
			if to.ProviderID != "" {
				sending.ProviderID = to.ProviderID
			}
			m.Sending = &sending
		}
		item, err := conversation.MessageItem(account, m, version)
		if err != nil {
			return err
		}
		writes := counter.Add(account, m.AgentID, m.ID, conversation.RecountMessage(before, m))
		if before.Status == conversation.Queued && m.Status != conversation.Queued &&
			m.Status != conversation.Failed {
			writes = append(writes, accepted...)
		}
		return s.Table.Transact(ctx, append(writes, table.PutIfVersion(item))...)
	})
	return m, err
}
