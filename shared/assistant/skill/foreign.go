package skill

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"frontdesk/shared/ai"
	"frontdesk/shared/ai/builtin"
	"frontdesk/shared/concept"
	"frontdesk/shared/conversation"
	"frontdesk/shared/language"
	"frontdesk/shared/text"
	"frontdesk/shared/understand"
)

// Foreign is the language that a message of the contact is written in, where that is seen to be another than
// the agent's; else "".
func (s *State) Foreign(message string) string {
	if !s.foreign.known || s.foreign.message != message {
		tongue, before := foreignTo(s.Language(), message), ""
		if tongue != "" {
			before = s.WroteIn()
		}
		if before != "" && understand.Language(before, message) == before {
			tongue = before // rather than one that is near to it
		}
		s.foreign = foreign{true, message, tongue}
	}
	return s.foreign.tongue
}

// foreign is the language that the message which was looked at last is written in.
type foreign struct {
	known           bool
	message, tongue string
}

func foreignTo(own, message string) string {
	if words(message) < tellingLanguage {
		return text.WrittenIn(own, message)
	}
	if tongue := understand.Language(own, message); tongue != language.Primary(own) {
		return tongue
	}
	return ""
}

// words is how many words of letters a message has: an address or a number is in no language.
func words(message string) int {
	n := 0
	for _, field := range strings.Fields(message) {
		if !strings.ContainsFunc(field, func(r rune) bool { return unicode.IsDigit(r) || r == '@' }) {
			n++
		}
	}
	return n
}

// tellingLanguage is how many words tell a language that is not told by its common words alone.
const tellingLanguage = 3

// WroteIn is the language of the contact's message before this one, where that is seen to be another than the
// agent's; else "".
func (s *State) WroteIn() string {
	for _, m := range slices.Backward(s.History) {
		if m.Direction != conversation.Inbound {
			continue
		}
		if !s.before.known || s.before.message != m.Content {
			s.before = foreign{true, m.Content, foreignTo(s.Language(), m.Content)}
		}
		return s.before.tongue
	}
	return ""
}

// Quoted puts a sentence in the contact's language before an answer of the built-in engine that quotes what
// the business wrote in another one. It says so, or answers who asks for their language. An address or a
// number alone is in no language. The sentence is left out where there is no room for it.
func (s *State) Quoted(reply ai.Reply) ai.Reply {
	theirs := s.Foreign(s.Text)
	if theirs == "" || reply.Action != ai.Respond || reply.Subject == "" {
		return reply
	}
	if len(reply.Sources) == 0 && !strings.ContainsAny(reply.Text, ".!?…。؟") {
		return reply
	}
	if understand.Language(s.Language(), reply.Text) == theirs {
		return reply
	}
	lead := s.Spoken().Quoted
	if about := s.sharedWith(reply.Text + "\n" + reply.Subject); about != "" {
		lead = text.Fill(s.Spoken().QuotedOn, about)
	}
	if s.AsksForLanguage(theirs) {
		lead = s.Spoken().Speaks
	}
	if said := s.Append(lead, reply.Text); said != lead {
		reply.Text = said
	}
	return reply
}

// sharedWith are the words of the message, in the order in which they stand, that stand for the same as some
// of a text in the agent's language; "" for none.
func (s *State) sharedWith(quoted string) string {
	tokens := text.Tokens(s.Tongue(), s.Text)
	has := concept.Names(s.Language(), quoted)
	var said []string
	for _, f := range concept.In(s.Tongue(), tokens) {
		word := strings.ToLower(s.Text[tokens[f.From].Start:tokens[f.To-1].End])
		if len(said) < maxShared && slices.Contains(has, f.Name) && !slices.Contains(said, word) {
			said = append(said, word)
		}
	}
	return strings.Join(said, ", ")
}

// maxShared is how many words of a message a quotation is said to be about.
const maxShared = 3

// AsksForLanguage reports whether the message asks in a language whether the agent speaks it.
func (s *State) AsksForLanguage(tongue string) bool {
	tokens, words := text.Tokens(tongue, s.Text), language.Of(tongue).Speech()
	_, n := text.Find(text.Phrases(tongue, words.Speak), tokens)
	at, others := text.Find(text.Phrases(tongue, words.Person), tokens)
	if others > 0 && !politeYou[strings.ToLower(s.Text[tokens[at].Start:tokens[at].End])] {
		return false // "does she speak English"
	}
	return n > 0 && slices.Contains(concept.Names(tongue, s.Text), "language")
}

// politeYou are the pronouns of a third person that address somebody too.
var politeYou = map[string]bool{"sie": true, "lei": true}

// Spoken is the wording of the contact's language.
func (s *State) Spoken() *language.Replies {
	if theirs := s.Foreign(s.Text); theirs != "" {
		return language.Of(theirs).Replies()
	}
	return s.Wording()
}

// Replies is the wording of the language that the contact wrote in before, for messages that have too few
// words of their own to tell a language: a name, a yes.
func (s *State) Replies() *language.Replies {
	return language.Of(cmp.Or(s.WroteIn(), s.Language())).Replies()
}

// Courtesy is what is said on an occasion that needs no knowledge, in the contact's language.
func (s *State) Courtesy(occasion string) string {
	request, theirs := s.Request(), s.Foreign(s.Text)
	if theirs == "" && len(strings.Fields(s.Text)) < tellingLanguage {
		theirs = s.WroteIn()
	}
	if theirs != "" {
		request.Language, request.Canned = theirs, ai.Canned{}
	}
	return builtin.Courtesy(request, occasion)
}

// Tongue is the language that the contact is answered in, where the words are the agent's own.
func (s *State) Tongue() string { return cmp.Or(s.Foreign(s.Text), s.Language()) }
