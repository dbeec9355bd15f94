package assistant

import (
	"context"
	"errors"
	"log/slog"

	"frontdesk/shared/ai"
	"frontdesk/shared/fault"
	"frontdesk/shared/logline"
)

// A modelOnce asks an agent's model at most once, and gives the same reply or failure to whoever asks again.
type modelOnce func(context.Context, *state) (*ai.Reply, error)

func (a *Assistant) modelOnce(m Message) modelOnce {
	var reply *ai.Reply
	var failure error
	return func(ctx context.Context, s *state) (*ai.Reply, error) {
		if reply == nil && failure == nil {
			reply, failure = a.ask(ctx, s)
		}
		return reply, failure
	}
}

// answer is the reply that the decision calls for, nil where nobody replies. The error is the answer to the
// request.
func (s *state) answer(ctx context.Context, d *decision, model modelOnce) (*ai.Reply, error) {
	switch {
	case d.outcome != nil:
		return d.outcome.Reply, nil
	case !d.asksModel():
		return nil, d.refusal
	}
	said, err := model(ctx, s)
	if err != nil {
		return nil, err
	}
	reply := *said // which stays for another try
	return &reply, nil
}

// ask has the agent's model write the reply. Its error is the answer to the request.
func (a *Assistant) ask(ctx context.Context, s *state) (*ai.Reply, error) {
	service, name := s.Agent.AIModel.Service()
	model, ok := a.Models[service]
	switch {
	case !ok:
		return nil, modelFailed(
			errors.New("assistant: this deployment has no service for the model " + string(s.Agent.AIModel)),
		)
	}
	ctx, cancel := context.WithTimeout(ctx, modelTime)
	defer cancel()
	request := s.Request()
	request.Model = name
	reply, err := model.Reply(ctx, request)
	if err != nil {
		return nil, modelFailed(err)
	}
	s.reservation.cost = reply.Usage.MicroUSD
	if reply.Usage != (ai.Usage{}) {
		logline.Add(
			ctx,
			slog.Int64("input_tokens", reply.Usage.InputTokens),
			slog.Int64("output_tokens", reply.Usage.OutputTokens),
			slog.Int64("micro_usd", reply.Usage.MicroUSD),
		)
	}
	return &reply, nil
}

// modelFailed is the answer when there is no reply for a fault of the model.
func modelFailed(err error) error {
	e := fault.New(fault.ServerError, "The AI could not write a reply. Try again.")
	e.Err = err
	return e
}
