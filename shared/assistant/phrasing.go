package assistant

import (
	"slices"

	"frontdesk/shared/language"
	"frontdesk/shared/text"
)

func (s *state) language() string { return string(s.agent.Language) }

// phrasing is how people of the agent's language say what the deciders listen for.
func (s *state) phrasing() *language.Requests { return language.Of(s.language()).Requests() }

// wording is what the deciders say of their own in the agent's language.
func (s *state) wording() *language.Replies { return language.Of(s.language()).Replies() }

// find returns where one of the list's phrases stands in the message, and its length; 0 where none does.
func (s *state) find(list string) (at, length int) {
	return text.Find(text.Phrases(s.language(), list), s.reading.Tokens)
}

// says reports whether one of the list's phrases stands in the message.
func (s *state) says(list string) bool {
	_, n := s.find(list)
	return n > 0
}

// shortAnswer is the most words of a message that is a yes or a no.
const shortAnswer = 5

// agrees reports whether the message says yes, and refuses whether it says no, to what was asked before it.
func (s *state) agrees() bool { return s.answers(s.phrasing().Yes) }

func (s *state) refuses() bool { return s.answers(s.phrasing().No) }

func (s *state) answers(list string) bool {
	at, n := s.find(list)
	return n > 0 && at == 0 && len(s.reading.Tokens) <= shortAnswer && !s.reading.Asks
}

// answersIn is answers for phrases of another language than the agent's.
func (s *state) answersIn(language, list string) bool {
	tokens := text.Tokens(language, s.message.Text)
	at, n := text.Find(text.Phrases(language, list), tokens)
	return n > 0 && at == 0 && len(tokens) <= shortAnswer
}

// is reports whether the message is one of the list's phrases, with nothing but politeness around it.
func (s *state) is(list string) bool {
	polite := text.Phrases(s.language(), s.phrasing().Courtesy)
	phrases := text.Phrases(s.language(), list)
	at, n := text.Find(phrases, s.reading.Tokens)
	if n == 0 {
		return false
	}
	around := slices.Concat(s.reading.Tokens[:at], s.reading.Tokens[at+n:])
	return !slices.ContainsFunc(around, func(t text.Token) bool {
		return !slices.ContainsFunc(polite, func(p text.Phrase) bool { return len(p) == 1 && p[0] == t.Stem })
	})
}
