package assistant

import (
	"frontdesk/shared/agent"
	"frontdesk/shared/ai"
	"frontdesk/shared/ai/builtin"
	"frontdesk/shared/assistant/skill"
	"frontdesk/shared/frame"
)

// helpedEnough is how many messages a contact has written before the agent asks for an address: it is helped
// first.
const helpedEnough = 2

// askForContact adds to a reply the question how the contact can be reached, at a fitting moment: once the
// contact was helped, where the agent is to bring in leads; and when a person is to answer who could not. It
// is asked once, and once more when a person takes over, never of one who has refused, and not beside a
// language model, which is told to ask by itself.
func (s *state) askForContact(reply *ai.Reply) skill.Change {
	c := s.Contact
	asked := s.Conversation.Frame.Asked.Contact && s.handsOver == ""
	if !s.Agent.LeadCaptureEnabled || c.Reachable() || c.KeepsToThemselves || asked {
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
		return skill.Change{} // there is no room
	}
	reply.Text = asking
	return skill.Change{Asked: frame.ForContact}
}
