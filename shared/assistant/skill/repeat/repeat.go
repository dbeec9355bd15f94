// Package repeat repeats what the agent has said.
package repeat

import (
	"context"
	"slices"

	"frontdesk/shared/ai"
	"frontdesk/shared/ai/builtin"
	"frontdesk/shared/assistant/skill"
	"frontdesk/shared/text"
	"frontdesk/shared/understand"
	"frontdesk/shared/when"
)

// A Skill handles requests to repeat something: "What was the number again?" It finds the matching sentence
// in the agent's latest replies, or repeats the last reply. Language models do this by themselves.
type Skill struct{}

// Spec implements skill.Skill.
func (Skill) Spec() skill.Spec {
	return skill.Spec{Name: "repeat", Settings: []string{"memory_enabled"}}
}

const (
	// least is the minimum probability of a request to repeat something.
	least = 0.6
	// found is the probability if a reply has what the message asks for.
	found = 0.94
	// few is the maximum number of significant words: "the number for the weekend again" may be about a
	// number that was not said.
	few = 2
	// maxReplies is the number of latest replies that are searched.
	maxReplies = 4
)

// Explain implements skill.Skill.
func (Skill) Explain(_ context.Context, s *skill.State) (skill.Claim, error) {
	p := s.Learnt(understand.Repeat, least)
	if p == 0 || !s.Agent.MemoryEnabled || s.Telling() > few || p < s.Understood().Best().P {
		return skill.Claim{}, nil
	}
	replies := s.LastReplies(maxReplies)
	if len(replies) == 0 {
		return skill.Claim{}, nil
	}
	words := replies[0]
	if has := kindOf(s); has != nil {
		if words = holding(s, replies, has); words == "" {
			return skill.Claim{}, nil
		}
		p = max(p, found)
	}
	return skill.Claims(p, &skill.Outcome{Reply: s.Reply(ai.Respond, builtin.Question, words)}), nil
}

// kindOf returns a function that reports whether a sentence has what the message asks for: a phone number,
// a price or a time. It is nil if the message does not say what.
func kindOf(s *skill.State) func(sentence string) bool {
	concepts := s.Understood().Concepts
	has := func(kind text.Kind) func(string) bool {
		return func(sentence string) bool {
			return slices.ContainsFunc(text.Tokens(s.Tongue(), sentence), func(t text.Token) bool {
				return t.Kind == kind
			})
		}
	}
	switch {
	case slices.Contains(concepts, "phone"):
		return has(text.Phone)
	case slices.Contains(concepts, "price"):
		return has(text.Price)
	case s.Reading.Time:
		return func(sentence string) bool { return !when.Parse(s.Tongue(), sentence, s.Now).Empty() }
	}
	return nil
}

// holding returns the sentences of the latest reply that has any accepted by has, or "".
func holding(s *skill.State, replies []string, has func(string) bool) string {
	for _, reply := range replies {
		words := ""
		for _, segment := range text.Segments(reply) {
			switch sentence := segment.Text(reply); {
			case !has(sentence):
			case words == "":
				words = sentence
			default:
				words = s.Append(words, sentence)
			}
		}
		if words != "" {
			return words
		}
	}
	return ""
}
