// Package knowledge answers questions from the agent's knowledge.
package knowledge

import (
	"context"

	"frontdesk/shared/ai"
	"frontdesk/shared/ai/builtin"
	"frontdesk/shared/assistant/skill"
	"frontdesk/shared/conversation"
	"frontdesk/shared/understand"
)

// A Skill lets the built-in engine answer. It handles what no other skill does, if only with the fallback.
// A language model has the passages in its prompt and does not need the skill.
type Skill struct{}

// Name is the name of the skill.
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
	// leastOfAll is the probability of a message that nothing explains.
	leastOfAll = 0.01
	// mostAsked and mostFound are the maximum probabilities for the answer of an FAQ and for sentences that
	// match. They are limited since the answer to the agent's question may match, too.
	mostAsked = 0.96
	mostFound = 0.9
)

// Explain implements skill.Skill.
func (Skill) Explain(ctx context.Context, s *skill.State) (skill.Claim, error) {
	p, err := Probably(ctx, s)
	return skill.Claim{P: p, Act: answer}, err
}

// Probably returns the probability that the message asks something that the knowledge answers.
func Probably(ctx context.Context, s *skill.State) (float64, error) {
	known, err := s.Known(ctx)
	if err != nil || known.Action == ai.Fallback || unrelated(s, known) {
		return leastOfAll, err
	}
	if known.FAQ {
		return min(known.Confidence, mostAsked), nil
	}
	return min(max(known.Confidence, leastOfAll), mostFound), nil
}

// answer replies from the knowledge, or with the fallback.
func answer(ctx context.Context, s *skill.State) (*skill.Outcome, error) {
	known, err := s.Known(ctx)
	if err == nil && unrelated(s, known) {
		known, err = unknown(ctx, s)
	}
	if err != nil {
		return nil, err
	}
	if known.Action == ai.Fallback {
		if o := s.Clarify(known.Intent, conversation.Choices(known.Near...)...); o != nil {
			return o, nil
		}
		own := known
		if known, err = inTheirs(ctx, s, own); err == nil && known.Action == ai.Fallback {
			known = guess(s, own, known)
		}
		if said := s.Unspoken(); said != "" && known.Action == ai.Fallback {
			known.Text = said
		}
	} else {
		known = s.Quoted(known)
	}
	return &skill.Outcome{Reply: &known, Guessed: true}, err
}

// leastOther is the probability of an unrelated matter from which nothing is guessed, and nothing is answered
// but an FAQ or with a confidence of surely.
const (
	leastOther = 0.5
	surely     = 0.75
)

// unrelated reports whether an answer only has words of a message that is about something else: "What will
// the weather be in Leeds?" is no question for a business in Leeds.
func unrelated(s *skill.State, known ai.Reply) bool {
	return known.Action == ai.Respond && !known.FAQ && known.Confidence < surely &&
		s.Learnt(understand.None, leastOther) > 0
}

// unknown returns the built-in engine's reply to a message that nothing answers.
func unknown(ctx context.Context, s *skill.State) (ai.Reply, error) {
	request := s.Request()
	request.Passages, request.Neighbours, request.Topic = nil, nil, ""
	return s.Answers.Reply(ctx, request)
}

// guess returns a possible answer, presented as a guess, or else the fallback. Messages that ask nothing,
// or nothing of the business, get no guess.
func guess(s *skill.State, unknown, otherwise ai.Reply) ai.Reply {
	if unknown.Guess == nil || !s.Asks() || s.Learnt(understand.None, leastOther) > 0 {
		return otherwise
	}
	reply := s.Quoted(*unknown.Guess)
	if reply.Text != unknown.Guess.Text {
		return reply // the introduction of the quote commits to nothing
	}
	if said := s.Append(s.Spoken().Perhaps, reply.Text); said != s.Spoken().Perhaps {
		reply.Text = said
	}
	return reply
}

// inTheirs returns the reply in the contact's language if it is not the agent's: the fallback, or what
// needs no knowledge, such as thanks. Of the business's own words it only has those that belong to no
// language, such as its address.
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
