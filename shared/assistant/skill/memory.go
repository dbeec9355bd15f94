package skill

import (
	"maps"
	"slices"
	"strings"

	"frontdesk/shared/conversation"
	"frontdesk/shared/text"
)

const (
	// fewWords is how many telling words a message may have that goes on with the one before it. One with
	// more says what it is about by itself.
	fewWords = 3
	// maxBefore is how many messages back it is looked for what a message goes on with.
	maxBefore = 3
)

// GoesOn reports whether the message cannot be understood without the one before it: "And on Sundays?"
func (s *State) GoesOn() bool {
	if !s.Agent.MemoryEnabled || s.Reading.SmallTalk != "" || len(s.Reading.Tokens) == 0 {
		return false
	}
	telling := s.Telling()
	return telling == 0 || s.Reading.GoesOn && telling <= fewWords
}

// Question is what the message asks, for the search: together with what it goes on with, and with what finds
// help for somebody in need.
func (s *State) Question() string {
	asked := []string{s.Text}
	urgent := s.Conversation.Priority == conversation.Urgent && s.Conversation.AnsweredByAI()
	if s.GoesOn() || urgent && s.InNeed() == 0 {
		asked = append(asked, s.GoneOnWith()...)
	}
	if topic := s.topic(); topic != "" && len(s.Reading.Tokens) > 0 && s.Telling() <= fewWords {
		asked = append(asked, topic)
	}
	return strings.Join(append(asked, s.helpWords()...), "\n")
}

// Telling is how many words of the message say something.
func (s *State) Telling() int {
	n := 0
	for _, t := range s.Reading.Tokens {
		if !t.Stop {
			n++
		}
	}
	return n
}

// GoneOnWith are the messages that this one goes on with, the latest first.
func (s *State) GoneOnWith() []string {
	var all []string
	for _, before := range slices.Backward(s.History) {
		if before.Direction != conversation.Inbound {
			continue
		}
		all = append(all, before.Content)
		if len(all) == maxBefore || !s.Engine.Read(s.Language(), before.Content).GoesOn {
			break
		}
	}
	return all
}

// knownOfContact is what is known of the contact, by name.
func (s *State) knownOfContact() map[string]string {
	known := maps.Clone(s.Contact.Facts)
	if known == nil {
		known = map[string]string{}
	}
	for name, value := range map[string]string{
		"name": s.Contact.Name, "budget": s.Contact.Budget, "location": s.Contact.Location,
	} {
		if value != "" {
			known[name] = text.Cut(value, MaxFact)
		}
	}
	return known
}
