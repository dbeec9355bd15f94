package assistant

import (
	"context"
	"errors"
	"log/slog"

	"frontdesk/shared/agent"
	"frontdesk/shared/ai"
	"frontdesk/shared/api"
	"frontdesk/shared/table"
)

// Turn takes a message in and answers it. When it returns an error of the code not_found or one of Admit nothing was
// stored; with ai_quota_exceeded and server_error the message was stored, as the answer beside the error says, and there
// is no reply.
func (a *Assistant) Turn(ctx context.Context, m Message) (Answer, error) {
	// What the model said or failed with is kept when the turn begins anew, because somebody else wrote to its
	// conversation or contact meanwhile: a model is asked once.
	var reply *ai.Reply
	var failure error
	var answer Answer
	var refusal error
	err := table.Retry(ctx, func() error {
		s, err := a.load(ctx, m)
		if err != nil {
			return err
		}
		s.settleConversation(a, m)
		action := s.silence()
		refusal = nil
		switch {
		case action != "":
			reply = nil
		case s.used >= s.plan.Replies && s.plan.Replies > 0:
			reply, refusal = nil, s.quotaExceeded()
		default:
			if reply == nil && failure == nil {
				reply, failure = a.ask(ctx, m, s)
			}
			refusal = failure
		}
		answer, err = a.commit(ctx, m, s, reply)
		if reply == nil {
			answer.Action = action
		}
		return err
	})
	if err != nil {
		return Answer{}, err
	}
	if refusal != nil {
		return answer, refusal
	}
	api.Note(ctx, slog.Int64("agent", m.AgentID), slog.Int64("conversation", answer.ConversationID), slog.String("action", answer.Action))
	if reply != nil && reply.Usage != (ai.Usage{}) {
		api.Note(ctx, slog.Int64("input_tokens", reply.Usage.InputTokens), slog.Int64("output_tokens", reply.Usage.OutputTokens),
			slog.Int64("micro_usd", reply.Usage.MicroUSD))
	}
	return answer, nil
}

// silence says why the agent does not reply by itself, "" when it does.
func (s *state) silence() string {
	switch {
	case !s.conversation.AnsweredByAI():
		return HumanHandling
	case s.agent.Status == agent.Paused:
		return AgentPaused
	case !s.agent.AIEnabled:
		return AIDisabled
	}
	return ""
}

// ask has the agent's model write the reply. Its error is the answer to the request.
func (a *Assistant) ask(ctx context.Context, m Message, s *state) (*ai.Reply, error) {
	service, name := s.agent.AIModel.Service()
	model, ok := a.Models[service]
	if !ok {
		return nil, modelFailed(errors.New("assistant: this deployment has no service for the model " + string(s.agent.AIModel)))
	}
	ctx, cancel := context.WithTimeout(ctx, modelTime)
	defer cancel()
	request := s.request(m)
	request.Model = name
	reply, err := model.Reply(ctx, request)
	if err != nil {
		return nil, modelFailed(err)
	}
	return &reply, nil
}

// quotaExceeded is the answer when the plan has no reply left.
func (s *state) quotaExceeded() error {
	e := api.Fail(api.QuotaExceeded, "The plan's %d AI replies of this period are used up.", s.plan.Replies)
	e.Extra = map[string]any{"resets_at": s.account.PeriodAt(s.now).Ends}
	return e
}

// modelFailed is the answer when there is no reply for a fault of the model.
func modelFailed(err error) error {
	e := api.Fail(api.ServerError, "The AI could not write a reply. Try again.")
	e.Err = err
	return e
}
