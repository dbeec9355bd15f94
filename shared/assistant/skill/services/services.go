// Package services tells what the services of a business cost.
package services

import (
	"context"
	"slices"

	"frontdesk/shared/agent"
	"frontdesk/shared/ai"
	"frontdesk/shared/ai/builtin"
	"frontdesk/shared/assistant/skill"
	"frontdesk/shared/booking"
	"frontdesk/shared/text"
)

// A Skill takes up a question for the price of one of the business's services: what the business states of it
// is the answer. Where an FAQ asks for that price, its answer says more.
type Skill struct{}

// Spec implements skill.Skill.
func (Skill) Spec() skill.Spec {
	return skill.Spec{
		Name: "services", Includes: []string{"knowledge"},
		Settings: []string{"available_services", "capability_quote_prices"},
		Allowed:  func(a *agent.Agent) bool { return a.CapabilityQuotePrices },
	}
}

// sure is how probably a question for a price that names one service is for that service's.
const sure = 0.9

// Explain implements skill.Skill.
func (Skill) Explain(_ context.Context, s *skill.State) (float64, error) {
	_, ok := asked(s)
	return skill.If(ok, sure), nil
}

// Act implements skill.Skill.
func (Skill) Act(_ context.Context, s *skill.State, _ skill.Slots) (*skill.Outcome, error) {
	line, ok := asked(s)
	if !ok {
		return nil, nil
	}
	return &skill.Outcome{Reply: s.Reply(ai.Respond, builtin.Pricing, line)}, nil
}

// asked is the service whose price the message asks for, as the business lists it.
func asked(s *skill.State) (string, bool) {
	if s.Reading.Intent != builtin.Pricing {
		return "", false
	}
	line, ok := booking.PricedService(s.Language(), s.Agent.KnownServices(), s.Reading.Tokens)
	return line, ok && !asksPriceToo(s, line)
}

// asksPriceToo reports whether an FAQ asks for the price of what the message names of a service.
func asksPriceToo(s *skill.State, service string) bool {
	named := map[string]bool{}
	for _, t := range text.Tokens(s.Language(), service) {
		named[t.Stem] = !t.Stop
	}
	said := func(tokens []text.Token) bool {
		return slices.ContainsFunc(tokens, func(t text.Token) bool {
			return named[t.Stem] &&
				slices.ContainsFunc(s.Reading.Tokens, func(own text.Token) bool { return own.Stem == t.Stem })
		})
	}
	for _, p := range s.Request().Passages {
		for _, question := range p.Questions {
			if said(text.Tokens(s.Language(), question)) &&
				s.Engine.Read(s.Language(), question).Intent == builtin.Pricing {
				return true
			}
		}
	}
	return false
}
