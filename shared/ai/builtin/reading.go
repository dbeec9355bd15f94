package builtin

import (
	"strings"

	"frontdesk/shared/ai"
	"frontdesk/shared/text"
)

// A Reading is what the words of a message say by themselves, whatever the agent knows.
type Reading struct {
	Tokens []text.Token // the message's, in the agent's language
	// SmallTalk is Greeting, Goodbye or Thanks where the message is that and nothing else; else "".
	SmallTalk string
	// Intent is Complaint, Booking, Pricing or Question: what the message is about where it is no small talk.
	Intent string
	// Human tells that the contact wants a person.
	Human bool
	// Asks tells that the message asks something, by its marks or its words.
	Asks bool
	// Inquires tells that it asks with a word for what it wants to know, among its first: "Until when can I
	// cancel?" Time tells that this is a time.
	Inquires, Time bool
	// GoesOn tells that the message goes on with the one before it: "And on Sundays?"
	GoesOn bool
}

// Read reads a message to an agent of that language.
func (e *Engine) Read(language, message string) Reading {
	m := e.read(language, message)
	r := Reading{Tokens: m.tokens, Intent: m.intent(), Human: m.wantsHuman(), Asks: m.isQuestion(),
		GoesOn: m.goesOn()}
	r.Inquires, r.Time = m.inquires()
	r.SmallTalk, _ = m.smallTalk(ai.Request{})
	return r
}

// Courtesy is what the engine says on an occasion that needs no knowledge: one of the intents Greeting,
// Goodbye, Thanks, Human and Complaint, or ai.Fallback. It is in the business's own words where r has them.
func Courtesy(r ai.Request, occasion string) string {
	if r.MaxLength < 1 {
		r.MaxLength = defaultLength
	}
	return text.Cut(strings.TrimSpace(canned(r, occasion)), r.MaxLength)
}

// Negates reports whether one of the tokens of a message turns round what stands with it.
func (e *Engine) Negates(language string, tokens []text.Token) bool {
	_, n := find(e.lexicon(language).not, tokens)
	return n > 0
}
