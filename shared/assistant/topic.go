package assistant

import (
	"frontdesk/shared/ai"
	"frontdesk/shared/ai/builtin"
	"frontdesk/shared/assistant/skill"
	"frontdesk/shared/booking"
	"frontdesk/shared/conversation"
)

// followTopic notes what the message and its reply are about.
func (s *state) followTopic(reply *ai.Reply) {
	t := s.Conversation.Topic
	if s.Conversation.Received-t.At > skill.TopicMessages {
		t = conversation.Topic{}
	}
	services := s.Agent.KnownServices()
	about := conversation.Topic{Service: booking.Named(s.Language(), services, s.Tongue(), s.Text)}
	if named, exactly := s.Products(); exactly && len(named) == 1 {
		about.Product = named[0].Name
	}
	if reply != nil && reply.Action == ai.Respond {
		about.Subject = reply.Subject
		if about.Service == "" && about.Product == "" &&
			(reply.Intent == builtin.Pricing || reply.Intent == builtin.Question) {
			about.Service = booking.Named(s.Language(), services, s.Language(), reply.Subject)
		}
		if named, exactly := s.Named(reply.Text); about.Product == "" && exactly && len(named) == 1 &&
			reply.Intent != builtin.Booking {
			about.Product = named[0].Name
		}
	}
	if about == (conversation.Topic{}) {
		return
	}
	if about.Service == "" && about.Product == "" {
		about.Service = t.Service // a question beside it is not another service
	}
	if about.Subject == "" && about.Service == t.Service && about.Product == t.Product {
		about.Subject = t.Subject
	}
	about.At = s.Conversation.Received + 1
	s.Conversation.Topic = about
}
