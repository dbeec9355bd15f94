package skill

import (
	"strings"
	"unicode/utf8"

	"frontdesk/shared/ai"
	"frontdesk/shared/text"
)

// Sure is the confidence in a reply that needs no knowledge.
const Sure = 1

// Reply is one in a skill's words, cut to the agent's length.
func (s *State) Reply(action, intent, words string) *ai.Reply {
	return &ai.Reply{Text: s.Fit(words), Action: action, Intent: intent, Confidence: Sure}
}

// Fit cuts what is said to the agent's length.
func (s *State) Fit(words string) string {
	if s.Agent.MaxResponseLength < 1 {
		return words
	}
	return text.Cut(words, s.Agent.MaxResponseLength)
}

// Append adds a sentence to what is said, where the agent's length has room for it.
func (s *State) Append(words, sentence string) string {
	between := " "
	if last, _ := utf8.DecodeLastRuneInString(words); !strings.ContainsRune(
		".!?…。؟",
		last,
	) { // a price, an address
		between = "\n"
	}
	both := words + between + sentence
	if sentence == "" ||
		s.Agent.MaxResponseLength > 0 && utf8.RuneCountInString(both) > s.Agent.MaxResponseLength {
		return words
	}
	return both
}
