package conversation

import (
	"context"
	"errors"
	"time"

	"frontdesk/shared/table"
	"frontdesk/shared/tally"
)

// A Sending is what it takes to hand a message over to the platform of its channel, and how far that has come.
type Sending struct {
	Channel Channel `json:"channel"`
	To      string  `json:"to"` // as the channel knows the contact
	// Reply tells that it answers the contact, which it may though the contact has opted out of messages.
	Reply bool `json:"reply,omitempty"`
	// Template is what a message of that kind is made of; a text is its content.
	Template *TemplateRef `json:"template,omitempty"`
	// Attempts is how many were begun. Each is noted before it is made, so that nobody else makes it too.
	Attempts int `json:"attempts"`
	// UnderWay tells that an attempt was begun, and how it came out is not noted. When FirstRetry has passed it was cut off,
	// and nobody knows whether the platform took the message.
	UnderWay bool `json:"under_way,omitempty"`
	// Unclear tells that of an attempt before that nobody knows it either.
	Unclear bool `json:"unclear,omitempty"`
	// Until is when the message is given up if it was not accepted before.
	Until time.Time `json:"until"`
	// ProviderID is the platform's own id of the message, once it was accepted; what the platform tells of it later
	// names it.
	ProviderID string `json:"provider_id,omitempty"`
	// ByAction tells that an action had the agent say it: its event triggers no actions.
	ByAction bool `json:"by_action,omitempty"`
	// Action and Intent are those of the event that is published once the message was accepted.
	Action string `json:"action,omitempty"`
	Intent string `json:"intent,omitempty"`
}

// A TemplateRef names a template of a channel, with the values of its placeholders in their order.
type TemplateRef struct {
	Name     string   `json:"name"`
	Language string   `json:"language"`
	Params   []string `json:"params,omitempty"`
}

// FirstRetry is how long a message that was stored waits before it is looked at again: longer than an attempt may take,
// so that whoever began one has noted its outcome by then, or is gone.
const FirstRetry = 30 * time.Second

// Claim notes that the next attempt to send a message begins. The message and the version of its item are as they were
// read, and returned as they are now. A *table.Failed says that somebody else changed it first: the attempt is theirs.
func (s *Store) Claim(ctx context.Context, account int64, m Message, version int64) (Message, int64, error) {
	sending := *m.Sending
	sending.Attempts++
	sending.Unclear = sending.Unclear || sending.UnderWay
	sending.UnderWay = true
	m.Sending = &sending
	item, err := m.Item(account, version)
	if err != nil {
		return Message{}, 0, err
	}
	return m, version + 1, s.Table.Transact(ctx, table.PutIfVersion(item))
}

// PutOff notes that the attempt to send a message has come out, and that the message waits for the next. Unclear tells
// that the platform may have taken it. The message and the version of its item are as Claim returned them, or as the
// message was stored. A *table.Failed says that somebody else changed it since.
func (s *Store) PutOff(ctx context.Context, account int64, m Message, version int64, unclear bool) error {
	sending := *m.Sending
	sending.UnderWay, sending.Unclear = false, sending.Unclear || unclear
	m.Sending = &sending
	item, err := m.Item(account, version)
	if err != nil {
		return err
	}
	return s.Table.Transact(ctx, table.PutIfVersion(item))
}

// An Outcome is what has become of a message.
type Outcome struct {
	Status     Delivery
	ProviderID string // the platform's id of the message, "" where that is not new
	Detail     string // what there is to say beside the status, in whole sentences
}

// Settle takes a message on to the status of an outcome, if that is forward for it, and notes the platform's id where there
// is one. The message and the version of its item are as they were last seen; it is read again when somebody else changed
// it since. A message that is gone is left gone. The writes of tell go along where it is this that hands the message over.
func (s *Store) Settle(ctx context.Context, account int64, m Message, version int64, to Outcome, tell ...table.Write) (Message, error) {
	stale := false
	err := table.Retry(ctx, func() error {
		if stale {
			item, err := s.Table.Get(ctx, MessageKey(account, m.ConversationID, m.ID))
			if errors.Is(err, table.ErrNotFound) {
				return nil
			}
			if err != nil {
				return err
			}
			if m, err = ReadMessage(item); err != nil {
				return err
			}
			version = item.Version
		}
		stale = true
		before := m
		if m.Status.Precedes(to.Status) {
			m.Status, m.StatusDetail = to.Status, to.Detail
		}
		if m.Sending != nil {
			sending := *m.Sending
			sending.UnderWay = false
			if to.ProviderID != "" {
				sending.ProviderID = to.ProviderID
			}
			m.Sending = &sending
		}
		item, err := m.Item(account, version)
		if err != nil {
			return err
		}
		writes := tally.Add(account, m.AgentID, m.ID, recountMessage(before, m))
		if before.Status == Queued && m.Status != Queued && m.Status != Failed {
			writes = append(writes, tell...)
		}
		return s.Table.Transact(ctx, append(writes, table.PutIfVersion(item))...)
	})
	return m, err
}
