// Package handover hands conversations over to a person of the business.
package handover

import (
	"context"
	"slices"
	"strings"

	"frontdesk/shared/ai"
	"frontdesk/shared/ai/builtin"
	"frontdesk/shared/assistant/skill"
	"frontdesk/shared/conversation"
	"frontdesk/shared/frame"
	"frontdesk/shared/language"
	"frontdesk/shared/text"
	"frontdesk/shared/understand"
)

// A Skill hands over to a person: for the agent's handoff keywords, when an offer of a person is accepted,
// and when the classifier recognises a request for one. Requests in words that the built-in engine knows
// are left to the knowledge skill, which may rather have an answer: "How do I reach an adviser?"
type Skill struct{}

// Spec implements skill.Skill.
func (Skill) Spec() skill.Spec {
	return skill.Spec{
		Name: "hand_over",
		Does: "Brings in a person of the business: when the person asks for one, complains, or needs " +
			"what only people can do.",
		Slots: []skill.Slot{
			{Name: "complaint", Type: skill.Truth, About: "Whether the person is dissatisfied."},
		},
		Settings: []string{"handoff_enabled", "handoff_keywords", "handoff_message"},
		ByRule:   true,
	}
}

const (
	sure  = 0.99 // probability of a keyword, and of an answer to an offer
	least = 0.7  // minimum probability by the classifier
	most  = 0.89 // maximum by the classifier, below skill.Certain
	// leastAsked is the minimum for a question, which a message is from the probability asks on: "until
	// when can I call?"
	leastAsked = 0.9
	asks       = 0.6
	// answered is the probability if the business has an answer: "Do you deal with insurers?"
	answered = 0.5
)

// Explain implements skill.Skill.
func (Skill) Explain(ctx context.Context, s *skill.State) (skill.Claim, error) {
	if keyword(s) {
		return skill.Claims(sure, s.HandOver(s.Reading.Intent, conversation.HandoffKeyword)), nil
	}
	switch answer(s) {
	case yes:
		return skill.Claim{P: sure, Act: handOver}, nil
	case no:
		o := &skill.Outcome{Reply: s.Reply(ai.Respond, builtin.Human, s.Replies().AllRight)}
		return skill.Claims(sure, o), nil
	}
	p := s.Learnt(understand.Person, least)
	asking := s.Understood().Acts[understand.Asks] >= asks
	if p == 0 || s.ByModel || s.Reading.Human || asking && p < leastAsked {
		return skill.Claim{}, nil
	}
	known, err := s.Known(ctx)
	if err != nil {
		return skill.Claim{}, err
	}
	if known.FAQ && known.Action == ai.Respond {
		p = answered
	}
	return skill.Claim{P: min(p, most), Act: handOver}, nil
}

// Call implements skill.Tool.
func (Skill) Call(ctx context.Context, s *skill.State, slots skill.Slots) (*skill.Outcome, error) {
	if complains, _ := slots.Truth("complaint"); complains && s.Agent.HandoffEnabled {
		return s.HandOver(builtin.Complaint, conversation.HandoffComplaint), nil
	}
	return handOver(ctx, s)
}

// handOver hands over to a person, or says how to reach one if the agent may not hand over.
func handOver(_ context.Context, s *skill.State) (*skill.Outcome, error) {
	if !s.Agent.HandoffEnabled {
		return &skill.Outcome{Reply: s.Reply(ai.Respond, builtin.Human, s.NobodyHere())}, nil
	}
	return s.HandOver(builtin.Human, conversation.HandoffRequested), nil
}

// keyword reports whether the message has one of the agent's keywords for a person.
func keyword(s *skill.State) bool {
	_, n := text.Find(text.Phrases(s.Language(), s.Agent.HandoffKeywords), s.Reading.Tokens)
	return s.Agent.HandoffEnabled && n > 0
}

// An answerKind is an answer to the offer of a person.
type answerKind int

const (
	noAnswer answerKind = iota
	yes
	no
)

// answer returns the message's answer to the offer of a person, in the agent's language or the contact's.
func answer(s *skill.State) answerKind {
	if !s.Agent.HandoffEnabled || s.Conversation.Frame.Asked.Reply != frame.ForPerson {
		return noAnswer
	}
	if s.Reading.SmallTalk == builtin.Thanks && slices.Contains(s.Understood().Concepts, "thanks") {
		return noAnswer // "ok thanks" is a goodbye
	}
	if s.Conversation.Frame.Asked.Appointment.Open() && s.Details.Identity != (skill.Identity{}) {
		return noAnswer // "ok fine. Ada, 07700 900123" is about an appointment
	}
	theirs := s.WroteIn()
	switch words := language.Of(theirs).Requests(); {
	case consents(s, s.Language(), s.Reading.Tokens, s.Phrasing().Yes),
		theirs != "" && consents(s, theirs, text.Tokens(theirs, s.Text), words.Yes):
		return yes
	case s.Refuses(), theirs != "" && !s.Reading.Asks && s.RefusesIn(theirs):
		return no
	}
	return noAnswer
}

// leastConsent is the minimum probability of a request for a person in a message that begins with a yes.
const leastConsent = 0.5

// consents reports whether the message clearly accepts the offer of a person: a yes with nothing but
// courtesies, words of the offer and contact details, or with a request for a person. A yes with another
// matter, such as "ok, and do you repair windscreens", does not.
func consents(s *skill.State, tag string, tokens []text.Token, agrees string) bool {
	at := text.LongestAt(text.Phrases(tag, agrees), tokens, 0)
	if at == 0 || s.Reading.Asks || len(tokens) > skill.ShortAnswer || s.Engine.Negates(tag, tokens) {
		return false
	}
	if s.Learnt(understand.Person, leastConsent) > 0 {
		return true
	}
	l := language.Of(tag)
	beside := text.Phrases(tag, strings.Join([]string{agrees, l.Requests().Courtesy, l.Talk().Thanks}, ","))
	offered := text.Tokens(tag, l.Replies().Offer)
	for at < len(tokens) {
		n := text.LongestAt(beside, tokens, at)
		t := tokens[at]
		reach := t.Kind == text.Phone || t.Kind == text.Email
		ofOffer := func(o text.Token) bool { return o.Stem == t.Stem }
		if n == 0 && !t.Stop && !reach && !slices.ContainsFunc(offered, ofOffer) {
			return false
		}
		at += max(n, 1)
	}
	return true
}
