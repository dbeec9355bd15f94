// Package identity answers who or what the agent is.
package identity

import (
	"cmp"
	"context"
	"slices"

	"frontdesk/shared/ai"
	"frontdesk/shared/assistant/skill"
	"frontdesk/shared/text"
	"frontdesk/shared/understand"
)

// A Skill says honestly that an automated assistant answers.
type Skill struct{}

// Spec implements skill.Skill.
func (Skill) Spec() skill.Spec {
	return skill.Spec{Name: "identity", Settings: []string{"persona_name", "business_name"}}
}

const (
	sure  = 0.97 // probability of a phrase that asks for it
	least = 0.85 // of what was learnt
	most  = 0.88 // maximum by the classifier; the knowledge may match too: "Are you in Springfield?"
	// asksWho is the probability of a message with a word for a bot, or with a question about a person
	// rather than a request for one: "r u a real person"
	asksWho = 0.96
)

// Explain implements skill.Skill.
func (Skill) Explain(ctx context.Context, s *skill.State) (skill.Claim, error) {
	if s.Is(s.Phrasing().WhoAreYou) {
		return skill.Claim{P: sure, Act: introduce}, nil
	}
	p := s.Learnt(understand.Identity, least)
	if p == 0 {
		return skill.Claim{}, nil
	}
	u := s.Understood()
	if slices.Contains(u.Concepts, "bot") || s.Reading.Human && p > u.Skills[understand.Person] {
		return skill.Claim{P: asksWho, Act: introduce}, nil
	}
	known, err := s.Known(ctx)
	if err == nil && known.Action == ai.Respond {
		p = min(p, most)
	}
	return skill.Claim{P: p, Act: introduce}, err
}

// introduce says who answers.
func introduce(_ context.Context, s *skill.State) (*skill.Outcome, error) {
	said := text.Fill(s.Spoken().Name, cmp.Or(s.Agent.PersonaName, s.Agent.Name))
	if s.Agent.BusinessName != "" {
		said = text.Fill(s.Spoken().NameOf, cmp.Or(s.Agent.PersonaName, s.Agent.Name), s.Agent.BusinessName)
	}
	return &skill.Outcome{Reply: s.Reply(ai.Respond, skill.WhoAreYou, said)}, nil
}
