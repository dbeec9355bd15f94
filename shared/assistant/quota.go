package assistant

import (
	"context"

	"frontdesk/shared/fault"
)

// quota refuses to reply when the plan has no reply left.
func (s *state) quota(context.Context) (*decision, error) {
	if s.plan.Replies == 0 || s.used < s.plan.Replies {
		return nil, nil
	}
	e := fault.New(fault.QuotaExceeded, "The plan's %d AI replies of this period are used up.", s.plan.Replies)
	e.Extra = map[string]any{"resets_at": s.account.PeriodAt(s.now).Ends}
	return &decision{refusal: e}, nil
}
