// Package offers tells a business's current offers.
package offers

import (
	"context"
	"slices"
	"strings"

	"frontdesk/shared/ai"
	"frontdesk/shared/ai/builtin"
	"frontdesk/shared/assistant/skill"
	"frontdesk/shared/concept"
	"frontdesk/shared/text"
	"frontdesk/shared/understand"
	"frontdesk/shared/when"
)

// A Skill answers questions for offers in general, "Any deals on this week?", with the agent's current
// offers. The knowledge answers questions for the offers on something. Language models have the offers before
// them.
type Skill struct{}

// Spec implements skill.Skill.
func (Skill) Spec() skill.Spec {
	return skill.Spec{Beside: true, Name: "offers", Settings: []string{"current_offers"}}
}

const (
	// asked is the probability of a question that has no other significant word.
	asked = 0.93
	// ofRange is the minimum probability of a question for services or products from which on a word for
	// offers in it means what the business has at all: "What do you offer?"
	ofRange = 0.8
	// followed is the probability of a question for a time after the offers were told.
	followed = 0.97
)

// Explain implements skill.Skill.
func (Skill) Explain(_ context.Context, s *skill.State) (skill.Claim, error) {
	offers := strings.TrimSpace(s.Agent.CurrentOffers)
	if offers == "" {
		return skill.Claim{}, nil
	}
	p := asked
	switch {
	case s.Reading.Time && saysNothingElse(s) && strings.Contains(s.LastReply(), offers):
		p = followed
	case !asksForOffers(s):
		return skill.Claim{}, nil
	}
	reply := s.Reply(ai.Respond, builtin.Question, offers)
	reply.Subject = skill.TitleOfOffers(s.Language())
	quoted := s.Quoted(*reply)
	return skill.Claims(p, &skill.Outcome{Reply: &quoted}), nil
}

// saysNothingElse reports whether no significant word of a question for a time means anything known: "Til
// when?"
func saysNothingElse(s *skill.State) bool {
	return s.Telling() <= 1 && !slices.ContainsFunc(s.Reading.Tokens, func(t text.Token) bool {
		return !t.Stop && len(concept.Of(s.Tongue(), t.Stem)) > 0
	})
}

// asksForOffers reports whether the message has a word for offers and says nothing about anything else but
// general words and times.
func asksForOffers(s *skill.State) bool {
	u := s.Understood()
	if max(u.Skills[understand.Prices], u.Skills[understand.Products]) >= ofRange {
		return false
	}
	tag := s.Tongue()
	tokens := text.Tokens(tag, s.Text)
	ofOffers := map[int]bool{}
	for _, found := range concept.In(tag, tokens) {
		if found.Name == "discount" {
			for at := found.From; at < found.To; at++ {
				ofOffers[at] = true
			}
		}
	}
	if len(ofOffers) == 0 {
		return false
	}
	times := when.Parse(tag, s.Text, s.Now).Said
	for at, t := range tokens {
		ofTime := slices.ContainsFunc(times, func(r when.Range) bool {
			return r.Start <= t.Start && t.End <= r.End
		})
		if !t.Stop && !ofOffers[at] && !ofTime && !concept.Light(tag, t.Stem) {
			return false
		}
	}
	return true
}
