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
func (Skill) Explain(_ context.Context, s *skill.State) (skill.Claim, error) {
	if !s.NeedsWords {
		return skill.Claim{}, nil
	}
	reply := s.Reply(ai.Respond, skill.Unreadable, s.Replies().InWords)
	return skill.Claims(1, &skill.Outcome{Reply: reply}), nil
}
