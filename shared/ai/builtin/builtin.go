// Package builtin is the engine that answers without an external service. It generates nothing but
// courtesies: an answer consists of sentences of the agent's knowledge, word for word, or is the answer of
// an FAQ. If it finds none that is probably right, it says that it does not know. What visitors and
// documents say is compared by its words and never followed as an instruction. Equal requests get equal
// replies.
package builtin

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"frontdesk/shared/ai"
	"frontdesk/shared/text"
)

// The intents of a reply.
const (
	Greeting  = "greeting"
	Goodbye   = "goodbye"
	Thanks    = "thanks"
	Human     = "human" // the contact wants a person
	Complaint = "complaint"
	Booking   = "booking"
	Pricing   = "pricing"
	Question  = "question" // everything else
)

// defaultLength is the maximum length of a reply, in characters, if the request has none.
const defaultLength = 500

// An Engine is an ai.Model. It is safe for concurrent use. Its replies fail only if their context has
// ended.
type Engine struct {
	lexicons sync.Map // *lexicon by language
}

// New returns an Engine. It does no work: the data of a language is built when it is first used.
func New() *Engine { return &Engine{} }

// Reply answers r.Message. Greetings, thanks, goodbyes and requests for a person get set texts; everything
// else is looked up in r.Passages and in the FAQs of r.Neighbours. If a request for a person is the
// question of an FAQ, it gets the FAQ's answer. Without r.MaxLength a reply has at most 500 characters.
func (e *Engine) Reply(ctx context.Context, r ai.Request) (ai.Reply, error) {
	if err := ctx.Err(); err != nil {
		return ai.Reply{}, fmt.Errorf("%w: %w", ai.ErrUnavailable, err)
	}
	if r.MaxLength < 1 {
		r.MaxLength = defaultLength
	}
	m := e.read(r.Language, r.Message)
	if intent, ok := m.smallTalk(r); ok {
		return set(r, ai.Respond, intent, certain), nil
	}
	r = m.narrow(r)
	a := e.answer(m, r)
	if m.counts() && !a.faq {
		a = answer{} // "12" is in an address by chance
	}
	if m.wantsHuman() && !(a.faq && a.confidence >= sure) {
		return set(r, ai.Handoff, Human, certain), nil
	}
	intent := m.intent()
	if intent == Complaint && !m.isQuestion() && (a.confidence < threshold || !e.expected(m, r, a)) {
		// which has words in common with the knowledge, and asks for nothing
		return set(r, ai.Handoff, Complaint, certain), nil
	}
	if a.confidence < cmp.Or(r.Least, threshold) || a.text == "" {
		declined := set(r, ai.Fallback, intent, a.confidence)
		declined.Near = a.near
		if a.confidence >= leastOfGuess(r) && a.text != "" {
			guess := a.reply(intent)
			declined.Guess = &guess
		}
		return declined, nil
	}
	return a.reply(intent), nil
}

// leastOfGuess returns the minimum confidence of a guess. Among many passages, more are similar to a
// question by chance.
func leastOfGuess(r ai.Request) float64 {
	if knowsMuch(r) {
		return leastGuessOfMuch
	}
	return leastGuess
}

// reply returns the answer as a reply.
func (a answer) reply(intent string) ai.Reply {
	return ai.Reply{
		Text: a.text, Action: ai.Respond, Intent: intent, Confidence: a.confidence, Sources: a.sources,
		FAQ:     a.faq,
		Subject: a.subject,
	}
}

// expected reports whether the answer to a complaint is that of an FAQ about complaints: "The parcel
// arrived damaged".
func (e *Engine) expected(m message, r ai.Request, a answer) bool {
	return a.faq && slices.ContainsFunc(r.Passages, func(p ai.Passage) bool {
		return text.Cut(p.Text, r.MaxLength) == a.text &&
			slices.ContainsFunc(p.Questions, func(q string) bool {
				return e.read(m.language, q).intent() == Complaint
			})
	})
}

// set returns the reply for an occasion that needs no knowledge. A fallback has the intent of the question
// that it cannot answer.
func set(r ai.Request, action, intent string, confidence float64) ai.Reply {
	occasion := intent
	if action == ai.Fallback {
		occasion = ai.Fallback
	}
	return ai.Reply{
		Text:       text.Cut(strings.TrimSpace(canned(r, occasion)), r.MaxLength),
		Action:     action,
		Intent:     intent,
		Confidence: confidence,
	}
}
