package assistant

import (
	"context"
	"strings"
	"unicode/utf8"

	"frontdesk/shared/agent"
	"frontdesk/shared/ai"
	"frontdesk/shared/ai/builtin"
	"frontdesk/shared/conversation"
)

// invite adds to a reply what the business invites people to, in its words and not in its template's: once in a
// conversation, when the contact was helped, and not in the midst of something else. A language model is told to invite by
// itself.
func (s *state) invite(reply *ai.Reply) {
	words := s.agent.CallToAction
	if words == "" || s.agent.AssumedCallToAction || s.agent.ConversionMode == agent.ConvertNothing || s.agent.AIModel != ai.Builtin || s.conversation.Invited ||
		s.conversation.Asked != "" || s.conversation.Booking != "" || !s.helped(reply) {
		return
	}
	if last, _ := utf8.DecodeLastRuneInString(words); !strings.ContainsRune(".!?…؟", last) {
		words += "."
	}
	invited := s.append(reply.Text, words)
	if invited == reply.Text {
		return // there is no room
	}
	reply.Text, s.conversation.Invited = invited, true
	if s.agent.ConversionMode == agent.ConvertBooking && s.agent.BookingEnabled {
		s.conversation.Asked = conversation.AskedForAppointment
	}
}

// helped reports whether the contact was helped by now: the reply answers a question, and not the first one.
func (s *state) helped(reply *ai.Reply) bool {
	switch reply.Intent {
	case builtin.Question, builtin.Pricing, Availability, Hours:
		return reply.Action == ai.Respond && s.conversation.Received+1 >= helpedEnough
	}
	return false
}

// invited takes up the answer to an invitation: who declines is left in peace. Who accepts one to an appointment begins
// to arrange it; see bookingInput.
func (s *state) invited(context.Context) (*decision, error) {
	if s.conversation.Asked != conversation.AskedForAppointment || !s.refuses() {
		return nil, nil
	}
	return &decision{reply: s.reply(ai.Respond, builtin.Booking, s.wording().AllRight)}, nil
}

// accepts reports whether the message accepts the invitation to an appointment.
func (s *state) accepts() bool {
	return s.conversation.Asked == conversation.AskedForAppointment && s.agrees()
}
