package assistant

import (
	"context"
	"log/slog"

	"frontdesk/shared/ai"
	"frontdesk/shared/fault"
)

// answer returns the reply of the decision, or nil if there is none. It calls the language model if the
// decision leaves the reply to one. If the model fails, the built-in interpreter answers, unless the owner
// switched that off. The error is for the caller of the API.
func (s *state) answer(ctx context.Context, d *decision, model *byModel) (*ai.Reply, error) {
	if !d.asksModel() {
		return d.reply, d.refusal
	}
	reply, outcomes, err := model.interpret(ctx, s)
	if err == nil {
		said := *reply // a retry of the turn needs the original
		d.reply, d.outcomes, d.guessed = &said, outcomes, len(outcomes) == 0
		return d.reply, nil
	}
	if !s.Agent.AIFallback {
		return nil, modelFailed(err)
	}
	slog.WarnContext(ctx, "the built-in interpreter answers for a model that failed", "error", err)
	s.ByModel = false
	s.Forget()
	built, failure := s.interpret(ctx)
	if failure != nil || built.refusal != nil {
		return nil, modelFailed(err)
	}
	*d = *built
	return d.reply, nil
}

// modelFailed returns the API's error for a failure of the model.
func modelFailed(err error) error {
	e := fault.New(fault.ServerError, "The AI could not write a reply. Try again.")
	e.Err = err
	return e
}
