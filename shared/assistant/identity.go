package assistant

import (
	"cmp"
	"context"

	"frontdesk/shared/ai"
	"frontdesk/shared/text"
)

// WhoAreYou is the intent of a question who, or what, the agent is.
const WhoAreYou = "identity"

// identity takes up a question who the agent is, for the built-in engine: it says that it is an automated assistant.
func (s *state) identity(context.Context) (*decision, error) {
	if s.agent.AIModel != ai.Builtin || !s.is(s.phrasing().WhoAreYou) {
		return nil, nil
	}
	name := cmp.Or(s.agent.PersonaName, s.agent.Name)
	if s.agent.BusinessName == "" {
		return &decision{reply: s.reply(ai.Respond, WhoAreYou, text.Fill(s.wording().Name, name))}, nil
	}
	return &decision{reply: s.reply(ai.Respond, WhoAreYou, text.Fill(s.wording().NameOf, name, s.agent.BusinessName))}, nil
}
