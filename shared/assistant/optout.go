package assistant

import (
	"context"

	"frontdesk/shared/ai"
)

// OptOut is the intent of a message that asks for no more of them.
const OptOut = "opt_out"

// optsOut reports whether the message is one of the agent's opt-out keywords. Whoever answers the contact, its writer gets
// no messages from then on but replies; see act.
func (s *state) optsOut() bool { return s.is(s.agent.OptOutKeywords) }

// optOut takes up a message that is one of the agent's opt-out keywords.
func (s *state) optOut(context.Context) (*decision, error) {
	if !s.optsOut() {
		return nil, nil
	}
	return &decision{reply: s.reply(ai.Respond, OptOut, s.wording().OptedOut)}, nil
}
