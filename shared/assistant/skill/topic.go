package skill

import (
	"slices"
	"strings"

	"frontdesk/shared/language"
	"frontdesk/shared/text"
)

// topic returns the topic of the conversation before the message, in the business's words, one item per
// line; may be empty.
func (s *State) topic() string {
	t := s.Conversation.Frame.Topic
	if !s.Agent.MemoryEnabled || !t.Lasts(s.Conversation.Received) {
		return ""
	}
	words := []string{t.Product, t.Service, t.Person, t.Heading}
	words = slices.DeleteFunc(words, func(w string) bool { return w == "" })
	return strings.Join(slices.Compact(words), "\n")
}

// TopicService returns the service that the conversation was about before the message, or "".
func (s *State) TopicService() string {
	if t := s.Conversation.Frame.Topic; t.Lasts(s.Conversation.Received) && !s.Reading.Human {
		return t.Service
	}
	return ""
}

// VagueTopic reports whether less than half of that service's name was said.
func (s *State) VagueTopic() bool { return s.Conversation.Frame.Topic.Vague }

// TopicProduct returns the product that the conversation was about before the message, or "".
func (s *State) TopicProduct() string {
	if t := s.Conversation.Frame.Topic; s.Agent.MemoryEnabled && t.Lasts(s.Conversation.Received) {
		return t.Product
	}
	return ""
}

// PointsBack reports whether the message refers to something that was mentioned before.
func (s *State) PointsBack() bool {
	if s.Reading.GoesOn {
		return true
	}
	back := language.Of(s.Tongue()).Speech().Back
	_, n := text.Find(text.Phrases(s.Tongue(), back), text.Tokens(s.Tongue(), s.Text))
	return n > 0
}
