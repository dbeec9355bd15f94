package assistant

import (
	"frontdesk/shared/ai"
	"frontdesk/shared/ai/builtin"
	"frontdesk/shared/assistant/skill"
	"frontdesk/shared/conversation"
	"frontdesk/shared/frame"
)

// patience is the number of consecutive unanswered questions at which a person takes over.
const patience = 3

// followModel carries out what the model's reply implies: it hands over to a person if the contact asked
// for one or the agent did not know repeatedly, and otherwise offers one. It changes the reply accordingly.
func (s *state) followModel(d *decision, reply *ai.Reply) skill.Change {
	declined := len(s.Conversation.Frame.Said.Unanswered)
	switch {
	case reply.Action == ai.Handoff && s.Agent.HandoffEnabled:
		reason := conversation.HandoffRequested
		if reply.Intent == builtin.Complaint {
			reason = conversation.HandoffComplaint
		}
		return skill.Change{HandOver: reason}
	case reply.Action == ai.Handoff:
		reply.Action, reply.Text = ai.Respond, s.Fit(s.NobodyHere())
	case reply.Action != ai.Fallback:
		return skill.Change{Answered: true}
	case !s.Agent.HandoffEnabled:
	case s.Reading.Asks && declined+1 >= patience:
		over := s.HandOver(reply.Intent, conversation.HandoffDeclined)
		reply.Action, reply.Text = over.Reply.Action, over.Reply.Text
		return over.Change
	default:
		var c skill.Change
		if s.Reading.Asks || declined == 0 { // a statement is no failure, but leads to the offer
			c.Unanswered = s.Text
			declined++
		}
		if d.pending() == "" && s.OfferPerson(reply, declined > 1) {
			c.Asked = frame.ForPerson
		}
		return c
	}
	return skill.Change{}
}
