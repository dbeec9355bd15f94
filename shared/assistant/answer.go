package assistant

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"unicode/utf8"

	"frontdesk/shared/ai"
	"frontdesk/shared/fault"
	"frontdesk/shared/logline"
	"frontdesk/shared/text"
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

// answer is the reply that the decision calls for, nil where nobody replies. The error is the answer to the request.
func (s *state) answer(ctx context.Context, d *decision, model modelOnce) (*ai.Reply, error) {
	if d.silence != "" || d.refusal != nil || d.reply != nil {
		return d.reply, d.refusal
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
	service, name := s.agent.AIModel.Service()
	model, ok := a.Models[service]
	switch {
	case ok:
	case service == string(ai.Builtin):
		model = &a.engine
	default:
		return nil, modelFailed(errors.New("assistant: this deployment has no service for the model " + string(s.agent.AIModel)))
	}
	ctx, cancel := context.WithTimeout(ctx, modelTime)
	defer cancel()
	request := s.request()
	request.Model = name
	reply, err := model.Reply(ctx, request)
	if err != nil {
		return nil, modelFailed(err)
	}
	switch {
	case s.agent.AIModel != ai.Builtin:
	case reply.Action == ai.Fallback:
		if reply, err = a.inTheirs(ctx, s, reply); err != nil {
			return nil, modelFailed(err)
		}
	default:
		reply = s.quoted(reply)
	}
	s.reservation.cost = reply.Usage.MicroUSD
	if reply.Usage != (ai.Usage{}) {
		logline.Add(ctx, slog.Int64("input_tokens", reply.Usage.InputTokens), slog.Int64("output_tokens", reply.Usage.OutputTokens),
			slog.Int64("micro_usd", reply.Usage.MicroUSD))
	}
	return &reply, nil
}

// modelFailed is the answer when there is no reply for a fault of the model.
func modelFailed(err error) error {
	e := fault.New(fault.ServerError, "The AI could not write a reply. Try again.")
	e.Err = err
	return e
}

// certain is the confidence in a reply that needs no knowledge.
const certain = 1

// reply is one that a decider writes, cut to the agent's length.
func (s *state) reply(action, intent, words string) *ai.Reply {
	return &ai.Reply{Text: s.fit(words), Action: action, Intent: intent, Confidence: certain}
}

// fit cuts what is said to the agent's length.
func (s *state) fit(words string) string {
	if s.agent.MaxResponseLength < 1 {
		return words
	}
	return text.Cut(words, s.agent.MaxResponseLength)
}

// append adds a sentence to what is said, where the agent's length has room for it.
func (s *state) append(words, sentence string) string {
	between := " "
	if last, _ := utf8.DecodeLastRuneInString(words); !strings.ContainsRune(".!?…。؟", last) { // a price, an address
		between = "\n"
	}
	both := words + between + sentence
	if sentence == "" || s.agent.MaxResponseLength > 0 && utf8.RuneCountInString(both) > s.agent.MaxResponseLength {
		return words
	}
	return both
}
