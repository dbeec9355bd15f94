// Package llm answers by a language model behind a service: what all such services have in common. It writes
// the prompt, asks, tries once more where that may help, and reads and checks what came back. How a service
// is spoken to is for [frontdesk/shared/ai/bedrock] and [frontdesk/shared/ai/openai].
//
// What visitors, documents and callers say goes to the model as values of JSON within the person's turns,
// which no text can end, and never into the instructions. What the model says is not trusted either: it
// becomes a reply of the length allowed, one of the known actions, and sources among the passages that were
// given.
package llm

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"frontdesk/shared/ai"
)

// A Service carries prompts to models and brings back what they write. It is safe for concurrent use.
type Service interface {
	// Model returns the model of a name as it is asked from here. False where the service has none of that
	// name.
	Model(name string) (ai.LanguageModel, bool)
	// Ask has the model answer the prompt and takes the answer down as it is written. Whatever the error, the
	// draft keeps what had come by then. An error other than that of the context is a *Failure.
	Ask(ctx context.Context, p Prompt, d *Draft) error
}

// An Engine is an ai.Model that answers by the models of a service.
type Engine struct{ service Service }

// New returns an Engine.
func New(s Service) *Engine { return &Engine{s} }

const (
	// leastTime is how long a model should have for an answer; with less left, it is not asked again.
	leastTime = 4 * time.Second
	// pause bounds the random wait before the second attempt.
	pause = time.Second
)

// Reply has the model r.Model answer r.Message, once it has called such of r.Tools as it wants: it is asked
// four times at most. A failure that may pass is tried once more where time is left. An answer that the end
// of the time, or of the connection, cut short is used as far as its sentences are whole.
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

// ask asks the model once, or twice where the first answer is none. It returns the reply, or how many tools
// the model has called, the results of which stand in the prompt then. The reply has the usage, whatever came
// of it.
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

// again waits before a second attempt, and reports whether one is worth it: the failure may pass, and time is
// left.
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
