package skill

import (
	"slices"
	"strings"

	"frontdesk/shared/language"
	"frontdesk/shared/text"
)

// topic is what the conversation was about before the message, in the business's words, each thing on a line
// of its own; "" for nothing.
func (s *State) topic() string {
	t := s.Conversation.Frame.Topic
	if !s.Agent.MemoryEnabled || !t.Lasts(s.Conversation.Received) {
		return ""
	}
	words := []string{t.Product, t.Service, t.Person, t.Heading}
	words = slices.DeleteFunc(words, func(w string) bool { return w == "" })
	return strings.Join(slices.Compact(words), "\n")
}

// TopicService is the service that the conversation was about before the message; "" for none.
func (s *State) TopicService() string {
	if t := s.Conversation.Frame.Topic; t.Lasts(s.Conversation.Received) && !s.Reading.Human {
		return t.Service
	}
	return ""
}

// TopicProduct is the product that the conversation was about before the message; "" for none.
func (s *State) TopicProduct() string {
	if t := s.Conversation.Frame.Topic; s.Agent.MemoryEnabled && t.Lasts(s.Conversation.Received) {
		return t.Product
	}
	return ""
}

// PointsBack reports whether a word of the message stands for something that was said before it.
func (s *State) PointsBack() bool {
	if s.Reading.GoesOn {
		return true
	}
	back := language.Of(s.Tongue()).Speech().Back
	_, n := text.Find(text.Phrases(s.Tongue(), back), text.Tokens(s.Tongue(), s.Text))
	return n > 0
}
