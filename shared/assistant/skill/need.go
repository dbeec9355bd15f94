package skill

import (
	"slices"
	"strings"

	"frontdesk/shared/conversation"
	"frontdesk/shared/language"
	"frontdesk/shared/understand"
)

const (
	// leastNeed is the minimum probability of an emergency.
	leastNeed = 0.65
	// perhapsNeed is the minimum for a message that also names a concept of emergencies.
	perhapsNeed = 0.45
	// surelyNeed is the minimum if the model knows little of the message, but at least leastKnownNeed: it
	// is worse to miss an emergency than to see one too many.
	surelyNeed     = 0.95
	leastKnownNeed = 0.3
	// byKeyword is the probability for a statement with one of the business's urgent keywords.
	byKeyword = 0.7
)

// InNeed returns the probability that the author is in danger or great need, by the classifier and by the
// business's urgent keywords; 0 if it is low.
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

// OfNeed reports whether a concept, given by its name, is about emergencies.
func OfNeed(name string) bool { return slices.Contains(concepts(), name) }

func concepts() []string { return []string{"emergency", "accident", "poison"} }

// EmergencyNumbers returns numbers of public emergency services that are rarely another amount.
func EmergencyNumbers() []string { return []string{"112", "911", "999"} }

// helpWords returns search words for an emergency: the first words for it in the agent's language, and the
// numbers to call. It is nil if the message is no emergency.
func (s *State) helpWords() []string {
	if s.InNeed() == 0 || s.Conversation.TakeoverMode == conversation.ByHuman {
		return nil
	}
	words := strings.SplitN(language.Of(s.Language()).Concepts()["emergency"], ",", maxHelpWords+1)
	return append(words[:min(len(words), maxHelpWords)], EmergencyNumbers()...)
}

// maxHelpWords is the number of words for an emergency that are searched for.
const maxHelpWords = 2
