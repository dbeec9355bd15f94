package assistant

import (
	"context"

	"frontdesk/shared/agent"
	"frontdesk/shared/ai"
	"frontdesk/shared/conversation"
)

// needs is the name of the fact that holds what a contact answers to the business's qualifying questions.
const needs = "needs"

// qualifies reports whether to put the qualifying questions to a contact who has just said who it is: once, and where the
// agent is to bring in leads. Those of a template are not the business's own. A language model is told to find out by itself.
func (s *state) qualifies() bool {
	a := s.agent
	return a.QualifyingQuestions != "" && !a.AssumedQuestions && a.LeadCaptureEnabled && a.ConversionMode == agent.ConvertLead && a.AIModel == ai.Builtin &&
		s.contact.Facts[needs] == ""
}

// qualify takes up the answer to the qualifying questions, unless it is a question itself.
func (s *state) qualify(context.Context) (*decision, error) {
	if s.conversation.Asked != conversation.AskedForNeeds || s.reading.Asks || s.reading.SmallTalk != "" {
		return nil, nil
	}
	if s.refuses() {
		return &decision{reply: s.reply(ai.Respond, Details, s.wording().AllRight)}, nil
	}
	return &decision{
		reply: s.reply(ai.Respond, Details, s.wording().Thanks),
		then:  func(s *state) { s.remember(needs, s.message.Text) },
	}, nil
}
