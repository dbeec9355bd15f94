package skill

import (
	"slices"
	"strings"

	"frontdesk/shared/agent"
	"frontdesk/shared/ai"
	"frontdesk/shared/ai/builtin"
	"frontdesk/shared/conversation"
	"frontdesk/shared/language"
)

// Request returns the request with which a model answers the message.
func (s *State) Request() ai.Request {
	a := s.Agent
	r := ai.Request{
		System:       a.Prompt,
		Language:     string(a.Language),
		Tongue:       s.Foreign(s.Text),
		BusinessName: a.BusinessName,
		AgentName:    a.PersonaName,
		Tone:         string(a.Tone),
		Canned: ai.Canned{
			Greeting: a.GreetingMessage, Goodbye: a.GoodbyeMessage, Fallback: a.FallbackMessage,
			Handoff: a.HandoffMessage, OutOfHours: a.OutOfHoursMessage,
		},
		MaxLength:  a.MaxResponseLength,
		Message:    s.Text,
		Context:    s.Context,
		Topic:      s.topic(),
		Passages:   slices.Concat(ownPassages(a), s.quickPassages(), s.productPassages(), s.Found.Passages),
		Neighbours: s.Found.Neighbours,
		FAQ:        s.FAQ,
		Weights:    s.Found.Weights,
		Chunks:     s.Found.Chunks,
	}
	if s.ByModel {
		r.Guidance = s.guidance()
	}
	if !a.CapabilitySmallTalk && s.Reading.SmallTalk != "" {
		r.Tone = string(agent.Formal) // only courteous
	}
	if !a.CapabilityQuotePrices && s.Reading.Intent == builtin.Pricing {
		// Keep the business's own answers to such a question.
		r.Passages = slices.DeleteFunc(r.Passages, func(p ai.Passage) bool { return len(p.Questions) == 0 })
	}
	if !a.MemoryEnabled {
		return r
	}
	r.Known = s.knownOfContact()
	for _, message := range s.History {
		r.History = append(
			r.History,
			ai.Turn{Inbound: message.Direction == conversation.Inbound, Text: message.Content},
		)
	}
	return r
}

// ownPassages returns the passages from the agent's own fields. Their titles are words that people ask for
// them with and that the fields rarely contain.
func ownPassages(a agent.Agent) []ai.Passage {
	var own []ai.Passage
	for _, faq := range a.FAQs {
		if faq.Answered() {
			own = append(own, ai.Passage{Questions: []string{faq.Question}, Text: faq.Answer})
		}
	}
	if a.BusinessDescription != "" {
		own = append(own, ai.Passage{Title: strings.TrimSpace(a.BusinessName), Text: a.BusinessDescription})
	}
	return append(own, FieldsOf(a, string(a.Language))...)
}

// TitleOfOffers returns the title of the passage with the agent's current offers in a language.
func TitleOfOffers(tag string) string {
	return titles(tag)[ofOffers]
}

// titles returns the titles of the passages of an agent's fields in a language.
func titles(tag string) []string {
	all := strings.Split(language.Of(tag).Requests().Titles, ";")
	for i := range all {
		all[i] = strings.TrimSpace(all[i])
	}
	return all
}

// ofOffers is the place of the title of offers among those of the agent's fields.
const ofOffers = 6

// FieldsOf returns passages for the agent's fields, with titles in a language.
func FieldsOf(a agent.Agent, tag string) []ai.Passage {
	var own []ai.Passage
	website := a.WebsiteURL
	if !a.CapabilityShareLinks {
		website = ""
	}
	titles := titles(tag)
	for _, field := range []struct{ title, text string }{
		{titles[0], a.KnownHours()},
		{titles[1], a.BusinessAddress},
		{titles[2], a.BusinessEmail},
		{titles[3], a.PhoneNumber},
		{titles[4], website},
		{titles[5], strings.Join(a.KnownServices(), "\n")},
		{titles[ofOffers], a.CurrentOffers},
	} {
		if field.text != "" {
			own = append(own, ai.Passage{Title: field.title, Text: field.text})
		}
	}
	return own
}
