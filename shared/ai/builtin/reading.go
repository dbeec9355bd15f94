package builtin

import (
	"strings"

	"frontdesk/shared/ai"
	"frontdesk/shared/text"
)

// A Reading is what the words of a message reveal by themselves, independently of the agent's knowledge.
type Reading struct {
	Tokens []text.Token // of the message, in the agent's language
	// SmallTalk is Greeting, Goodbye or Thanks if the message is nothing else, and "" otherwise.
	SmallTalk string
	// Intent is Complaint, Booking, Pricing or Question, the subject of a message that is no small talk.
	Intent string
	// Human reports whether the contact wants a person.
	Human bool
	// Asks reports whether the message asks something, by its marks or its words.
	Asks bool
	// Inquires reports whether it asks with a question word among its first words: "Until when can I
	// cancel?" Time reports whether it asks for a time.
	Inquires, Time bool
	// GoesOn reports whether the message depends on the one before it: "And on Sundays?"
	GoesOn bool
	// Person reports whether it asks for a person, or has a pronoun of one: "Who does that?"
	Person bool
}

// Read analyses a message to an agent of a language.
func (e *Engine) Read(language, message string) Reading {
	m := e.read(language, message)
	r := Reading{Tokens: m.tokens, Intent: m.intent(), Human: m.wantsHuman(), Asks: m.isQuestion(),
		GoesOn: m.goesOn(), Person: m.asksForPerson() || m.mentionsPerson()}
	r.Inquires, r.Time = m.inquires()
	r.SmallTalk, _ = m.smallTalk(ai.Request{})
	return r
}

// Courtesy returns the text for an occasion that needs no knowledge: one of the intents Greeting, Goodbye,
// Thanks, Human and Complaint, or ai.Fallback. It is the business's own text if r has one.
func Courtesy(r ai.Request, occasion string) string {
	if r.MaxLength < 1 {
		r.MaxLength = defaultLength
	}
	return text.Cut(strings.TrimSpace(canned(r, occasion)), r.MaxLength)
}

// Negates reports whether one of the tokens of a message is a negation.
func (e *Engine) Negates(language string, tokens []text.Token) bool {
	_, n := find(e.lexicon(language).not, tokens)
	return n > 0
}
