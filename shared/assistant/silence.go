package assistant

import (
	"context"

	"frontdesk/shared/agent"
	"frontdesk/shared/api"
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

// quota refuses to reply when the plan has no reply left.
func (s *state) quota(context.Context) (*decision, error) {
	if s.plan.Replies == 0 || s.used < s.plan.Replies {
		return nil, nil
	}
	e := api.Fail(api.QuotaExceeded, "The plan's %d AI replies of this period are used up.", s.plan.Replies)
	e.Extra = map[string]any{"resets_at": s.account.PeriodAt(s.now).Ends}
	return &decision{refusal: e}, nil
}
