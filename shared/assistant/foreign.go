package assistant

import (
	"context"
	"slices"

	"frontdesk/shared/ai"
	"frontdesk/shared/conversation"
	"frontdesk/shared/language"
	"frontdesk/shared/text"
)

// foreign is the language that a message of the contact is written in, where that is seen to be another than the agent's;
// else "".
func (s *state) foreign(message string) string { return text.WrittenIn(s.language(), message) }

// wroteIn is the language of the contact's message before this one, as foreign has it.
func (s *state) wroteIn() string {
	for _, m := range slices.Backward(s.history) {
		if m.Direction == conversation.Inbound {
			return s.foreign(m.Content)
		}
	}
	return ""
}

// inTheirs has the built-in engine say in the contact's own language that it does not know, where that is not the agent's,
// or answer in it what needs no knowledge: thanks, or the wish for a person. The business's own words are not in it.
func (a *Assistant) inTheirs(ctx context.Context, s *state, unknown ai.Reply) (ai.Reply, error) {
	theirs := s.foreign(s.message.Text)
	if theirs == "" {
		return unknown, nil
	}
	request := s.request()
	request.Language, request.Canned = theirs, ai.Canned{}
	request.Passages, request.Neighbours = nil, nil
	return a.engine.Reply(ctx, request)
}

// spoken is the wording of the contact's language.
func (s *state) spoken() *language.Replies {
	if theirs := s.foreign(s.message.Text); theirs != "" {
		return language.Of(theirs).Replies()
	}
	return s.wording()
}
