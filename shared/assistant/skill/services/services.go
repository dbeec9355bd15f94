// Package services answers what the services of a business cost, and how long they take.
package services

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"frontdesk/shared/agent"
	"frontdesk/shared/ai"
	"frontdesk/shared/ai/builtin"
	"frontdesk/shared/assistant/skill"
	"frontdesk/shared/booking"
	"frontdesk/shared/concept"
	"frontdesk/shared/conversation"
	"frontdesk/shared/text"
	"frontdesk/shared/understand"
	"frontdesk/shared/when"
)

// A Skill answers questions for the price of a service with the business's own line for it. If an FAQ is
// about that price, its answer is better. In another language than the agent's the reply also has the
// duration.
type Skill struct{}

// Spec implements skill.Skill.
func (Skill) Spec() skill.Spec {
	return skill.Spec{
		Beside: true,
		Name:   "services", Includes: []string{"knowledge"},
		Settings: []string{"available_services", "capability_quote_prices"},
		Allowed:  func(a *agent.Agent) bool { return a.CapabilityQuotePrices },
	}
}

const (
	// sure is the probability of a question for the price of a named service. goesOn is that of a question
	// without a name after a service was mentioned, and ofMore that if the last answer was about something
	// else of the same name. If such a question is not for the price, ofOther leaves it to what the last
	// answer says.
	sure    = 0.9
	goesOn  = 0.82
	ofMore  = 0.75
	ofOther = 0.49
	// fewServices is the number of services up to which all are listed instead of asking which is meant.
	fewServices = 3
	// learnt is the minimum probability that a message in another language asks for a price, and worded the
	// minimum if it has a word for prices.
	learnt = 0.5
	worded = 0.1
	// priced is the minimum for a message in the agent's language without a word for prices.
	priced = 0.7
)

// Explain implements skill.Skill.
func (Skill) Explain(ctx context.Context, s *skill.State) (skill.Claim, error) {
	line, p := asked(s)
	if p == 0 {
		return either(ctx, s)
	}
	reply := s.Reply(ai.Respond, builtin.Pricing, said(s, line))
	reply.Subject = line
	return skill.Claims(p, &skill.Outcome{Reply: reply}), nil
}

// either asks which of two services is meant if a question for a price names both equally well. The
// knowledge may have an answer about both. A short list is shown as a whole.
func either(ctx context.Context, s *skill.State) (skill.Claim, error) {
	services := s.Agent.KnownServices()
	if s.Reading.Intent != builtin.Pricing || len(services) <= fewServices {
		return skill.Claim{}, nil
	}
	var readings []conversation.Choice
	for _, name := range booking.PricedAlike(s.Language(), services, s.Reading.Tokens) {
		readings = append(readings, conversation.Choice{Label: name, Value: s.Text + " " + name})
	}
	if len(readings) == 0 {
		return skill.Claim{}, nil
	}
	known, err := s.Known(ctx)
	if err != nil || known.Action != ai.Fallback && !strings.HasPrefix(known.Text, services[0]) {
		return skill.Claim{}, err
	}
	o := s.Clarify(builtin.Pricing, readings...)
	return skill.Claims(skill.If(o != nil, sure), o), nil
}

// asked returns the service whose price the message asks for, as the business lists it, and the probability
// that it does.
func asked(s *skill.State) (string, float64) {
	services := s.Agent.KnownServices()
	if len(services) == 0 {
		return "", 0
	}
	if u := s.Understood(); s.Foreign(s.Text) != "" && (u.Skills[understand.Prices] >= learnt ||
		u.Skills[understand.Prices] >= worded && slices.Contains(u.Concepts, "price")) {
		if line := meant(s, services); line != "" {
			return line, sure
		}
	}
	if line, p := spokenOf(s, services); p > 0 {
		return line, p
	}
	if s.Reading.Intent != builtin.Pricing && s.Learnt(understand.Prices, priced) == 0 {
		return "", 0
	}
	line, ok := booking.PricedService(s.Language(), services, s.Reading.Tokens)
	return line, skill.If(ok && !asksPriceToo(s, line), sure)
}

// said returns the price and the duration of a service in the contact's language. It is the business's own
// line if that is the agent's language, or if the price cannot be extracted.
func said(s *skill.State, line string) string {
	name, _ := booking.Named(s.Language(), []string{line}, s.Language(), line)
	_, rest, _ := strings.Cut(line, name)
	length := when.Length(s.Language(), rest)
	price := ""
	for part := range strings.SplitSeq(rest, ",") {
		if part = strings.TrimSpace(part); part != "" && when.Length(s.Language(), part) == 0 {
			price = part
		}
	}
	if s.Foreign(s.Text) == "" || name == "" || !strings.ContainsFunc(price, unicode.IsDigit) {
		return line
	}
	words := text.Fill(s.Spoken().Costs, name, price)
	if length > 0 {
		words = s.Append(words, text.Fill(s.Spoken().Takes, strconv.Itoa(int(length.Minutes()))))
	}
	return words
}

// spokenOf returns the service of the conversation, if the message asks for its price or duration and
// nothing else, and the probability.
func spokenOf(s *skill.State, services []string) (string, float64) {
	topic := s.TopicService()
	if topic == "" || s.TopicProduct() != "" {
		return "", 0
	}
	tokens := text.Tokens(s.Tongue(), s.Text)
	asks, price := false, false
	for _, f := range concept.In(s.Tongue(), tokens) {
		// "how long" alone may be until when
		price = price || f.Name == "price"
		asks = asks || f.Name == "price" || f.Name == "duration" && f.To == f.From+1
		if f.Name == "price" || f.Name == "duration" {
			for i := f.From; i < f.To; i++ {
				tokens[i].Stop = true
			}
		}
	}
	if !asks || slices.ContainsFunc(tokens, func(t text.Token) bool {
		return !t.Stop && !concept.Light(s.Tongue(), t.Stem)
	}) {
		return "", 0
	}
	for _, line := range services {
		if !strings.HasPrefix(line, topic) || price && !booking.Priced(s.Language(), line) {
			continue
		}
		return line, afterHeading(s, line, price)
	}
	return "", 0
}

// afterHeading returns the probability that a question without a name is for a service's line, by what the
// last answer was about.
func afterHeading(s *skill.State, line string, price bool) float64 {
	about := s.Conversation.Frame.Topic.Heading
	name, _ := booking.Named(s.Language(), []string{line}, s.Language(), about)
	switch {
	case name == "":
		return goesOn
	case price || slices.Contains(s.Agent.KnownServices(), about):
		return ofMore
	default:
		return ofOther
	}
}

// meant returns the service whose name has most of the concepts in a message in another language, or "" if
// there is none or several are equal.
func meant(s *skill.State, services []string) string {
	named := concept.Names(s.Tongue(), s.Text)
	best, most, tied := "", 0.0, false
	for _, line := range services {
		name, _ := booking.Named(s.Language(), []string{line}, s.Language(), line)
		of := concept.Names(s.Language(), name)
		shared := 0
		for _, c := range of {
			if c != "appointment" && slices.Contains(named, c) {
				shared++
			}
		}
		for _, t := range text.Tokens(s.Language(), name) { // some words are the same in several languages
			if !t.Stop && slices.ContainsFunc(s.Reading.Tokens, func(o text.Token) bool {
				return o.Stem == t.Stem
			}) {
				shared++
			}
		}
		switch share := float64(shared) + float64(shared)/float64(1+len(of)); {
		case shared == 0:
		case share > most:
			best, most, tied = line, share, false
		case share == most:
			tied = true
		}
	}
	if tied {
		return ""
	}
	return best
}

// asksPriceToo reports whether an FAQ asks for the price of the service that the message names.
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
