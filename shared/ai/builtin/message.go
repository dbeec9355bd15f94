package builtin

import (
	"slices"
	"strings"
	"unicode/utf8"

	"frontdesk/shared/ai"
	"frontdesk/shared/concept"
	"frontdesk/shared/language"
	"frontdesk/shared/text"
)

// A message is what a contact wrote, read in the language of the agent.
type message struct {
	engine   *Engine
	lexicon  *lexicon
	language string
	text     string
	tokens   []text.Token
	talk     []bool // the tokens that are greeting, thanks or goodbye
	occasion string // which of these it is; empty for none
}

// read reads s in the language.
func (e *Engine) read(language, s string) message {
	m := message{engine: e, lexicon: e.lexicon(language), language: language, text: s,
		tokens: text.Tokens(language, s)}
	m.tokens = m.tokens[:min(len(m.tokens), maxTokens)]
	m.talk = make([]bool, len(m.tokens))
	for _, o := range [...]struct {
		intent  string
		phrases []phrase
	}{{Goodbye, m.lexicon.goodbye}, {Thanks, m.lexicon.thanks}, {Greeting, m.lexicon.greeting}} {
		for i := 0; i < len(m.tokens); {
			at, n := find(o.phrases, m.tokens[i:])
			if n == 0 {
				break
			}
			for j := range n {
				m.talk[i+at+j] = true
			}
			if m.occasion == "" {
				m.occasion = o.intent
			}
			i += at + n
		}
	}
	return m
}

// smallTalk reports whether the message is small talk and nothing else, and its intent. The names of the
// agent and of the business change nothing: "Hello Casa Pepe".
func (m message) smallTalk(r ai.Request) (intent string, ok bool) {
	if len(m.tokens) == 0 {
		return gesture(m.text)
	}
	if m.occasion == "" {
		return "", false
	}
	names := map[string]bool{}
	for _, t := range text.Tokens(m.language, r.AgentName+" "+r.BusinessName) {
		names[t.Stem] = true
	}
	for i, t := range m.tokens {
		if !m.talk[i] && !m.lexicon.filler[t.Stem] && !names[t.Stem] {
			return "", false
		}
	}
	return m.occasion, true
}

// counts reports whether the message says numbers and nothing else.
func (m message) counts() bool {
	return len(m.tokens) > 0 &&
		!slices.ContainsFunc(m.tokens, func(t text.Token) bool { return t.Kind != text.Number })
}

// gesture reads a message without words by its emoji.
func gesture(s string) (intent string, ok bool) {
	for _, r := range s {
		switch r {
		case '👋', '🤚', '✋':
			return Greeting, true
		case '🙏', '👍', '👌', '❤', '💙', '😊', '🙂', '😀', '😃', '😄', '😍', '🥰', '🎉':
			return Thanks, true
		}
	}
	return "", false
}

// reach is how many words may stand from the verb to the noun of a wish for a person: "talk to one of your
// great human agents".
const reach = 6

// wantsHuman reports whether the contact wants a person.
func (m message) wantsHuman() bool {
	if m.namesLanguage() {
		return false // "Does anybody speak French?"
	}
	l := m.lexicon
	if at, n := find(l.human, m.tokens); n > 0 && !m.negated(at) {
		return true
	}
	for i, t := range m.tokens {
		if !l.verb[t.Stem] {
			continue
		}
		from, to := max(0, i-reach), min(len(m.tokens), i+reach+1)
		if m.wishes(from, i) || m.wishes(i, to) {
			return !m.negated(i)
		}
	}
	// "A human, please": nothing else is said.
	named := false
	for _, t := range m.tokens {
		switch {
		case l.noun[t.Stem]:
			named = true
		case !t.Stop && !l.filler[t.Stem]:
			return false
		}
	}
	return named && len(m.tokens) <= 4
}

// namesLanguage reports whether the message speaks of languages.
func (m message) namesLanguage() bool {
	return slices.ContainsFunc(concept.In(m.language, m.tokens),
		func(f concept.Found) bool { return f.Name == "language" })
}

// wishes reports whether a person is named among the tokens, with the preposition that the language wants for
// it.
func (m message) wishes(from, to int) bool {
	with, noun := len(m.lexicon.with) == 0, false
	for _, t := range m.tokens[from:to] {
		with = with || m.lexicon.with[t.Stem]
		noun = noun || with && m.lexicon.noun[t.Stem]
	}
	return noun
}

// negated reports whether one of the four words before place i turns it round.
func (m message) negated(i int) bool {
	_, n := find(m.lexicon.not, m.tokens[max(0, i-4):i])
	return n > 0
}

// intent is what a message is about that is neither small talk nor a wish for a person.
func (m message) intent() string {
	for _, o := range [...]struct {
		intent  string
		phrases []phrase
	}{{Complaint, m.lexicon.complaint}, {Booking, m.lexicon.booking}, {Pricing, m.lexicon.pricing}} {
		if _, n := find(o.phrases, m.tokens); n > 0 {
			return o.intent
		}
	}
	return Question
}

// An askKind is what a question asks for, by its question word.
type askKind int

const (
	askOther askKind = iota
	askWho
	askWhen
	askWhere
	askHowMany
	askPrice
	askKinds
)

// asks finds what the message asks for and the tokens that say so: the longest phrase, and of these the
// first.
func (m message) asks() (kind askKind, at, length int) {
	for k := askWho; k < askKinds; k++ {
		for _, p := range m.lexicon.ask[k] {
			for i := range m.tokens {
				if p.at(m.tokens, i) && (len(p) > length || len(p) == length && i < at) {
					kind, at, length = k, i, len(p)
				}
			}
		}
	}
	return kind, at, length
}

// askedWith is where the words stand that say what the message asks for.
func (m message) askedWith() [2]int {
	_, at, length := m.asks()
	return [2]int{at, at + length}
}

// pricedWith is where the words stand that ask for a price.
func (m message) pricedWith() [2]int {
	at, length := find(m.lexicon.pricing, m.tokens)
	return [2]int{at, at + length}
}

// isQuestion reports whether the message asks something, by its marks and its words.
func (m message) isQuestion() bool {
	kind, _, _ := m.asks()
	return kind != askOther || strings.ContainsAny(m.text, "?？؟")
}

// early is how many words may stand before the one that a question asks with. Further on it is more often
// another: "a table where we can sit outside".
const early = 2

// inquires reports whether one of the message's first words says what it asks for, small talk aside, and
// whether that is a time.
func (m message) inquires() (inquires, time bool) {
	kind, at, length := m.asks()
	before := 0
	for i := range at {
		if !m.talk[i] {
			before++
		}
	}
	inquires = length > 0 && before <= early
	return inquires, inquires && kind == askWhen
}

// aside reports whether token i is small talk around what the message is about: part of a phrase of several
// words, set off by a mark, or first of all.
func (m message) aside(i int) bool {
	if !m.talk[i] {
		return false
	}
	if i == 0 && len(m.tokens) > 1 {
		return true
	}
	if i > 0 && m.talk[i-1] || i+1 < len(m.tokens) && m.talk[i+1] {
		return true
	}
	next, _ := utf8.DecodeRuneInString(m.text[m.tokens[i].End:])
	return strings.ContainsRune(",.!;\n", next)
}

// goesOn reports whether the message goes on with the one before it, "And on Sundays?", or says nothing but
// what it asks for: "How much does it cost?"
func (m message) goesOn() bool {
	_, at, length := m.asks()
	if length > 0 && !slices.ContainsFunc(slices.Concat(m.tokens[:at], m.tokens[at+length:]),
		func(t text.Token) bool { return !t.Stop }) {
		return true
	}
	for _, p := range m.lexicon.followUp {
		if p.at(m.tokens, 0) {
			return true
		}
	}
	return false
}

// pointsBack reports whether the message has a word that stands for something said before: "How much is
// that?"
func (m message) pointsBack() bool {
	if m.goesOn() {
		return true
	}
	back := text.Phrases(m.language, language.Of(m.language).Speech().Back)
	_, n := text.Find(back, m.tokens)
	return n > 0
}
