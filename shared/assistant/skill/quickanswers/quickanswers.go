// Package quickanswers answers the shortcuts that a business gives its answers.
package quickanswers

import (
	"context"

	"frontdesk/shared/ai"
	"frontdesk/shared/ai/builtin"
	"frontdesk/shared/assistant/skill"
)

// A Skill takes up a message that is the shortcut of a quick answer. What the answers say is among the
// knowledge, too.
type Skill struct{}

// Spec implements skill.Skill.
func (Skill) Spec() skill.Spec { return skill.Spec{Name: "quick_answer", ByRule: true} }

// sure is below what an awaited answer has: a word that is asked for is no shortcut.
const sure = 0.975

// Explain implements skill.Skill.
func (Skill) Explain(_ context.Context, s *skill.State) (skill.Claim, error) {
	content, ok := s.Shortcut()
	if !ok {
		return skill.Claim{}, nil
	}
	return skill.Claims(sure, &skill.Outcome{Reply: s.Reply(ai.Respond, builtin.Question, content)}), nil
}
