package skill

import (
	"slices"

	"frontdesk/shared/ai"
	"frontdesk/shared/ai/builtin"
	"frontdesk/shared/conversation"
	"frontdesk/shared/text"
)

// HandOver returns the outcome that hands over to a person.
func (s *State) HandOver(intent string, reason conversation.HandoffReason) *Outcome {
	occasion := builtin.Human
	if intent == builtin.Complaint {
		occasion = builtin.Complaint
	}
	return &Outcome{
		Reply:  s.Reply(ai.Handoff, intent, s.Courtesy(occasion)),
		Change: Change{HandOver: reason},
	}
}

// OfferPerson appends the offer of a person to a fallback, and reports whether the reply offers one. If the
// business's own fallback text exists and does not offer a person, the offer is appended only if must is
// true. A language model may have offered one itself.
func (s *State) OfferPerson(reply *ai.Reply, must bool) bool {
	if s.ByModel && s.offersPerson(reply.Text) {
		return true
	}
	own := s.Agent.FallbackMessage
	if offers := own != "" && s.offersPerson(own); s.Foreign(s.Text) == "" && own != "" && (offers || !must) {
		return offers
	}
	said := reply.Text
	reply.Text = s.Append(said, s.Spoken().Offer)
	return reply.Text != said
}

// offersPerson reports whether a text mentions a person with the words of the offer.
func (s *State) offersPerson(words string) bool {
	own := text.Tokens(s.Language(), words)
	return slices.ContainsFunc(text.Tokens(s.Language(), s.Wording().Offer), func(t text.Token) bool {
		return !t.Stop && slices.ContainsFunc(own, func(o text.Token) bool { return o.Stem == t.Stem })
	})
}

// NobodyHere returns the text that no person is available, with the business's phone number and e-mail
// address.
func (s *State) NobodyHere() string {
	text := s.Spoken().Nobody
	for _, way := range []string{s.Agent.PhoneNumber, s.Agent.BusinessEmail} {
		if way != "" {
			text += "\n" + way
		}
	}
	return text
}
