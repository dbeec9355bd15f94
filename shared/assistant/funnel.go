package assistant

import (
	"unicode/utf8"

	"frontdesk/shared/ai"
	"frontdesk/shared/assistant/skill"
	"frontdesk/shared/frame"
	"frontdesk/shared/message"
)

// askAgain repeats the pending question of the funnel after a reply to something else. A reply that would
// become too long stays unchanged.
func (s *state) askAgain(reply *ai.Reply, pending string) skill.Change {
	both := reply.Text + "\n\n" + pending
	if utf8.RuneCountInString(both) > message.MaxText {
		return skill.Change{}
	}
	reply.Text = both
	in := s.Conversation.Frame.Asked.Funnel
	in.At = s.Now
	return skill.Change{Funnel: &in, Asked: frame.ForFunnel}
}
