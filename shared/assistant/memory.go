package assistant

import (
	"maps"
	"slices"
	"strings"

	"frontdesk/shared/conversation"
	"frontdesk/shared/text"
)

const (
	// fewWords is how many telling words a message may have that goes on with the one before it. One with more says
	// what it is about by itself.
	fewWords = 3
	// maxBefore is how many messages back it is looked for what a message goes on with.
	maxBefore = 3
)

// goesOn reports whether the message cannot be understood without the one before it: "And on Sundays?"
func (s *state) goesOn() bool {
	if !s.agent.MemoryEnabled || s.reading.SmallTalk != "" || len(s.reading.Tokens) == 0 {
		return false
	}
	telling := s.telling()
	return telling == 0 || s.reading.GoesOn && telling <= fewWords
}

// question is what the message asks, for the search: together with what it goes on with.
func (s *state) question() string {
	asked := []string{s.message.Text}
	if s.goesOn() {
		asked = append(asked, s.goneOnWith()...)
	}
	if topic := s.topic(); topic != "" && len(s.reading.Tokens) > 0 && s.telling() <= fewWords {
		asked = append(asked, topic)
	}
	return strings.Join(asked, "\n")
}

// telling is how many words of the message say something.
func (s *state) telling() int {
	n := 0
	for _, t := range s.reading.Tokens {
		if !t.Stop {
			n++
		}
	}
	return n
}

// goneOnWith are the messages that this one goes on with, the latest first.
func (s *state) goneOnWith() []string {
	var all []string
	for _, before := range slices.Backward(s.history) {
		if before.Direction != conversation.Inbound {
			continue
		}
		all = append(all, before.Content)
		if len(all) == maxBefore || !s.engine.Read(s.language(), before.Content).GoesOn {
			break
		}
	}
	return all
}

// known is what is known of the contact.
func (s *state) known() map[string]string {
	known := maps.Clone(s.contact.Facts)
	if known == nil {
		known = map[string]string{}
	}
	for name, value := range map[string]string{
		"name": s.contact.Name, "budget": s.contact.Budget, "location": s.contact.Location,
	} {
		if value != "" {
			known[name] = text.Cut(value, maxFact)
		}
	}
	return known
}
