package widget

import (
	"context"
	"errors"

	"frontdesk/shared/api"
	"frontdesk/shared/conversation"
	"frontdesk/shared/table"
)

type feedbackIn struct {
	embedIn
	SessionID string              `json:"session_id" check:"required,format=uuid" example:"3f2b8c1e-6a54-4e0b-9d1f-0c7a5b9e2d41"`
	MessageID int64               `json:"message_id" check:"required" doc:"A message to the visitor." example:"219482113064962"`
	Rating    conversation.Rating `json:"rating" check:"required" example:"positive"`
}

// A Feedback is how a visitor has rated a message.
type Feedback struct {
	MessageID int64               `json:"message_id" example:"219482113064962"`
	Rating    conversation.Rating `json:"rating" example:"positive"`
}

// feedbackAttempts bounds how often a rating is tried while others rate the same message.
const feedbackAttempts = 6

func (s *Service) feedback(ctx context.Context, in feedbackIn) (Feedback, error) {
	ref, err := s.owner(ctx, in.EmbedKey, in.SessionID, writes)
	if err != nil {
		return Feedback{}, err
	}
	session, err := s.session(ctx, in.embedIn, ref, in.SessionID)
	if err != nil {
		return Feedback{}, err
	}
	for range feedbackAttempts {
		item, err := s.Table.Get(ctx, table.MessageKey(ref.AccountID, session.ConversationID, in.MessageID))
		if errors.Is(err, table.ErrNotFound) {
			return Feedback{}, api.NotFound()
		}
		if err != nil {
			return Feedback{}, err
		}
		message, err := conversation.ReadMessage(item)
		if err != nil {
			return Feedback{}, err
		}
		if message.Direction != conversation.Outbound {
			return Feedback{}, api.Invalid("message_id", "The message %d is the visitor's own.", in.MessageID)
		}
		writes, err := conversation.Rate(ref.AccountID, ref.AgentID, item, in.Rating)
		if err != nil {
			return Feedback{}, err
		}
		if err := s.Table.Transact(ctx, writes...); !table.IsFailed(err) {
			return Feedback{in.MessageID, in.Rating}, err
		}
	}
	return Feedback{}, table.ErrBusy
}
