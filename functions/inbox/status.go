package inbox

import (
	"context"
	"errors"
	"time"

	"frontdesk/shared/channel"
	"frontdesk/shared/conversation"
	"frontdesk/shared/inbox"
	"frontdesk/shared/message"
	"frontdesk/shared/table"
)

// statuses maps the platforms' statuses to those of messages.
var statuses = map[channel.Status]conversation.MessageStatus{
	channel.Accepted: conversation.Sent, channel.Delivered: conversation.Delivered,
	channel.Seen:   conversation.Seen,
	channel.Failed: conversation.Failed,
}

// status stores the status of a message. If the message's send is not stored yet, the status waits for at
// most statusTime. Statuses of messages that were not sent by this service are dropped.
func (s *Service) status(ctx context.Context, lane inbox.Lane, entry inbox.Entry) (wait time.Duration,
	err error) {
	var found bool
	if entry.Watermark {
		found, err = s.watermark(ctx, lane, entry)
	} else {
		found, err = s.apply(ctx, lane, entry.Update)
	}
	if err != nil {
		return 0, err
	}
	if !found && s.Now().Sub(entry.ReceivedAt) < statusTime {
		return 5 * time.Second, nil
	}
	return 0, s.Inbox.Remove(ctx, entry)
}

func (s *Service) conversations() *conversation.Store { return &conversation.Store{Table: s.Table} }

// apply moves the message of a status forward to it. It reports whether the message was found. If the status
// has our own reference, the message is found even if the response to its send was lost.
func (s *Service) apply(ctx context.Context, lane inbox.Lane, u channel.Update) (found bool, err error) {
	var m conversation.Message
	if id, _, ok := channel.ReadRef(u.Ref); ok {
		m, err = s.conversations().Message(ctx, lane.AccountID, id)
		if err != nil && !errors.Is(err, conversation.ErrNotFound) {
			return false, err
		}
	}
	if m.ID == 0 {
		if m, found, err = s.byProviderID(ctx, lane, u.MessageID); err != nil || !found {
			return false, err
		}
	}
	if m.AgentID != lane.AgentID || m.Sending == nil {
		return false, nil
	}
	return true, s.forward(ctx, lane, m, u)
}

// forward stores a status of a message. It reads the message again, since an index may be stale.
func (s *Service) forward(ctx context.Context, lane inbox.Lane, m conversation.Message,
	u channel.Update) error {
	item, err := s.Table.Get(ctx, conversation.MessageKey(lane.AccountID, m.ConversationID, m.ID))
	if errors.Is(err, table.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	if m, err = conversation.ReadMessage(item); err != nil {
		return err
	}
	outcome := message.Outcome{Status: statuses[u.Status]}
	if m.Sending.ProviderID == "" {
		outcome.ProviderID = u.MessageID
	}
	if u.Error != nil {
		outcome.Detail = u.Error.Detail
	}
	if _, err := s.Sender.SetStatus(ctx, lane.AccountID, m, item.Version, outcome); err != nil {
		return err
	}
	if u.Error != nil && u.Error.Class == channel.OptedOut {
		from := u.From
		if from.Address == "" {
			from.Address = m.Sending.To
		}
		return s.optOut(ctx, lane, from, false)
	}
	return nil
}

// seen is the number of latest messages to which a watermark applies.
const seen = 50

// watermark stores a status for all messages sent to a person until a time. It returns false if one of their
// sends is not stored yet.
func (s *Service) watermark(ctx context.Context, lane inbox.Lane, entry inbox.Entry) (all bool, err error) {
	known, _, err := s.address(ctx, lane, entry.From)
	if err != nil || known.ConversationID == 0 {
		return true, err
	}
	page, err := s.Table.Query(ctx, conversation.Latest(lane.AccountID, known.ConversationID, seen, false))
	if err != nil {
		return false, err
	}
	all = true
	for _, item := range page.Items {
		m, err := conversation.ReadMessage(item)
		if err != nil {
			return false, err
		}
		if m.Sending == nil || m.CreatedAt.After(entry.At) || !m.Status.Precedes(statuses[entry.Status]) {
			continue
		}
		if m.Sending.ProviderID == "" {
			all = all && !m.Sending.InFlight
			continue
		}
		if err := s.forward(ctx, lane, m, entry.Update); err != nil {
			return false, err
		}
	}
	return all, nil
}
