package assistant

import (
	"context"
	"slices"

	"frontdesk/shared/ai"
	"frontdesk/shared/ai/builtin"
	"frontdesk/shared/conversation"
	"frontdesk/shared/language"
	"frontdesk/shared/text"
)

// patience is how many questions in a row the agent may have no answer to: at the last of them a person takes over.
const patience = 3

// handoff takes up a message that has one of the agent's keywords for it, and one that accepts a person who was offered.
// Who asks for a person in words of their own is understood by the model, which knows whether that is rather a question
// that the business has an answer to: "How do I reach an adviser?"
func (s *state) handoff(context.Context) (*decision, error) {
	if !s.agent.HandoffEnabled {
		return nil, nil
	}
	if _, n := text.Find(text.Phrases(s.language(), s.agent.HandoffKeywords), s.reading.Tokens); n > 0 {
		return s.handOver(s.reading.Intent, conversation.HandoffKeyword), nil
	}
	if s.conversation.Asked != conversation.AskedForPerson {
		return nil, nil
	}
	theirs := s.wroteIn()
	switch words := language.Of(theirs).Requests(); {
	case s.agrees(), theirs != "" && s.answersIn(theirs, words.Yes):
		return s.handOver(builtin.Human, conversation.HandoffRequested), nil
	case s.refuses(), theirs != "" && s.answersIn(theirs, words.No):
		return &decision{reply: s.reply(ai.Respond, builtin.Human, s.wording().AllRight)}, nil
	}
	return nil, nil
}

// handOver is the decision to bring in a person.
func (s *state) handOver(intent string, reason conversation.HandoffReason) *decision {
	occasion := builtin.Human
	if intent == builtin.Complaint {
		occasion = builtin.Complaint
	}
	return &decision{
		reply: s.reply(ai.Handoff, intent, s.courtesy(occasion)),
		then:  func(s *state) { s.conversation.HandOver(reason) },
	}
}

// followModel does what the model's reply calls for: it brings in the person whom the contact wants, or who is needed
// since the agent does not know, and offers one before that. The reply is changed to what is said then.
func (s *state) followModel(reply *ai.Reply) {
	s.declined = reply.Action == ai.Fallback
	switch {
	case reply.Action == ai.Handoff && s.agent.HandoffEnabled:
		reason := conversation.HandoffRequested
		if reply.Intent == builtin.Complaint {
			reason = conversation.HandoffComplaint
		}
		s.conversation.HandOver(reason)
	case reply.Action == ai.Handoff:
		reply.Action, reply.Text = ai.Respond, s.fit(s.nobodyHere())
	case reply.Action != ai.Fallback:
		s.conversation.Declined = 0
	case !s.agent.HandoffEnabled:
	case s.reading.Asks && s.conversation.Declined+1 >= patience:
		over := s.handOver(reply.Intent, conversation.HandoffDeclined)
		reply.Action, reply.Text = over.reply.Action, over.reply.Text
		over.then(s)
	default:
		if s.reading.Asks || s.conversation.Declined == 0 { // what asks nothing is no failure, but leads to the offer
			s.conversation.Declined++
		}
		if s.pending == "" {
			s.offerPerson(reply, s.conversation.Declined > 1)
		}
	}
}

// offerPerson adds to a reply that does not know the offer to bring in a person. What the business says itself in such a
// case may offer one already: then it is added only where it must be.
func (s *state) offerPerson(reply *ai.Reply, must bool) {
	if must = must && !s.offersPerson(s.agent.FallbackMessage); must || s.agent.FallbackMessage == "" || s.foreign(s.message.Text) != "" {
		reply.Text = s.append(reply.Text, s.spoken().Offer)
	}
	s.conversation.Asked = conversation.AskedForPerson
}

// offersPerson reports whether the business's own words speak of a person, as the offer to bring one in does.
func (s *state) offersPerson(words string) bool {
	own := text.Tokens(s.language(), words)
	return slices.ContainsFunc(text.Tokens(s.language(), s.wording().Offer), func(t text.Token) bool {
		return !t.Stop && slices.ContainsFunc(own, func(o text.Token) bool { return o.Stem == t.Stem })
	})
}

// nobodyHere says that there is no person to bring in, and where the business can be reached.
func (s *state) nobodyHere() string {
	text := s.wording().Nobody
	for _, way := range []string{s.agent.PhoneNumber, s.agent.BusinessEmail} {
		if way != "" {
			text += "\n" + way
		}
	}
	return text
}
