package message

import (
	"context"
	"errors"

	"frontdesk/shared/conversation"
	"frontdesk/shared/counter"
	"frontdesk/shared/table"
)

// claim records that the next attempt to send a message begins. m and version are as they were read; the
// result is as they are stored. It returns a *table.ConditionError if another caller changed the message
// first: that caller makes the attempt.
func (s Store) claim(
	ctx context.Context, account int64, m conversation.Message, version int64,
) (conversation.Message, int64, error) {
	sending := *m.Sending
	sending.Attempts++
	sending.Unclear = sending.Unclear || sending.InFlight
	sending.InFlight = true
	m.Sending = &sending
	item, err := conversation.MessageItem(account, m, version)
	if err != nil {
		return conversation.Message{}, 0, err
	}
	return m, version + 1, s.Table.Transact(ctx, table.PutIfVersion(item))
}

// postpone records that an attempt has ended and that the message waits for the next one. unclear is set if
// the platform may have accepted it. m and version are as claim returned them, or as the message was stored.
// It returns a *table.ConditionError if the message has changed since.
func (s Store) postpone(
	ctx context.Context, account int64, m conversation.Message, version int64, unclear bool,
) error {
	sending := *m.Sending
	sending.InFlight, sending.Unclear = false, sending.Unclear || unclear
	m.Sending = &sending
	item, err := conversation.MessageItem(account, m, version)
	if err != nil {
		return err
	}
	return s.Table.Transact(ctx, table.PutIfVersion(item))
}

// An Outcome is what a platform reported about a message.
type Outcome struct {
	Status     conversation.MessageStatus
	ProviderID string // the platform's id of the message, "" if that is not new
	Detail     string // what there is to say beside the status, in whole sentences
	Segments   int    // how many parts the platform bills, 0 if that is not new
}

// SetStatus sets the status of a message to that of an outcome, unless its own is further on, and stores the
// platform's id if there is one. m and version are as they were last read; if they have changed, the message
// is read again. A message that was deleted stays deleted. The accepted writes join the transaction that
// first records that the platform has the message.
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
			sending.InFlight = false
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
