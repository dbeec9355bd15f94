package inbox

import (
	"context"
	"slices"
	"strings"
	"time"

	"frontdesk/shared/channel"
	"frontdesk/shared/conversation"
	"frontdesk/shared/inbox"
)

const (
	// echoTime is how long after a message was written its echo may come.
	echoTime = 10 * time.Minute
	// echoed is how many of the latest messages an echo is compared with.
	echoed = 10
)

// sentByUs reports whether an echo is of a message that was sent from here though its id is not known: the
// echo came before the answer of the send was noted, that answer was lost, or the message is one part of a
// long one. Not every platform returns our reference, so the text decides. A message whose answer was lost is
// settled thereby.
func (s *Service) sentByUs(
	ctx context.Context, lane inbox.Lane, conversationID int64, entry inbox.Entry,
) (bool, error) {
	page, err := s.Table.Query(ctx, conversation.Latest(lane.AccountID, conversationID, echoed, false))
	if err != nil {
		return false, err
	}
	limit, text := s.Channels.Info(lane.Channel).Text, strings.TrimSpace(entry.Text)
	for _, item := range page.Items {
		m, err := conversation.ReadMessage(item)
		if err != nil {
			return false, err
		}
		if m.Sending == nil || s.Now().Sub(m.CreatedAt) > echoTime {
			continue
		}
		parts := channel.Split(limit, m.Content)
		known := m.Sending.ProviderID != "" && len(parts) == 1
		switch {
		case m.Sending.ProviderID == entry.MessageID:
			return true, nil
		case known || !slices.Contains(parts, text):
			continue
		case len(parts) == 1 && !m.Sending.UnderWay:
			accepted := entry.Update
			accepted.Status = channel.Accepted
			return true, s.forward(ctx, lane, m, accepted)
		}
		return true, nil
	}
	return false, nil
}
