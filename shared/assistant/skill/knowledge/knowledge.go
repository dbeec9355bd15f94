// Package knowledge answers questions out of what a business taught its agent.
package knowledge

import (
	"context"

	"frontdesk/shared/ai"
	"frontdesk/shared/ai/builtin"
	"frontdesk/shared/assistant/skill"
	"frontdesk/shared/conversation"
	"frontdesk/shared/understand"
)

// A Skill has the built-in engine answer. It takes up what no other skill does, and says then that it does
// not know. A language model has the passages before it and needs no skill for them.
type Skill struct{}

// Name is what the skill is called.
const Name = "knowledge"

// Spec implements skill.Skill.
func (Skill) Spec() skill.Spec {
	return skill.Spec{
		Beside:   true,
		Name:     Name,
		Settings: []string{"faqs", "fallback_message", "max_response_length"},
	}
}

const (
	// leastOfAll is how probably a message that nothing explains is a question after all.
	leastOfAll = 0.01
	// mostAsked and mostFound bound what the engine's confidence says of the message: that the business has
	// answered this very question, or that some sentences have its words. What the agent waits for may
	// explain these as well.
	mostAsked = 0.96
	mostFound = 0.9
)

// Explain implements skill.Skill.
func (Skill) Explain(ctx context.Context, s *skill.State) (skill.Claim, error) {
	p, err := Probably(ctx, s)
	return skill.Claim{P: p, Act: answer}, err
}

// Probably is how probably the message asks what the knowledge has an answer to.
func Probably(ctx context.Context, s *skill.State) (float64, error) {
	known, err := s.Known(ctx)
	if err != nil || known.Action == ai.Fallback {
		return leastOfAll, err
	}
	if known.FAQ {
		return min(known.Confidence, mostAsked), nil
	}
	return min(max(known.Confidence, leastOfAll), mostFound), nil
}

// answer says what the knowledge has on the message, or that it has nothing.
func answer(ctx context.Context, s *skill.State) (*skill.Outcome, error) {
	known, err := s.Known(ctx)
	if err != nil {
		return nil, err
	}
	if known.Action == ai.Fallback {
		if o := s.Clarify(known.Intent, conversation.Choices(known.Near...)...); o != nil {
			return o, nil
		}
		unknown := known
		if known, err = inTheirs(ctx, s, unknown); err == nil && known.Action == ai.Fallback {
			known = guess(s, unknown, known)
		}
	} else {
		known = s.Quoted(known)
	}
	return &skill.Outcome{Reply: &known, Guessed: true}, err
}

// leastOther is how probably a message is none of the business's matters for nothing to be guessed.
const leastOther = 0.5

// guess is what the business says that may be the answer, said to be no more than that; or else the reply
// that the agent does not know. Who asks nothing, or nothing of the business, gets no guess.
func guess(s *skill.State, unknown, otherwise ai.Reply) ai.Reply {
	if unknown.Guess == nil || !s.Asks() || s.Learnt(understand.None, leastOther) > 0 {
		return otherwise
	}
	reply := s.Quoted(*unknown.Guess)
	if reply.Text != unknown.Guess.Text {
		return reply // the sentence that it is quoted with commits to nothing
	}
	if said := s.Append(s.Spoken().Perhaps, reply.Text); said != s.Spoken().Perhaps {
		reply.Text = said
	}
	return reply
}

// inTheirs has the built-in engine say in the contact's own language that it does not know, where that is not
// the agent's, or answer in it what needs no knowledge: thanks, or the wish for a person. Of the business's
// own words only those are in it that belong to no language, such as its address.
func inTheirs(ctx context.Context, s *skill.State, unknown ai.Reply) (ai.Reply, error) {
	theirs := s.Foreign(s.Text)
	if theirs == "" {
		return unknown, nil
	}
	request := s.Request()
	request.Language, request.Canned = theirs, ai.Canned{}
	request.Passages, request.Neighbours, request.Topic = skill.FieldsOf(s.Agent, theirs), nil, ""
	reply, err := s.Answers.Reply(ctx, request)
	if err != nil || reply.Action == ai.Respond || !s.AsksForLanguage(theirs) {
		return reply, err
	}
	return *s.Reply(ai.Respond, builtin.Question, s.Spoken().Speaks), nil
}
