package skill

import (
	"slices"
	"strings"

	"frontdesk/shared/conversation"
	"frontdesk/shared/language"
	"frontdesk/shared/understand"
)

const (
	// leastNeed is the probability from which on a message is one of somebody in need.
	leastNeed = 0.65
	// perhapsNeed is that of a message which names something of emergencies besides.
	perhapsNeed = 0.45
	// surelyNeed is the probability from which on it is one though much of it is like nothing learnt, down to
	// leastKnownNeed of it: not to see somebody in need is worse than to see one too many.
	surelyNeed     = 0.85
	leastKnownNeed = 0.3
	// byKeyword is the probability of a statement that has one of the business's words for what is urgent.
	byKeyword = 0.7
)

// InNeed is how probably the message is that of somebody in danger or in great need, by what was learnt and
// by the business's own words for what is urgent; 0 where that is little.
func (s *State) InNeed() float64 {
	if len(s.Reading.Tokens) == 0 {
		return 0
	}
	u := s.Understood()
	p := u.Skills[understand.Emergency]
	switch {
	case u.Known >= leastKnown && p >= leastNeed, u.Known >= leastKnownNeed && p >= surelyNeed:
		return p
	case u.Known >= leastKnown && p >= perhapsNeed && slices.ContainsFunc(u.Concepts, OfNeed):
		return leastNeed
	case !s.Reading.Asks && s.Says(s.Agent.UrgentKeywords):
		return byKeyword
	}
	return 0
}

// OfNeed reports whether a concept, by its name, is one of emergencies.
func OfNeed(name string) bool { return slices.Contains(concepts(), name) }

func concepts() []string { return []string{"emergency", "accident", "poison"} }

// EmergencyNumbers are numbers of public emergency services that are seldom another amount.
func EmergencyNumbers() []string { return []string{"112", "911", "999"} }

// helpWords are words that find what the business has for somebody in need, where the message is of such a
// one: the first of the agent's language for an emergency, and the numbers to call.
func (s *State) helpWords() []string {
	if s.InNeed() == 0 || s.Conversation.TakeoverMode == conversation.ByHuman {
		return nil
	}
	words := strings.SplitN(language.Of(s.Language()).Concepts()["emergency"], ",", maxHelpWords+1)
	return append(words[:min(len(words), maxHelpWords)], EmergencyNumbers()...)
}

// maxHelpWords is how many words for an emergency are looked up.
const maxHelpWords = 2
