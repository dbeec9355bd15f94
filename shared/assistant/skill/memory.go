package skill

import (
	"maps"
	"slices"
	"strings"

	"frontdesk/shared/contact"
	"frontdesk/shared/conversation"
	"frontdesk/shared/language"
	"frontdesk/shared/text"
)

const (
	// fewWords is the maximum number of significant words of a message that depends on the one before it.
	fewWords = 3
	// maxBefore is the maximum number of earlier messages that a message may depend on.
	maxBefore = 3
)

// GoesOn reports whether the message depends on the one before it: "And on Sundays?"
func (s *State) GoesOn() bool {
	if !s.Agent.MemoryEnabled || s.Reading.SmallTalk != "" || len(s.Reading.Tokens) == 0 {
		return false
	}
	telling := s.Telling()
	return telling == 0 || s.Reading.GoesOn && telling <= fewWords
}

// Question returns the text to search the knowledge for: the message, the messages that it depends on, the
// topic, a word for the team if it asks for a person, and search words for emergencies.
func (s *State) Question() string {
	asked := []string{s.Text}
	urgent := s.Conversation.Priority == conversation.Urgent && s.Conversation.AnsweredByAI()
	if s.GoesOn() || urgent && s.InNeed() == 0 {
		asked = append(asked, s.GoneOnWith()...)
	}
	if topic := s.topic(); topic != "" && len(s.Reading.Tokens) > 0 && s.Telling() <= fewWords {
		asked = append(asked, topic)
	}
	if s.Reading.Person {
		team, _, _ := strings.Cut(language.Of(s.Language()).Concepts()["team"], ",")
		asked = append(asked, team)
	}
	return strings.Join(append(asked, s.helpWords()...), "\n")
}

// Telling returns the number of significant words of the message.
func (s *State) Telling() int {
	n := 0
	for _, t := range s.Reading.Tokens {
		if !t.Stop {
			n++
		}
	}
	return n
}

// GoneOnWith returns the messages that this one depends on, the latest first.
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

// LastReplies returns the agent's latest messages, at most n, the last one first.
func (s *State) LastReplies(n int) []string {
	var all []string
	for _, m := range slices.Backward(s.History) {
		if len(all) == n {
			break
		}
		if m.Direction == conversation.Outbound {
			all = append(all, m.Content)
		}
	}
	return all
}

// LastReply returns the agent's last message, or "" if there is none.
func (s *State) LastReply() string {
	return strings.Join(s.LastReplies(1), "")
}

// knownOfContact returns what is known about the contact, by name.
func (s *State) knownOfContact() map[string]string {
	known := maps.Clone(s.Contact.Facts)
	if known == nil {
		known = map[string]string{}
	}
	for name, value := range map[string]string{
		"name": s.Contact.Name, "budget": s.Contact.Budget, "location": s.Contact.Location,
	} {
		if value != "" {
			known[name] = text.Cut(value, contact.MaxFact)
		}
	}
	return known
}
