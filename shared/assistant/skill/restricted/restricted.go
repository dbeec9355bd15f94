// Package restricted keeps an agent away from topics that its business does not want it to speak of.
package restricted

import (
	"context"

	"frontdesk/shared/ai"
	"frontdesk/shared/ai/builtin"
	"frontdesk/shared/assistant/skill"
	"frontdesk/shared/frame"
)

// A Skill takes up a message that names such a topic, or a medicine where one is of medicine. A language
// model is told of the topics.
type Skill struct{}

// Spec implements skill.Skill.
func (Skill) Spec() skill.Spec {
	return skill.Spec{Name: "restricted", Settings: []string{"restricted_topics", "handoff_enabled"}}
}

const (
	// sure is how probably a message that names a topic is about it.
	sure = 0.97
	// byMedicine is how probably one that names a medicine asks for advice on it. The business may sell it,
	// or have answered the very question.
	byMedicine = 0.92
)

// Explain implements skill.Skill.
func (Skill) Explain(_ context.Context, s *skill.State) (skill.Claim, error) {
	p := skill.If(Concerns(s), byMedicine)
	if s.Says(s.Agent.RestrictedTopics) {
		p = sure
	}
	return skill.Claim{P: p, Act: decline}, nil
}

// Concerns reports whether the message is about something that the business does not want the agent to speak
// of.
func Concerns(s *skill.State) bool {
	return s.Says(s.Agent.RestrictedTopics) || keepsToMedicine(s) && namesMedicine(s)
}

// decline says that it does not know, and offers a person.
func decline(_ context.Context, s *skill.State) (*skill.Outcome, error) {
	o := &skill.Outcome{
		Reply: s.Reply(ai.Fallback, s.Reading.Intent, builtin.Courtesy(s.Request(), ai.Fallback)),
	}
	if s.Agent.HandoffEnabled {
		s.OfferPerson(o.Reply, false)
		o.Change.Asked = frame.ForPerson
	}
	return o, nil
}
