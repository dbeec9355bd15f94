package assistant

import (
	"unicode/utf8"

	"frontdesk/shared/ai"
	"frontdesk/shared/message"
)

// askAgain puts the question of the funnel again behind a reply to something else.
func (s *state) askAgain(reply *ai.Reply) {
	both := reply.Text + "\n\n" + s.pending
	if utf8.RuneCountInString(both) > message.MaxText {
		return
	}
	reply.Text = both
	s.Conversation.Asked, s.Conversation.Funnel.At = "", s.Now
}
