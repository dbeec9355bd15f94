package assistant

import (
	"context"

	"frontdesk/shared/ai"
	"frontdesk/shared/ai/builtin"
)

// restricted takes up a message that names one of the topics that the agent stays away from, for the built-in engine. A
// language model is told of them.
func (s *state) restricted(context.Context) (*decision, error) {
	if s.agent.AIModel != ai.Builtin || !s.says(s.agent.RestrictedTopics) {
		return nil, nil
	}
	reply := s.reply(ai.Fallback, s.reading.Intent, builtin.Courtesy(s.request(), ai.Fallback))
	return &decision{reply: reply, then: func(s *state) {
		if s.agent.HandoffEnabled {
			s.offerPerson(reply, false)
		}
	}}, nil
}
