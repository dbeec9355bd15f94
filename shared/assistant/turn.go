package assistant

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"frontdesk/shared/agent"
	"frontdesk/shared/ai"
	"frontdesk/shared/api"
	"frontdesk/shared/table"
)

// attempts bounds how often a turn begins anew because somebody else wrote to its conversation or contact meanwhile.
const attempts = 6

// Turn takes a message in and answers it. When it returns an error of the code not_found nothing was stored; with
// ai_quota_exceeded and server_error the message was stored, as the answer beside the error says, and there is no reply.
func (a *Assistant) Turn(ctx context.Context, m Message) (Answer, error) {
	var reply *ai.Reply // kept when the turn begins anew: a model is asked once
	for range attempts {
		s, err := a.load(ctx, m)
		if err != nil {
			return Answer{}, err
		}
		s.settleConversation(a, m)
		var refusal error
		action := s.silence()
		switch {
		case action != "":
			reply = nil
		case s.used >= m.Plan.Replies && m.Plan.Replies > 0:
			reply, refusal = nil, quotaExceeded(m, s.now)
		case reply == nil:
			if reply, err = a.ask(ctx, m, s); err != nil {
				refusal = modelFailed(err)
			}
		}
		answer, err := a.commit(ctx, m, s, reply)
		if table.IsFailed(err) {
			continue
		}
		if err != nil {
			return Answer{}, err
		}
		if refusal != nil {
			return answer, refusal
		}
		if reply == nil {
			answer.Action = action
		}
		api.Note(ctx, slog.Int64("agent", m.AgentID), slog.Int64("conversation", answer.ConversationID), slog.String("action", answer.Action))
		return answer, nil
	}
	return Answer{}, table.ErrBusy
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

// ask has the agent's model write the reply.
func (a *Assistant) ask(ctx context.Context, m Message, s *state) (*ai.Reply, error) {
	model, ok := a.Models[string(s.agent.AIModel)]
	if !ok {
		return nil, errors.New("assistant: no model is called " + string(s.agent.AIModel))
	}
	ctx, cancel := context.WithTimeout(ctx, modelTime)
	defer cancel()
	reply, err := model.Reply(ctx, s.request(m))
	if err != nil {
		return nil, err
	}
	return &reply, nil
}

// quotaExceeded is the answer when the plan has no reply left.
func quotaExceeded(m Message, now time.Time) error {
	e := api.Fail(api.QuotaExceeded, "The plan's %d AI replies of this period are used up.", m.Plan.Replies)
	e.Extra = map[string]any{"resets_at": m.Account.PeriodAt(now).Ends}
	return e
}

// modelFailed is the answer when there is no reply for a fault of the model.
func modelFailed(err error) error {
	e := api.Fail(api.ServerError, "The AI could not write a reply. Try again.")
	e.Err = err
	return e
}
