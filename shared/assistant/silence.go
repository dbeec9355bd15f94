package assistant

import (
	"context"

	"frontdesk/shared/agent"
)

// silent takes up what the agent does not reply to by itself.
func (s *state) silent(context.Context) (*decision, error) {
	switch {
	case !s.conversation.AnsweredByAI():
		return &decision{silence: HumanHandling}, nil
	case s.agent.Status == agent.Paused:
		return &decision{silence: AgentPaused}, nil
	case !s.agent.AIEnabled:
		return &decision{silence: AIDisabled}, nil
	}
	return nil, nil
}
