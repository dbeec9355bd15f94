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

// Foreign returns the language of a message of the contact if it is known to be another than the agent's,
// and "" otherwise. A message that does not tell is in the language of the contact's earlier messages.
func (s *State) Foreign(message string) string {
	if before := s.WroteIn(); !s.foreign.known || s.foreign.message != message || s.foreign.before != before {
		s.foreign = foreign{true, message, before, s.heard(message)}
	}
	return s.foreign.tongue
}

// foreign caches the result of Foreign for the last message.
type foreign struct {
	known                   bool
	message, before, tongue string
}

// heard detects the language of a message, given that of the earlier messages; "" is the agent's.
func (s *State) heard(message string) string {
	own, before := s.Language(), s.WroteIn()
	tongue := before
	switch {
	case words(message) >= tellingLanguage && before != "":
		tongue = understand.Language(message, before, own)
	case words(message) >= tellingLanguage, before == "" && text.WrittenIn(own, message) != "":
		tongue = understand.Language(message, own)
	case before != "" && language.Primary(text.WrittenIn(before, message)) == language.Primary(own):
		tongue = ""
	case before == "" && s.Reading.SmallTalk == "":
		tongue = courtesyIn(own, message)
	}
	if tongue == language.Primary(own) {
		return ""
	}
	return tongue
}

// courtesyIn returns the language of a greeting, thanks or goodbye, and "" for any other message.
func courtesyIn(own, message string) string {
	u := understand.Read(own, message)
	if u.Known < leastKnown || u.Skills[understand.SmallTalk] < leastCourtesy {
		return ""
	}
	return u.Language
}

// leastCourtesy is the minimum probability that a message of one or two words is a courtesy.
const leastCourtesy = 0.8

// words counts the words of a message without addresses and numbers, which have no language.
func words(message string) int {
	n := 0
	for _, field := range strings.Fields(message) {
		if !strings.ContainsFunc(field, func(r rune) bool { return unicode.IsDigit(r) || r == '@' }) {
			n++
		}
	}
	return n
}

// tellingLanguage is the minimum number of words to detect a language, unless common words reveal it.
const tellingLanguage = 3

// WroteIn returns the language of the contact's earlier messages if it is another than the agent's, and ""
// otherwise.
func (s *State) WroteIn() string { return s.Conversation.Frame.Slots.Language }

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
	if understand.Language(reply.Text, s.Language()) == theirs {
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

// sharedWith returns the words of the message, in order, whose concepts a text in the agent's language has;
// "" if there are none.
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

// maxShared is the maximum number of words that a quotation is said to be about.
const maxShared = 3

// AsksForLanguage reports whether the message, in a language, asks whether the agent speaks it.
func (s *State) AsksForLanguage(tongue string) bool {
	tokens, words := text.Tokens(tongue, s.Text), language.Of(tongue).Speech()
	_, n := text.Find(text.Phrases(tongue, words.Speak), tokens)
	at, others := text.Find(text.Phrases(tongue, words.Person), tokens)
	if others > 0 && !politeYou[strings.ToLower(s.Text[tokens[at].Start:tokens[at].End])] {
		return false // "does she speak English"
	}
	return n > 0 && slices.Contains(concept.Names(tongue, s.Text), "language")
}

// politeYou are pronouns of the third person that also address somebody.
var politeYou = map[string]bool{"sie": true, "lei": true}

// Unspoken returns what to say to a message in a language that no agent speaks, in the agent's own: which
// ones there are, its own first. It is "" for any other message, and if the agent has said so already.
func (s *State) Unspoken() string {
	if words(s.Text) < tellingLanguage || s.Foreign(s.Text) != "" || understand.Knows(s.Text, s.Language()) {
		return ""
	}
	names := []string{s.Wording().Endonym}
	for _, tag := range language.Tags() {
		if name := language.Of(tag).Replies().Endonym; name != names[0] {
			names = append(names, name)
		}
	}
	said := text.Fill(s.Wording().Languages, strings.Join(names, ", "))
	told := func(m conversation.Message) bool { return strings.HasPrefix(m.Content, said) }
	if slices.ContainsFunc(s.History, told) {
		return ""
	}
	return said
}

// Spoken returns the texts in the contact's language.
func (s *State) Spoken() *language.Replies {
	if theirs := s.Foreign(s.Text); theirs != "" {
		return language.Of(theirs).Replies()
	}
	return s.Wording()
}

// Replies returns the texts in the language of the contact's earlier messages, for messages such as a name
// or a yes that do not tell their language.
func (s *State) Replies() *language.Replies {
	return language.Of(cmp.Or(s.WroteIn(), s.Language())).Replies()
}

// Courtesy returns the text for an occasion that needs no knowledge, in the contact's language.
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

// Tongue returns the language of the agent's own texts for the contact.
func (s *State) Tongue() string { return cmp.Or(s.Foreign(s.Text), s.Language()) }
