// Package contact answers where a business is and how to reach it.
package contact

import (
	"context"
	"slices"
	"strings"

	"frontdesk/shared/ai"
	"frontdesk/shared/ai/builtin"
	"frontdesk/shared/assistant/skill"
	"frontdesk/shared/understand"
)

// A Skill answers questions for the address, the phone number, the e-mail address or the website, in any
// language. Directions are left to the knowledge.
type Skill struct{}

// Spec implements skill.Skill.
func (Skill) Spec() skill.Spec {
	return skill.Spec{
		Name: "contact",
		Settings: []string{
			"business_address", "phone_number", "business_email", "website_url", "capability_share_links",
		},
	}
}

const (
	// least is the minimum probability by the classifier, and worded the probability if the message names a
	// field and little else.
	least  = 0.4
	worded = 0.8
	// most is the maximum probability, below that of an answer to the agent's question.
	most = 0.96
	// unworded is the factor if the message does not name a field.
	unworded = 0.7
	// few is the maximum number of further significant words.
	few = 2
)

// Explain implements skill.Skill.
func (Skill) Explain(_ context.Context, s *skill.State) (skill.Claim, error) {
	said, p := asked(s)
	if p == 0 {
		return skill.Claim{}, nil
	}
	return skill.Claims(p, &skill.Outcome{Reply: s.Reply(ai.Respond, builtin.Question, said)}), nil
}

// ofContact are the concepts of contact data, and general ones that do not change the question.
var ofContact = map[string]bool{
	"address": true, "phone": true, "email": true, "website": true, "contact": true, "shop": true,
	"near": true, "hello": true, "thanks": true, "bye": true, "yes": true, "sorry": true, "callback": true,
}

// asked returns the requested fields of the business, and the probability that the message asks for them.
func asked(s *skill.State) (string, float64) {
	learnt := s.Learnt(understand.Contact, least)
	acts := s.Understood()
	if learnt == 0 || s.Telling() > few+1 || !acts.Does(understand.Asks) || acts.Does(understand.Refuses) {
		return "", 0
	}
	website := s.Agent.WebsiteURL
	if !s.Agent.CapabilityShareLinks {
		website = ""
	}
	var said []string
	concepts := s.Understood().Concepts
	if slices.ContainsFunc(concepts, func(name string) bool { return !ofContact[name] }) {
		return "", 0 // how to get there from the station, the phone number of a parcel service
	}
	for _, f := range []struct{ concept, text string }{
		{"address", s.Agent.BusinessAddress}, {"phone", s.Agent.PhoneNumber},
		{"email", s.Agent.BusinessEmail}, {"website", website},
	} {
		if f.text != "" && slices.Contains(concepts, f.concept) {
			said = append(said, f.text)
		}
	}
	switch {
	case len(said) > 0:
		return strings.Join(said, "\n"), min(max(learnt, worded), most)
	case len(concepts) == 0 && s.Agent.BusinessAddress != "" && s.Telling() <= few:
		return s.Agent.BusinessAddress, unworded * learnt
	}
	return "", 0
}
