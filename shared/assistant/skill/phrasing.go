package skill

import (
	"slices"
	"strings"

	"frontdesk/shared/language"
	"frontdesk/shared/text"
	"frontdesk/shared/understand"
)

// Language returns the agent's language, a BCP 47 primary tag.
func (s *State) Language() string { return string(s.Agent.Language) }

// Phrasing returns the words of requests in the agent's language.
func (s *State) Phrasing() *language.Requests { return language.Of(s.Language()).Requests() }

// Wording returns the texts of skills in the agent's language.
func (s *State) Wording() *language.Replies { return language.Of(s.Language()).Replies() }

// Find returns the position of the first of the list's phrases in the message and its length in tokens, 0
// if there is none.
func (s *State) Find(list string) (at, length int) {
	return text.Find(text.Phrases(s.Language(), list), s.Reading.Tokens)
}

// Says reports whether the message has one of the list's phrases.
func (s *State) Says(list string) bool {
	_, n := s.Find(list)
	return n > 0
}

// ShortAnswer is the maximum number of words of a yes or no.
const ShortAnswer = 5

// Agrees reports whether the message says yes to the last question.
func (s *State) Agrees() bool { return !s.Reading.Asks && s.AgreesIn(s.Language()) }

// Refuses reports whether the message says no to the last question.
func (s *State) Refuses() bool { return !s.Reading.Asks && s.RefusesIn(s.Language()) }

// AgreesIn is Agrees for a message in another language. The longer phrase decides: "works not" refuses.
func (s *State) AgreesIn(tag string) bool {
	p := language.Of(tag).Requests()
	yes := s.answers(tag, p.Yes)
	return yes > 0 && yes >= s.answers(tag, p.No)
}

// RefusesIn is Refuses for a message in another language.
func (s *State) RefusesIn(tag string) bool {
	p := language.Of(tag).Requests()
	no := s.answers(tag, p.No)
	return no > 0 && no >= s.answers(tag, p.Yes)
}

// maxExclaimed is the maximum number of words such as "ah" and "well" before an answer.
const maxExclaimed = 2

// answers returns the length of the list's phrase that a short message begins with, after exclamations; 0
// for none.
func (s *State) answers(tag, list string) int {
	tokens := text.Tokens(tag, s.Text)
	if len(tokens) > ShortAnswer {
		return 0
	}
	exclaimed := text.Phrases(tag, language.Of(tag).Talk().Filler)
	for range maxExclaimed + 1 {
		if n := text.LongestAt(text.Phrases(tag, list), tokens, 0); n > 0 {
			return n
		}
		n := text.LongestAt(exclaimed, tokens, 0)
		if n == 0 {
			return 0
		}
		tokens = tokens[n:]
	}
	return 0
}

// maxGivesUp is the maximum number of words of a message with a clause that gives something up.
const maxGivesUp = 20

// GivesUpIn reports whether a message in a language, or a clause of it, gives up what was begun: "Look,
// leave it, I have no time". With surely, a single word such as "leave" is enough even if its clause says
// more.
func (s *State) GivesUpIn(tag string, surely bool) bool {
	p := language.Of(tag).Requests()
	if s.answers(tag, p.Cancel) > 0 {
		return true
	}
	tokens := text.Tokens(tag, s.Text)
	if len(tokens) > maxGivesUp {
		return false
	}
	gives := text.Phrases(tag, p.Cancel)
	beside := []string{language.Of(tag).Talk().Filler, p.Yes, p.No, p.Courtesy}
	aside := text.Phrases(tag, strings.Join(beside, ","))
	begins := true
	for i := 0; i < len(tokens); {
		begins = begins || i > 0 && parted(between(s.Text, tokens[i-1], tokens[i]))
		n := text.LongestAt(gives, tokens, i)
		ends := i+n == len(tokens) || n > 0 && parted(between(s.Text, tokens[i+n-1], tokens[i+n]))
		if begins && n > 0 && (n > 1 || surely || ends) {
			return true
		}
		n = max(n, text.LongestAt(aside, tokens, i))
		begins = begins && n > 0
		i += max(n, 1)
	}
	return false
}

// Is reports whether the message is one of the list's phrases, with nothing but courtesies around it.
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

// leastOptOut is the minimum probability of an opt-out by the classifier. Messages that only sound similar,
// such as "no more sugar please", score lower.
const leastOptOut = 0.95

// OptsOut reports whether the message is one of the agent's opt-out keywords or, on platforms, where a
// business can write to people, opts out in other words.
func (s *State) OptsOut() bool {
	if s.Is(s.Agent.OptOutKeywords) {
		return true
	}
	return s.Conversation.SendsByPlatform() && !s.Reading.Asks && s.Learnt(understand.OptOut, leastOptOut) > 0
}
