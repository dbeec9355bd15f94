package assistant

import (
	"slices"
	"strings"

	"frontdesk/shared/ai"
	"frontdesk/shared/ai/builtin"
	"frontdesk/shared/booking"
	"frontdesk/shared/conversation"
)

// topicMessages is for how many messages of the contact a topic that nobody names again stays one.
const topicMessages = 6

// topic is what the conversation was about before the message, in the business's words; "" for nothing.
func (s *state) topic() string {
	t := s.conversation.Topic
	if !s.agent.MemoryEnabled {
		return ""
	}
	if s.conversation.Received-t.At > topicMessages {
		return ""
	}
	words := []string{t.Product, t.Service, t.Subject}
	return strings.TrimSpace(strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), " "))
}

// topicService is the service that the conversation was about before the message; "" for none.
func (s *state) topicService() string {
	if t := s.conversation.Topic; s.conversation.Received-t.At <= topicMessages && !s.reading.Human {
		return t.Service
	}
	return ""
}

// followTopic notes what the message and its reply are about.
func (s *state) followTopic(reply *ai.Reply) {
	t := s.conversation.Topic
	if s.conversation.Received-t.At > topicMessages {
		t = conversation.Topic{}
	}
	services := s.agent.KnownServices()
	about := conversation.Topic{Service: booking.Named(s.language(), services, s.message.Text)}
	if named, exactly := s.products(); exactly && len(named) == 1 {
		about.Product = named[0].Name
	}
	if reply != nil && reply.Action == ai.Respond {
		about.Subject = reply.Subject
		if about.Service == "" && about.Product == "" && (reply.Intent == builtin.Pricing || reply.Intent == builtin.Question) {
			about.Service = booking.Named(s.language(), services, reply.Subject)
		}
		if named, exactly := s.named(reply.Text); about.Product == "" && exactly && len(named) == 1 && reply.Intent != builtin.Booking {
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
	about.At = s.conversation.Received + 1
	s.conversation.Topic = about
}
