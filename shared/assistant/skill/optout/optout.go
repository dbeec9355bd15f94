// Package optout lets contacts stop the business's messages.
package optout

import (
	"context"

	"frontdesk/shared/ai"
	"frontdesk/shared/assistant/skill"
)

// A Skill takes up a message that is one of the agent's opt-out keywords. Whoever answers the contact, its
// writer gets no messages from then on but replies; the turn sees to that.
type Skill struct{}

// Spec implements skill.Skill.
func (Skill) Spec() skill.Spec {
	return skill.Spec{
		Name:     "opt_out",
		Does:     "Stops the business's messages to the person, who wants no more of them.",
		Settings: []string{"opt_out_keywords"},
		ByRule:   true,
	}
}

// Explain implements skill.Skill.
func (Skill) Explain(_ context.Context, s *skill.State) (skill.Claim, error) {
	return skill.Claim{P: skill.If(s.OptsOut(), 1), Act: stop}, nil
}

// Call implements skill.Tool.
func (Skill) Call(ctx context.Context, s *skill.State, _ skill.Slots) (*skill.Outcome, error) {
	return stop(ctx, s)
}

// stop stops the business's messages.
func stop(_ context.Context, s *skill.State) (*skill.Outcome, error) {
	c := skill.Change{OptOut: true}
	c.LeaveFunnel()
	return &skill.Outcome{Reply: s.Reply(ai.Respond, skill.OptOut, s.Spoken().OptedOut), Change: c}, nil
}
