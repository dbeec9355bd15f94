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

// invite appends the business's own call to action to a reply, once in a conversation, after the contact
// was helped and only while nothing else is being asked. The default text of an industry is not used. A
// language model is instructed to invite by itself.
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
		return skill.Change{} // the reply would be too long
	}
	reply.Text = invited
	c := skill.Change{Invited: true}
	if s.Agent.ConversionMode == agent.ConvertBooking && s.Agent.BookingEnabled {
		c.Asked = frame.ForAppointment
	}
	return c
}

// helped reports whether the reply answers a question, and at least the second message.
func (s *state) helped(reply *ai.Reply) bool {
	switch reply.Intent {
	case builtin.Question, builtin.Pricing, skill.Availability, skill.Hours:
		return reply.Action == ai.Respond && s.Conversation.Received+1 >= helpedEnough
	}
	return false
}
