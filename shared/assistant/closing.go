package assistant

import (
	"slices"
	"strings"

	"frontdesk/shared/ai"
	"frontdesk/shared/conversation"
)

// closing adds to a reply that promises a person, or that does not know, that nobody is there now, in the
// business's words. With replies that do not know it is said once.
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
