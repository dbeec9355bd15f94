package assistant

import (
	"context"
	"slices"
	"strings"

	"frontdesk/shared/ai"
	"frontdesk/shared/ai/builtin"
	"frontdesk/shared/conversation"
	"frontdesk/shared/language"
	"frontdesk/shared/text"
	"frontdesk/shared/understand"
)

// foreign is the language that a message of the contact is written in, where that is seen to be another than the agent's;
// else "".
func (s *state) foreign(message string) string {
	if len(strings.Fields(message)) < tellingLanguage {
		return text.WrittenIn(s.language(), message)
	}
	if tongue := understand.Language(s.language(), message); tongue != language.Primary(s.language()) {
		return tongue
	}
	return ""
}

// tellingLanguage is how many words tell a language that is not told by its common words alone.
const tellingLanguage = 3

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
// or answer in it what needs no knowledge: thanks, or the wish for a person. Of the business's own words only those are in it
// that belong to no language, such as its address.
func (a *Assistant) inTheirs(ctx context.Context, s *state, unknown ai.Reply) (ai.Reply, error) {
	theirs := s.foreign(s.message.Text)
	if theirs == "" {
		return unknown, nil
	}
	request := s.request()
	request.Language, request.Canned = theirs, ai.Canned{}
	request.Passages, request.Neighbours, request.Topic = fieldsOf(s.agent, theirs), nil, ""
	reply, err := a.engine.Reply(ctx, request)
	if err != nil || reply.Action == ai.Respond || !s.asksForLanguage(theirs) {
		return reply, err
	}
	return *s.reply(ai.Respond, builtin.Question, s.spoken().Speaks), nil
}

// quoted puts a sentence in the contact's language before an answer of the built-in engine that quotes what the business
// wrote in another one. It says so, or answers who asks for their language. An address or a number alone is in no
// language. The sentence is left out where there is no room for it.
func (s *state) quoted(reply ai.Reply) ai.Reply {
	theirs := s.foreign(s.message.Text)
	if theirs == "" || reply.Action != ai.Respond || reply.Subject == "" {
		return reply
	}
	if len(reply.Sources) == 0 && !strings.ContainsAny(reply.Text, ".!?…。؟") {
		return reply
	}
	if understand.Language(s.language(), reply.Text) == theirs {
		return reply
	}
	lead := s.spoken().Quoted
	if s.asksForLanguage(theirs) {
		lead = s.spoken().Speaks
	}
	if said := s.append(lead, reply.Text); said != lead {
		reply.Text = said
	}
	return reply
}

// asksForLanguage reports whether the message asks in a language whether the agent speaks it.
func (s *state) asksForLanguage(tongue string) bool {
	tokens := text.Tokens(tongue, s.message.Text)
	_, n := text.Find(text.Phrases(tongue, language.Of(tongue).Speech().Speak), tokens)
	return n > 0 && len(tokens) <= 8
}

// spoken is the wording of the contact's language.
func (s *state) spoken() *language.Replies {
	if theirs := s.foreign(s.message.Text); theirs != "" {
		return language.Of(theirs).Replies()
	}
	return s.wording()
}

// courtesy is what is said on an occasion that needs no knowledge, in the contact's language.
func (s *state) courtesy(occasion string) string {
	request := s.request()
	if theirs := s.foreign(s.message.Text); theirs != "" {
		request.Language, request.Canned = theirs, ai.Canned{}
	}
	return builtin.Courtesy(request, occasion)
}
