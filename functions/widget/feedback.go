package widget

import (
	"context"
	"errors"

	"frontdesk/shared/agent"
	"frontdesk/shared/conversation"
	"frontdesk/shared/fault"
	"frontdesk/shared/table"
)

type feedbackIn struct {
	embedIn
	SessionID string              `json:"session_id" check:"required,format=uuid" example:"063cf14b-1180-808b-9d1f-0c7a5b9e2d41"`
	MessageID int64               `json:"message_id" check:"required" doc:"A message to the visitor." example:"219482113064962"`
	Rating    conversation.Rating `json:"rating" check:"required" example:"positive"`
}

// Feedback is a visitor's rating of a message.
type Feedback struct {
	MessageID int64               `json:"message_id" example:"219482113064962"`
	Rating    conversation.Rating `json:"rating" example:"positive"`
}

// feedback rates a message. The rating and the counters change in one transaction, so that rating again
// replaces the earlier rating in the counts too.
func (s *Service) feedback(ctx context.Context, in feedbackIn) (Feedback, error) {
	ctx, ref, err := s.take(ctx, in.EmbedKey, in.SessionID, writes)
	if err != nil {
		return Feedback{}, err
	}
	err = table.Retry(ctx, func() error {
		item, err := s.rated(ctx, in, ref)
		if err != nil {
			return err
		}
		writes, err := conversation.Rate(ref.AccountID, ref.AgentID, item, in.Rating)
		if err != nil {
			return err
		}
		return s.Table.Transact(ctx, writes...)
	})
	return Feedback{in.MessageID, in.Rating}, err
}

// rated reads the message to rate. It must be a message to the visitor, in the visitor's session.
func (s *Service) rated(ctx context.Context, in feedbackIn, ref agent.Ref) (table.Item, error) {
	_, item, err := conversation.ReadBySession(ctx, in.SessionID,
		func(ctx context.Context) (conversation.Session, error) {
			return s.session(ctx, in.embedIn, ref, in.SessionID)
		}, func(ctx context.Context, id int64) (table.Item, error) {
			messages := conversation.Messages{Table: s.Table}
			item, err := messages.Get(ctx, conversation.MessageKey(ref.AccountID, id, in.MessageID))
			if errors.Is(err, table.ErrNotFound) {
				return table.Item{}, nil // the session decides what is not found
			}
			return item, err
		})
	if err != nil {
		return table.Item{}, err
	}
	if item.Version == 0 {
		return table.Item{}, fault.NotFound()
	}
	message, err := conversation.ReadMessage(item)
	if err == nil && message.Direction != conversation.Outbound {
		err = fault.Invalid("message_id", "The message %d is the visitor's own.", in.MessageID)
	}
	return item, err
}
