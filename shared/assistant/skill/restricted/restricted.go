// Package restricted keeps an agent away from topics that its business does not want it to speak of.
package restricted

import (
	"context"

	"frontdesk/shared/ai"
	"frontdesk/shared/ai/builtin"
	"frontdesk/shared/assistant/skill"
	"frontdesk/shared/conversation"
)

// A Skill takes up a message that names such a topic. A language model is told of them.
type Skill struct{}

// Spec implements skill.Skill.
func (Skill) Spec() skill.Spec {
	return skill.Spec{Name: "restricted", Settings: []string{"restricted_topics", "handoff_enabled"}}
}

// sure is how probably a message that names a topic is about it.
const sure = 0.97

// Explain implements skill.Skill.
func (Skill) Explain(_ context.Context, s *skill.State) (float64, error) {
	return skill.If(s.Says(s.Agent.RestrictedTopics), sure), nil
}

// Act implements skill.Skill.
func (Skill) Act(_ context.Context, s *skill.State, _ skill.Slots) (*skill.Outcome, error) {
	o := &skill.Outcome{
		Reply: s.Reply(ai.Fallback, s.Reading.Intent, builtin.Courtesy(s.Request(), ai.Fallback)),
	}
	if s.Agent.HandoffEnabled {
		s.OfferPerson(o.Reply, false)
		o.Change.Asked = conversation.AskedForPerson
	}
	return o, nil
}
