package assistant

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"

	"frontdesk/shared/agent"
	"frontdesk/shared/ai"
	"frontdesk/shared/ai/builtin"
	"frontdesk/shared/assistant/skill"
	"frontdesk/shared/logline"
)

// An explanation is a skill with its claim to the message.
type explanation struct {
	skill.Claim
	skill skill.Skill
	spec  skill.Spec
}

// likely is the probability above which a skill suppresses the skills that it includes.
const likely = 0.5

// explain asks every skill that the agent's settings allow for its claim. It returns the claims with a
// probability above 0, the most probable first.
func (s *state) explain(ctx context.Context) ([]explanation, error) {
	var all []explanation
	for _, k := range skills {
		spec := k.Spec()
		if spec.Allowed != nil && !spec.Allowed(&s.Agent) || s.ByModel && !spec.ByRule {
			continue
		}
		claim, err := k.Explain(ctx, s.State)
		if err != nil {
			return nil, err
		}
		if claim.P > 0 && (!s.ByModel || claim.P >= skill.Certain) {
			all = append(all, explanation{claim, k, spec})
		}
	}
	all = slices.DeleteFunc(all, func(e explanation) bool {
		return slices.ContainsFunc(all, func(of explanation) bool {
			return of.P > likely && slices.Contains(of.spec.Includes, e.spec.Name)
		})
	})
	slices.SortStableFunc(all, func(a, b explanation) int { return cmp.Compare(b.P, a.P) })
	return all, nil
}

// interpret runs the skill with the best claim. For an agent with a language model it decides only if a
// skill is certain by rule.
func (s *state) interpret(ctx context.Context) (*decision, error) {
	switch d, err := s.several(ctx); {
	case err != nil:
		return failed(err)
	case d != nil:
		return d, nil
	}
	ranked, err := s.explain(ctx)
	if err != nil {
		return failed(err)
	}
	d, at := &decision{}, s.State
	for _, e := range ranked {
		o, err := e.Act(ctx, at)
		switch {
		case err != nil:
			return failed(err)
		case o == nil:
			continue
		case o.Reply == nil: // it leaves the message to others, but has a question to return to
			d.passed, at = append(d.passed, o), at.After(o)
			continue
		}
		d.again = s.unclear(o, at.Reminder)
		if o.Reply.Confidence == skill.Sure { // the skill is right if its claim is right
			o.Reply.Confidence = e.P
		}
		logline.Add(ctx, slog.String("skill", e.spec.Name), slog.Float64("p", e.P))
		d.reply, d.guessed, d.outcomes = o.Reply, o.Guessed, []*skill.Outcome{o}
		return d, nil
	}
	return d, nil
}

// unclear changes the outcome so that it repeats the open question, if nobody understood the answer, and
// reports whether it did. The next such answer gets the fallback and the offer of a person instead.
func (s *state) unclear(o *skill.Outcome, reminder string) bool {
	if !o.Guessed || o.Reply.Action != ai.Fallback || reminder == "" || s.Reading.Asks ||
		s.Conversation.Frame.Asked.Again {
		return false
	}
	o.Reply, o.Guessed = s.Reply(ai.Respond, builtin.Booking, s.Replies().Unclear+" "+reminder), false
	return true
}

// failed returns the decision for a failed interpreter. If an engine was unavailable, the message is stored
// and the caller gets an error.
func failed(err error) (*decision, error) {
	if errors.Is(err, ai.ErrUnavailable) {
		return &decision{refusal: modelFailed(err)}, nil
	}
	return nil, err
}

// builtIn returns the engine that answers without a language model.
func (a *Assistant) builtIn() ai.Model {
	if model, ok := a.Models[string(ai.Builtin)]; ok {
		return model
	}
	return &a.engine
}

// byBuiltIn reports whether the agent uses the built-in interpreter and engine, and not a language model.
func byBuiltIn(a *agent.Agent) bool { return a.AIModel == ai.Builtin }
