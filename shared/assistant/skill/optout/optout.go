// Package optout lets contacts stop the business's messages.
package optout

import (
	"context"

	"frontdesk/shared/ai"
	"frontdesk/shared/assistant/skill"
)

// A Skill handles opt-outs. From then on the contact gets replies only. The turn applies an opt-out even if
// a person or nobody answers.
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

// stop opts the contact out of messages.
func stop(_ context.Context, s *skill.State) (*skill.Outcome, error) {
	c := skill.Change{OptOut: true}
	c.LeaveFunnel()
	return &skill.Outcome{Reply: s.Reply(ai.Respond, skill.OptOut, s.Spoken().OptedOut), Change: c}, nil
}
