package assistant

import (
	"context"
	"errors"
	"log/slog"

	"frontdesk/shared/ai"
	"frontdesk/shared/logline"
	"frontdesk/shared/quota"
	"frontdesk/shared/table"
)

// Turn stores a message and answers it. If it returns an error of code not_found or the error of Admit,
// nothing was stored. With ai_quota_exceeded and server_error the message was stored without a reply, and
// the answer is valid too.
func (a *Assistant) Turn(ctx context.Context, m Message) (Answer, error) {
	// The result of the language model is kept if the turn runs again after a concurrent write: the model
	// is called once.
	model := new(byModel)
	reserved := quota.Reservation{Ahead: true}
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
		return Answer{}, errors.Join(err, reserved.GiveBack(ctx))
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

// respond decides what to do with the loaded message, generates the reply and applies the changes to the
// state only. The reply is nil if there is none. A refusal is an error for the caller, after the message
// was stored.
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
