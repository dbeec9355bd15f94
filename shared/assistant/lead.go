package assistant

import (
	"frontdesk/shared/agent"
	"frontdesk/shared/ai"
	"frontdesk/shared/ai/builtin"
	"frontdesk/shared/assistant/skill"
	"frontdesk/shared/frame"
)

// helpedEnough is the number of messages after which the agent may ask for contact details: it helps first.
const helpedEnough = 2

// askForContact appends to a reply the question how to reach the contact. It does so if the reply brings in
// a person or takes an order, and, for an agent that collects leads, after it has answered questions. The
// question is asked once, and once more when a person takes over; never if the contact has refused. A
// language model is instructed to ask by itself.
func (s *state) askForContact(reply *ai.Reply) skill.Change {
	c := s.Contact
	asked := s.Conversation.Frame.Asked.Contact && s.handsOver == ""
	if !s.Agent.LeadCaptureEnabled || c.Reachable() || c.DeclinedDetails || asked {
		return skill.Change{}
	}
	fitting := reply.Action == ai.Handoff || reply.Intent == skill.Order
	if s.Agent.ConversionMode == agent.ConvertLead && !s.ByModel {
		answered := reply.Action == ai.Respond &&
			(reply.Intent == builtin.Question || reply.Intent == builtin.Pricing)
		fitting = fitting || answered && s.Conversation.Received+1 >= helpedEnough
	}
	if !fitting {
		return skill.Change{}
	}
	question := s.Spoken().AskAll
	if c.Name != "" {
		question = s.Spoken().AskWay
	}
	asking := s.Append(reply.Text, question)
	if asking == reply.Text {
		return skill.Change{} // the reply would be too long
	}
	reply.Text = asking
	return skill.Change{Asked: frame.ForContact}
}
