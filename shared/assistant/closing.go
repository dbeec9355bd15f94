package assistant

import (
	"slices"
	"strings"

	"frontdesk/shared/ai"
	"frontdesk/shared/conversation"
)

// closing appends the business's out-of-hours message to a reply that promises a person, or that does not
// know the answer, while the business is closed. A reply that does not know gets it once per conversation.
func (s *state) closing(reply *ai.Reply) {
	said := s.Agent.OutOfHoursMessage
	promises := reply.Action == ai.Handoff || reply.Action == ai.Fallback
	if !promises || said == "" || strings.Contains(reply.Text, said) {
		return
	}
	if reply.Action == ai.Fallback && slices.ContainsFunc(s.History, func(m conversation.Message) bool {
		return m.SentByAI && strings.Contains(m.Content, said)
	}) {
		return
	}
	if open, known := s.Open(); known && !open {
		reply.Text = s.Append(reply.Text, said)
	}
}
