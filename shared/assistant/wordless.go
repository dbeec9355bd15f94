package assistant

import (
	"context"
	"strings"

	"frontdesk/shared/ai"
	"frontdesk/shared/ai/builtin"
	"frontdesk/shared/conversation"
)

// greeted takes up a greeting of whom the agent has greeted already, "How are you?", for the built-in engine, which would
// greet in the same words again.
func (s *state) greeted(context.Context) (*decision, error) {
	if s.agent.AIModel != ai.Builtin || s.reading.SmallTalk != builtin.Greeting {
		return nil, nil
	}
	greeting := builtin.Courtesy(s.request(), builtin.Greeting)
	for _, m := range s.history {
		if m.Direction == conversation.Outbound && strings.HasPrefix(m.Content, greeting) {
			return &decision{reply: s.reply(ai.Respond, builtin.Greeting, s.wording().Again)}, nil
		}
	}
	return nil, nil
}

// bareAnswer takes up a yes or a no alone that nothing was asked for, for the built-in engine, which would look for it in
// what it said last.
func (s *state) bareAnswer(context.Context) (*decision, error) {
	switch {
	case s.agent.AIModel != ai.Builtin || s.reading.SmallTalk != "":
		return nil, nil
	case s.is(s.phrasing().No):
		return &decision{reply: s.reply(ai.Respond, builtin.Thanks, s.wording().AllRight)}, nil
	case s.is(s.phrasing().Yes):
		return &decision{reply: s.reply(ai.Respond, builtin.Greeting, s.wording().Again)}, nil
	}
	return nil, nil
}

// wordless takes up a message that has no word and is no gesture, "??", for the built-in engine: it says what it is waiting
// for, greets whom it has said nothing to yet, and else asks what it can do.
func (s *state) wordless(context.Context) (*decision, error) {
	if s.agent.AIModel != ai.Builtin || len(s.reading.Tokens) > 0 || s.reading.SmallTalk != "" {
		return nil, nil
	}
	if s.reminder != "" {
		said := s.reminder
		s.reminder = ""
		return &decision{reply: s.reply(ai.Respond, builtin.Booking, said)}, nil
	}
	for _, m := range s.history {
		if m.Direction == conversation.Outbound {
			return &decision{reply: s.reply(ai.Respond, builtin.Greeting, s.wording().Again)}, nil
		}
	}
	return &decision{reply: s.reply(ai.Respond, builtin.Greeting, builtin.Courtesy(s.request(), builtin.Greeting))}, nil
}
