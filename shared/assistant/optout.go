package assistant

import (
	"context"

	"frontdesk/shared/ai"
)

// OptOut is the intent of a message that asks for no more of them.
const OptOut = "opt_out"

// optOut takes up a message that is one of the agent's opt-out keywords: its writer gets no messages from then on but
// replies.
func (s *state) optOut(context.Context) (*decision, error) {
	if !s.is(s.agent.OptOutKeywords) {
		return nil, nil
	}
	return &decision{
		reply: s.reply(ai.Respond, OptOut, s.wording().optedOut),
		then: func(s *state) {
			s.contact.OptedIn = false
			s.leaveFunnel()
		},
	}, nil
}
