package assistant

import (
	"context"
	"errors"
	"log/slog"

	"frontdesk/shared/ai"
	"frontdesk/shared/logline"
	"frontdesk/shared/table"
)

// Turn takes a message in and answers it. When it returns an error of the code not_found or one of Admit
// nothing was stored; with ai_quota_exceeded and server_error the message was stored, as the answer beside
// the error says, and there is no reply.
func (a *Assistant) Turn(ctx context.Context, m Message) (Answer, error) {
	// What a language model said or failed with is kept when the turn begins anew, because somebody else
	// wrote to its conversation or contact meanwhile: a model is asked once.
	model := new(byModel)
	var reserved reservation
	var last *state
	var answer Answer
	var refusal error
	err := table.Retry(ctx, func() error {
		s, err := a.load(ctx, m, &reserved)
		if err != nil {
			return err
		}
		last = s
		s.updateConversation()
		d, err := s.decide(ctx)
		if err != nil {
			return err
		}
		if err := s.reserve(ctx, d); err != nil {
			return err
		}
		var reply *ai.Reply
		reply, refusal = s.answer(ctx, d, model)
		s.act(d, reply)
		answer, err = s.commit(ctx, d, reply)
		return err
	})
	if err != nil {
		return Answer{}, errors.Join(err, last.giveBack(ctx))
	}
	if refusal != nil {
		return answer, refusal
	}
	logline.Add(
		ctx,
		slog.Int64("agent", m.AgentID),
		slog.Int64("conversation", answer.ConversationID),
		slog.String("action", answer.Action),
	)
	return answer, nil
}
