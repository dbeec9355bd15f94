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
	reserved := reservation{ahead: true}
	var answer Answer
	var refusal error
	err := table.Retry(ctx, func() error {
		s, err := a.load(ctx, m, &reserved)
		if err != nil {
			return err
		}
		d, reply, refused, err := s.respond(ctx, model)
		if err != nil {
			return err
		}
		refusal = refused
		answer, err = s.commit(ctx, d, reply)
		return err
	})
	if err != nil {
		return Answer{}, errors.Join(err, reserved.giveBack(ctx))
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

// respond decides about the message that was loaded, answers it and carries out what was decided, in the
// state alone. The reply is nil where there is none, as beside a refusal, which is for the caller.
func (s *state) respond(ctx context.Context, model *byModel) (
	d *decision, reply *ai.Reply, refusal, err error,
) {
	s.updateConversation()
	if d, err = s.decide(ctx); err != nil {
		return nil, nil, nil, err
	}
	if err := s.reserve(ctx, d); err != nil {
		return nil, nil, nil, err
	}
	reply, refusal = s.answer(ctx, d, model)
	s.act(d, reply)
	return d, reply, refusal, nil
}
