package assistant

import (
	"strings"
	"unicode/utf8"

	"frontdesk/shared/agent"
	"frontdesk/shared/ai"
	"frontdesk/shared/ai/builtin"
	"frontdesk/shared/assistant/skill"
	"frontdesk/shared/frame"
)

// invite adds to a reply what the business invites people to, in its words and not in its template's: once in
// a conversation, when the contact was helped, and not in the midst of something else. A language model is
// told to invite by itself.
func (s *state) invite(reply *ai.Reply) skill.Change {
	words, asked := s.Agent.CallToAction, s.Conversation.Frame.Asked
	if words == "" || s.Agent.AssumedCallToAction || s.Agent.ConversionMode == agent.ConvertNothing ||
		s.ByModel ||
		asked.Invited || asked.Reply != "" || asked.Appointment != "" || !s.helped(reply) {
		return skill.Change{}
	}
	if last, _ := utf8.DecodeLastRuneInString(words); !strings.ContainsRune(".!?…؟", last) {
		words += "."
	}
	invited := s.Append(reply.Text, words)
	if invited == reply.Text {
		return skill.Change{} // there is no room
	}
	reply.Text = invited
	c := skill.Change{Invited: true}
	if s.Agent.ConversionMode == agent.ConvertBooking && s.Agent.BookingEnabled {
		c.Asked = frame.ForAppointment
	}
	return c
}

// helped reports whether the contact was helped by now: the reply answers a question, and not the first one.
func (s *state) helped(reply *ai.Reply) bool {
	switch reply.Intent {
	case builtin.Question, builtin.Pricing, skill.Availability, skill.Hours:
		return reply.Action == ai.Respond && s.Conversation.Received+1 >= helpedEnough
	}
	return false
}
