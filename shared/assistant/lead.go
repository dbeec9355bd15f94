package assistant

import (
	"cmp"
	"context"

	"frontdesk/shared/agent"
	"frontdesk/shared/ai"
	"frontdesk/shared/ai/builtin"
	"frontdesk/shared/conversation"
	"frontdesk/shared/text"
)

// Details is the intent of a message that tells who its writer is.
const Details = "details"

// helpedEnough is how many messages a contact has written before the agent asks for an address: it is helped first.
const helpedEnough = 2

// lead takes up a message that tells who its writer is and nothing else, and one that refuses to tell.
func (s *state) lead(context.Context) (*decision, error) {
	asked := s.conversation.Asked == conversation.AskedForContact
	if asked && s.refuses() {
		return &decision{
			reply: s.reply(ai.Respond, Details, s.wording().AllRight),
			then:  func(s *state) { s.contact.KeepsToThemselves = true },
		}, nil
	}
	d := s.details
	if asked || d.Email != "" || d.Phone != "" { // "Sure: Ada Lovelace, ada@example.com"
		s.introduce(asked)
		d = s.details
	}
	told := d.Identity != Identity{} && (!d.local || asked) || d.preference != ""
	if !told || d.rest > 0 || s.reading.Asks {
		return nil, nil
	}
	thanks := s.wording().Thanks
	if name := cmp.Or(s.contact.Name, d.Name); name != "" {
		thanks = text.Fill(s.wording().ThanksYou, name)
	}
	if !s.qualifies() {
		return &decision{reply: s.reply(ai.Respond, Details, thanks)}, nil
	}
	return &decision{
		reply: s.reply(ai.Respond, Details, s.append(thanks, s.agent.QualifyingQuestions)),
		then:  func(s *state) { s.conversation.Asked = conversation.AskedForNeeds },
	}, nil
}

// askForContact adds to a reply the question how the contact can be reached, at a fitting moment: once the contact was
// helped, where the agent is to bring in leads; and when a person is to answer who could not. It is asked once in a
// conversation, never of one who has refused, and not beside a language model, which is told to ask by itself.
func (s *state) askForContact(reply *ai.Reply) {
	c := s.contact
	if s.reminder != "" { // one thing after the other
		return
	}
	if !s.agent.LeadCaptureEnabled || c.Reachable() || c.KeepsToThemselves || s.conversation.AskedContact {
		return
	}
	fitting := reply.Action == ai.Handoff || reply.Intent == Order
	if s.agent.ConversionMode == agent.ConvertLead && s.agent.AIModel == ai.Builtin {
		answered := reply.Action == ai.Respond && (reply.Intent == builtin.Question || reply.Intent == builtin.Pricing)
		fitting = fitting || answered && s.conversation.Received+1 >= helpedEnough
	}
	if !fitting {
		return
	}
	question := s.wording().AskAll
	if c.Name != "" {
		question = s.wording().AskWay
	}
	if asking := s.append(reply.Text, question); asking != reply.Text {
		reply.Text = asking
		s.conversation.Asked, s.conversation.AskedContact = conversation.AskedForContact, true
	}
}
