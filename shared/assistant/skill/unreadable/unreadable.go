// Package unreadable answers messages that have nothing but what an agent cannot read, such as a picture.
package unreadable

import (
	"context"

	"frontdesk/shared/ai"
	"frontdesk/shared/assistant/skill"
)

// A Skill asks for words.
type Skill struct{}

// Spec implements skill.Skill.
func (Skill) Spec() skill.Spec { return skill.Spec{Name: "unreadable", ByRule: true} }

// Explain implements skill.Skill.
func (Skill) Explain(_ context.Context, s *skill.State) (float64, error) {
	return skill.If(s.NeedsWords, 1), nil
}

// Act implements skill.Skill.
func (Skill) Act(_ context.Context, s *skill.State, _ skill.Slots) (*skill.Outcome, error) {
	return &skill.Outcome{Reply: s.Reply(ai.Respond, skill.Unreadable, s.Replies().InWords)}, nil
}
