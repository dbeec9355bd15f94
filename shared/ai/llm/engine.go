// Package llm answers with a language model behind a service. It has what all services have in common: it
// writes the prompt, calls the model, retries once if that may help, and parses and checks the answer. The
// protocols are in [frontdesk/shared/ai/bedrock] and [frontdesk/shared/ai/openai].
//
// Texts of visitors, documents and callers are JSON values in the user's turns, which no text can
// terminate, and never part of the instructions. The model's answer is not trusted either: it is turned
// into a reply of the allowed length, with a known action and with sources among the given passages.
package llm

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"frontdesk/shared/ai"
)

// A Service sends prompts to models and returns their answers. It is safe for concurrent use.
type Service interface {
	// Model returns the model with a name as this service calls it, and whether there is one.
	Model(name string) (ai.LanguageModel, bool)
	// Ask sends the prompt and writes the answer to the draft as it arrives. On an error the draft keeps
	// what had arrived. An error other than that of the context is a *Failure.
	Ask(ctx context.Context, p Prompt, d *Draft) error
}

// An Engine is an ai.Model that uses the models of a service.
type Engine struct{ service Service }

// New returns an Engine.
func New(s Service) *Engine { return &Engine{s} }

const (
	// leastTime is the minimum time left for another call of the model.
	leastTime = 4 * time.Second
	// pause is the maximum of the random wait before the second attempt.
	pause = time.Second
)

// Reply calls the model r.Model, at most four times if it calls tools. A failure that may be temporary is
// retried once if enough time is left. An answer that was cut short, by the deadline or the connection, is
// used up to its last complete sentence.
func (e *Engine) Reply(ctx context.Context, r ai.Request) (ai.Reply, error) {
	model, ok := e.service.Model(r.Model)
	if !ok {
		return ai.Reply{}, fmt.Errorf("%w: the service has no model %q", ai.ErrUnavailable, r.Model)
	}
	p := newPrompt(model, r)
	var usage ai.Usage
	for asked := 1; ; asked++ {
		p.Last = asked == maxAsked
		reply, uses, err := e.ask(ctx, &p)
		usage = usage.Add(reply.Usage)
		reply.Usage = usage
		if err != nil {
			return ai.Reply{Usage: usage}, fmt.Errorf("%w: %w", ai.ErrUnavailable, err)
		}
		if uses == 0 {
			return reply, nil
		}
	}
}

// ask calls the model once, or twice if the first answer is unusable. It returns the reply, or the number
// of tools that the model called, whose results were added to the prompt. The reply has the usage in any
// case.
func (e *Engine) ask(ctx context.Context, p *Prompt) (reply ai.Reply, uses int, err error) {
	var usage ai.Usage
	var partial *ai.Reply
	defer func() { reply.Usage = usage }()
	for second := false; ; second = true {
		var d Draft
		err := e.service.Ask(ctx, *p, &d)
		if d.Stop != "" {
			err = nil // what failed afterwards can only be the counts
		}
		usage = usage.Add(d.usage(*p))
		if err == nil && d.Stop == Complete {
			if made := p.calls(&d); len(made) > 0 {
				p.use(ctx, &d, made)
				return ai.Reply{}, len(made), nil
			}
		}
		var reply ai.Reply
		if err == nil {
			reply, err = p.read(&d, d.Stop != Cut)
		} else if unfinished, problem := p.read(&d, false); problem == nil {
			partial = &unfinished
		}
		if err == nil {
			return reply, 0, nil
		}
		if !second && again(ctx, err) {
			continue
		}
		if partial != nil && !errors.Is(ctx.Err(), context.Canceled) {
			return *partial, 0, nil
		}
		return ai.Reply{}, 0, err
	}
}

// again waits before a second attempt, and reports whether one is worthwhile: the failure may be temporary,
// and enough time is left.
func again(ctx context.Context, err error) bool {
	var f *Failure
	if !errors.As(err, &f) || !f.Passing {
		return false
	}
	wait := f.After + pause/4 + rand.N(pause*3/4)
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < wait+leastTime {
		return false
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
