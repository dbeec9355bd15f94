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

// An explanation is a skill that a message may call for, with its claim.
type explanation struct {
	skill.Claim
	skill skill.Skill
	spec  skill.Spec
}

// likely is the probability above which a skill that includes another is no rival of it.
const likely = 0.5

// explain asks every skill that the agent's settings allow how well it explains the message. The most
// probable comes first, and those that say it is nothing of theirs are left out.
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

// interpret has the skill act that explains the message best. A language model's agent is left without an
// outcome where no skill is certain by rule.
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
		case o.Reply == nil: // it leaves the message to others, and has something to go back to
			d.passed, at = append(d.passed, o), at.After(o)
			continue
		}
		d.again = s.unclear(o, at.Reminder)
		if o.Reply.Confidence == skill.Sure { // in its words: as sure as it is that they are called for
			o.Reply.Confidence = e.P
		}
		logline.Add(ctx, slog.String("skill", e.spec.Name), slog.Float64("p", e.P))
		d.reply, d.guessed, d.outcomes = o.Reply, o.Guessed, []*skill.Outcome{o}
		return d, nil
	}
	return d, nil
}

// unclear has an outcome put the open question again, where nobody knows what to make of an answer to it, and
// reports whether it does. To the next such answer the agent says that it does not know, and offers a person.
func (s *state) unclear(o *skill.Outcome, reminder string) bool {
	if !o.Guessed || o.Reply.Action != ai.Fallback || reminder == "" || s.Reading.Asks ||
		s.Conversation.Frame.Asked.Again {
		return false
	}
	o.Reply, o.Guessed = s.Reply(ai.Respond, builtin.Booking, s.Replies().Unclear+" "+reminder), false
	return true
}

// failed is the decision about a turn whose interpreter failed. Where an engine gave up, the message is kept
// and the caller is told.
func failed(err error) (*decision, error) {
	if errors.Is(err, ai.ErrUnavailable) {
		return &decision{refusal: modelFailed(err)}, nil
	}
	return nil, err
}

// builtIn is the engine that answers where no language model does.
func (a *Assistant) builtIn() ai.Model {
	if model, ok := a.Models[string(ai.Builtin)]; ok {
		return model
	}
	return &a.engine
}

// byBuiltIn reports whether the built-in interpreter reads the agent's messages and the built-in engine
// replies; else a language model does both.
func byBuiltIn(a *agent.Agent) bool { return a.AIModel == ai.Builtin }
