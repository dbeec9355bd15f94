package skill

import (
	"slices"

	"frontdesk/shared/ai"
	"frontdesk/shared/ai/builtin"
	"frontdesk/shared/conversation"
	"frontdesk/shared/text"
)

// HandOver is the outcome that brings in a person.
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

// OfferPerson adds to a reply that does not know the offer to bring in a person, and reports whether the
// reply offers one.
// What the business says itself in such a case may offer one already: then it is added only where it must be.
// A language model may have offered one in its own words.
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

// offersPerson reports whether the business's own words speak of a person, as the offer to bring one in does.
func (s *State) offersPerson(words string) bool {
	own := text.Tokens(s.Language(), words)
	return slices.ContainsFunc(text.Tokens(s.Language(), s.Wording().Offer), func(t text.Token) bool {
		return !t.Stop && slices.ContainsFunc(own, func(o text.Token) bool { return o.Stem == t.Stem })
	})
}

// NobodyHere says that there is no person to bring in, and where the business can be reached.
func (s *State) NobodyHere() string {
	text := s.Spoken().Nobody
	for _, way := range []string{s.Agent.PhoneNumber, s.Agent.BusinessEmail} {
		if way != "" {
			text += "\n" + way
		}
	}
	return text
}
