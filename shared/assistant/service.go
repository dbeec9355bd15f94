package assistant

import (
	"context"
	"slices"

	"frontdesk/shared/ai"
	"frontdesk/shared/ai/builtin"
	"frontdesk/shared/booking"
	"frontdesk/shared/text"
)

// service takes up a question for the price of one of the business's services, for the built-in engine: what the business
// states of it is the answer. Where an FAQ asks for that price, its answer says more.
func (s *state) service(context.Context) (*decision, error) {
	if s.agent.AIModel != ai.Builtin || s.reading.Intent != builtin.Pricing || !s.agent.CapabilityQuotePrices {
		return nil, nil
	}
	line, ok := booking.PricedService(s.language(), s.agent.KnownServices(), s.reading.Tokens)
	if !ok || s.asksPriceToo(line) {
		return nil, nil
	}
	return &decision{reply: s.reply(ai.Respond, builtin.Pricing, line)}, nil
}

// asksPriceToo reports whether an FAQ asks for the price of what the message names of a service.
func (s *state) asksPriceToo(service string) bool {
	named := map[string]bool{}
	for _, t := range text.Tokens(s.language(), service) {
		named[t.Stem] = !t.Stop
	}
	said := func(tokens []text.Token) bool {
		return slices.ContainsFunc(tokens, func(t text.Token) bool {
			return named[t.Stem] && slices.ContainsFunc(s.reading.Tokens, func(own text.Token) bool { return own.Stem == t.Stem })
		})
	}
	for _, p := range s.request().Passages {
		for _, question := range p.Questions {
			if said(text.Tokens(s.language(), question)) && s.engine.Read(s.language(), question).Intent == builtin.Pricing {
				return true
			}
		}
	}
	return false
}
