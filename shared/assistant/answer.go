package assistant

import (
	"context"
	"log/slog"

	"frontdesk/shared/ai"
	"frontdesk/shared/fault"
)

// answer is the reply that the decision calls for, nil where nobody replies. A language model's is asked for
// here, and where it fails the built-in interpreter answers, if the owner wants that. The error is the answer
// to the request.
func (s *state) answer(ctx context.Context, d *decision, model *byModel) (*ai.Reply, error) {
	if !d.asksModel() {
		return d.reply, d.refusal
	}
	reply, outcomes, err := model.interpret(ctx, s)
	if err == nil {
		said := *reply // which stays for another try
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

// modelFailed is the answer when there is no reply for a fault of the model.
func modelFailed(err error) error {
	e := fault.New(fault.ServerError, "The AI could not write a reply. Try again.")
	e.Err = err
	return e
}
