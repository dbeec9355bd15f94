package skill

import (
	"strings"
	"unicode/utf8"

	"frontdesk/shared/ai"
	"frontdesk/shared/text"
)

// Sure is the confidence of a reply that needs no knowledge.
const Sure = 1

// Reply returns a reply in a skill's words, cut to the agent's maximum length.
func (s *State) Reply(action, intent, words string) *ai.Reply {
	return &ai.Reply{Text: s.Fit(words), Action: action, Intent: intent, Confidence: Sure}
}

// Fit cuts a text to the agent's maximum length.
func (s *State) Fit(words string) string {
	if s.Agent.MaxResponseLength < 1 {
		return words
	}
	return text.Cut(words, s.Agent.MaxResponseLength)
}

// Append appends a sentence to a text. If the result would exceed the agent's maximum length, it returns
// the text unchanged.
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
