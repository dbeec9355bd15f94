package widget

import (
	"context"

	"frontdesk/shared/change"
	"frontdesk/shared/conversation"
	"frontdesk/shared/table"
)

type typingIn struct {
	embedIn
	SessionID string `json:"session_id" check:"required,format=uuid" example:"063cf14b-1180-808b-9d1f-0c7a5b9e2d41"`
}

// Typing is the answer to a visitor who types.
type Typing struct {
	Person bool `json:"person" doc:"Whether a person of the business answers, who sees it." example:"true"`
}

// typing stores that a visitor is typing if a person handles the conversation.
func (s *Service) typing(ctx context.Context, in typingIn) (Typing, error) {
	ctx, ref, err := s.take(ctx, in.EmbedKey, in.SessionID, typing)
	if err != nil {
		return Typing{}, err
	}
	session, found, err := conversation.ReadBySession(ctx, in.SessionID,
		func(ctx context.Context) (conversation.Session, error) {
			return s.session(ctx, in.embedIn, ref, in.SessionID)
		}, func(ctx context.Context, id int64) ([]table.Item, error) {
			page, err := s.Table.Query(ctx, conversation.HeadWithPresence(ref.AccountID, id))
			return page.Items, err
		})
	if err != nil || len(found) == 0 || !conversation.IsKey(found[0].Key) {
		return Typing{}, err
	}
	c, err := conversation.Read(found[0])
	if err != nil || c.AnsweredByAI() || c.Ended() {
		return Typing{}, err
	}
	p := change.Who{Visitor: true}.In(session.ConversationID, change.Writing, s.Assistant.IDs.Next())
	for _, item := range found[1:] {
		earlier, err := change.ReadPresence(item)
		if err != nil {
			return Typing{}, err
		}
		if p.Repeats(earlier) {
			return Typing{Person: true}, nil
		}
	}
	partition := conversation.Partition(ref.AccountID, session.ConversationID)
	return Typing{Person: true}, s.Table.Transact(ctx, p.Write(ref.AccountID, partition))
}
