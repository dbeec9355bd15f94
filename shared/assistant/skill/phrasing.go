package skill

import (
	"slices"

	"frontdesk/shared/language"
	"frontdesk/shared/text"
	"frontdesk/shared/understand"
)

// Language is the agent's, a BCP 47 primary tag.
func (s *State) Language() string { return string(s.Agent.Language) }

// Phrasing is how people of the agent's language say what skills listen for.
func (s *State) Phrasing() *language.Requests { return language.Of(s.Language()).Requests() }

// Wording is what skills say of their own in the agent's language.
func (s *State) Wording() *language.Replies { return language.Of(s.Language()).Replies() }

// Find returns where one of the list's phrases stands in the message, and its length; 0 where none does.
func (s *State) Find(list string) (at, length int) {
	return text.Find(text.Phrases(s.Language(), list), s.Reading.Tokens)
}

// Says reports whether one of the list's phrases stands in the message.
func (s *State) Says(list string) bool {
	_, n := s.Find(list)
	return n > 0
}

// ShortAnswer is the most words of a message that is a yes or a no.
const ShortAnswer = 5

// Agrees reports whether the message says yes to what was asked before it.
func (s *State) Agrees() bool { return s.answers(s.Phrasing().Yes) }

// Refuses reports whether the message says no to what was asked before it.
func (s *State) Refuses() bool { return s.answers(s.Phrasing().No) }

func (s *State) answers(list string) bool {
	return !s.Reading.Asks && answers(s.Language(), list, s.Reading.Tokens)
}

// answers reports whether a message is short and begins with one of the list's phrases.
func answers(language, list string, tokens []text.Token) bool {
	return len(tokens) <= ShortAnswer && text.LongestAt(text.Phrases(language, list), tokens, 0) > 0
}

// AnswersIn is answers for phrases of another language than the agent's.
func (s *State) AnswersIn(language, list string) bool {
	return answers(language, list, text.Tokens(language, s.Text))
}

// Is reports whether the message is one of the list's phrases, with nothing but politeness around it.
func (s *State) Is(list string) bool {
	polite := text.Phrases(s.Language(), s.Phrasing().Courtesy)
	phrases := text.Phrases(s.Language(), list)
	at, n := text.Find(phrases, s.Reading.Tokens)
	if n == 0 {
		return false
	}
	around := slices.Concat(s.Reading.Tokens[:at], s.Reading.Tokens[at+n:])
	return !slices.ContainsFunc(around, func(t text.Token) bool {
		return !slices.ContainsFunc(polite, func(p text.Phrase) bool { return len(p) == 1 && p[0] == t.Stem })
	})
}

// leastOptOut is how sure it must be by what was learnt that the writer wants no more messages: what merely
// sounds like it, such as "no more sugar please", stays below.
const leastOptOut = 0.95

// OptsOut reports whether the message is one of the agent's opt-out keywords, or says in other words that
// its writer wants no more messages. The latter is heard only where a business can write to people, on
// platforms.
func (s *State) OptsOut() bool {
	if s.Is(s.Agent.OptOutKeywords) {
		return true
	}
	return s.Conversation.SendsByPlatform() && !s.Reading.Asks && s.Learnt(understand.OptOut, leastOptOut) > 0
}
