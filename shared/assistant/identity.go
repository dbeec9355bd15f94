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
	return &decision{reply: s.reply(ai.Respond, WhoAreYou, s.introduction())}, nil
}

// introduction says who the agent is: an automated assistant.
func (s *state) introduction() string {
	name := cmp.Or(s.agent.PersonaName, s.agent.Name)
	if s.agent.BusinessName == "" {
		return text.Fill(s.spoken().Name, name)
	}
	return text.Fill(s.spoken().NameOf, name, s.agent.BusinessName)
}
