// Package quickanswers answers the shortcuts of a business's quick answers.
package quickanswers

import (
	"context"

	"frontdesk/shared/ai"
	"frontdesk/shared/ai/builtin"
	"frontdesk/shared/assistant/skill"
)

// A Skill answers a message that is the shortcut of a quick answer. The quick answers are part of the
// knowledge, too.
type Skill struct{}

// Spec implements skill.Skill.
func (Skill) Spec() skill.Spec { return skill.Spec{Name: "quick_answer", ByRule: true} }

// sure is below the probability of an awaited answer: a word that was asked for is no shortcut.
const sure = 0.975

// Explain implements skill.Skill.
func (Skill) Explain(_ context.Context, s *skill.State) (skill.Claim, error) {
	content, ok := s.Shortcut()
	if !ok {
		return skill.Claim{}, nil
	}
	return skill.Claims(sure, &skill.Outcome{Reply: s.Reply(ai.Respond, builtin.Question, content)}), nil
}
