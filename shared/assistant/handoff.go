package assistant

import (
	"frontdesk/shared/ai"
	"frontdesk/shared/ai/builtin"
	"frontdesk/shared/conversation"
)

// patience is how many questions in a row the agent may have no answer to: at the last of them a person takes
// over.
const patience = 3

// followModel does what the model's reply calls for: it brings in the person whom the contact wants, or who
// is needed since the agent does not know, and offers one before that. The reply is changed to what is said
// then.
func (s *state) followModel(reply *ai.Reply) {
	s.declined = reply.Action == ai.Fallback
	switch {
	case reply.Action == ai.Handoff && s.Agent.HandoffEnabled:
		reason := conversation.HandoffRequested
		if reply.Intent == builtin.Complaint {
			reason = conversation.HandoffComplaint
		}
		s.Conversation.HandOver(reason)
	case reply.Action == ai.Handoff:
		reply.Action, reply.Text = ai.Respond, s.Fit(s.NobodyHere())
	case reply.Action != ai.Fallback:
		s.Conversation.Declined = 0
	case !s.Agent.HandoffEnabled:
	case s.Reading.Asks && s.Conversation.Declined+1 >= patience:
		over := s.HandOver(reply.Intent, conversation.HandoffDeclined)
		reply.Action, reply.Text = over.Reply.Action, over.Reply.Text
		s.apply(over.Change)
	default:
		if s.Reading.Asks ||
			s.Conversation.Declined == 0 { // what asks nothing is no failure, but leads to the offer
			s.Conversation.Declined++
		}
		if s.pending == "" {
			s.OfferPerson(reply, s.Conversation.Declined > 1)
			s.Conversation.Asked = conversation.AskedForPerson
		}
	}
}
