package builtin

import (
	"slices"
	"strings"
	"unicode/utf8"

	"frontdesk/shared/ai"
	"frontdesk/shared/concept"
	"frontdesk/shared/language"
	"frontdesk/shared/text"
	"frontdesk/shared/understand"
)

// A message is a contact's message, analysed in the agent's language.
type message struct {
	engine   *Engine
	lexicon  *lexicon
	language string
	text     string
	tokens   []text.Token
	talk     []bool // the tokens of a greeting, thanks or goodbye
	occasion string // which of these it is; empty for none
}

// read analyses s in the language.
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
// agent and the business do not matter: "Hello Casa Pepe".
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

// counts reports whether the message consists of numbers.
func (m message) counts() bool {
	return len(m.tokens) > 0 &&
		!slices.ContainsFunc(m.tokens, func(t text.Token) bool { return t.Kind != text.Number })
}

// gesture interprets a message without words by its emoji.
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

// reach is the maximum number of words from the verb to the noun of a request for a person: "talk to one of
// your great human agents".
const reach = 6

// wantsHuman reports whether the contact wants a person, by the words of the language and by the
// classifier.
func (m message) wantsHuman() bool { return m.namesHuman() && !m.asksElse() }

// asksElse reports whether the message, by the classifier, asks a question that needs no person: "How does
// an exchange go?" has a verb that also means to be put through.
func (m message) asksElse() bool {
	const surely, hardly, known = 0.9, 0.2, 0.5
	u := understand.Read(m.language, m.text)
	return u.Known >= known && u.Acts[understand.Asks] >= surely && u.Skills[understand.Person] < hardly
}

// namesHuman reports whether the message has the words of a request for a person.
func (m message) namesHuman() bool {
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

// namesLanguage reports whether the message mentions a language.
func (m message) namesLanguage() bool {
	return slices.ContainsFunc(concept.In(m.language, m.tokens),
		func(f concept.Found) bool { return f.Name == "language" })
}

// wishes reports whether the tokens in a range name a person, with the preposition that the language
// requires.
func (m message) wishes(from, to int) bool {
	with, noun := len(m.lexicon.with) == 0, false
	for _, t := range m.tokens[from:to] {
		with = with || m.lexicon.with[t.Stem]
		noun = noun || with && m.lexicon.noun[t.Stem]
	}
	return noun
}

// negated reports whether one of the four words before index i negates it.
func (m message) negated(i int) bool {
	_, n := find(m.lexicon.not, m.tokens[max(0, i-4):i])
	return n > 0
}

// intent returns the subject of a message that is neither small talk nor a request for a person.
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

// asks returns the question word of the message as a kind, and its tokens: the longest phrase, and the
// first of these.
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

// askedWith returns the range of the tokens that say what the message asks for.
func (m message) askedWith() [2]int {
	_, at, length := m.asks()
	return [2]int{at, at + length}
}

// pricedWith returns the range of the tokens that ask for a price.
func (m message) pricedWith() [2]int {
	at, length := find(m.lexicon.pricing, m.tokens)
	return [2]int{at, at + length}
}

// isQuestion reports whether the message asks something, by its marks and its words.
func (m message) isQuestion() bool {
	kind, _, _ := m.asks()
	return kind != askOther || strings.ContainsAny(m.text, "?？؟")
}

// early is the maximum number of words before a question word. Later in a sentence it is more often a
// relative pronoun: "a table where we can sit outside".
const early = 2

// inquires reports whether one of the first words, after small talk, is a question word, and whether it
// asks for a time.
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

// aside reports whether token i is small talk around the subject of the message: part of a phrase of
// several words, separated by a mark, or at the beginning.
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

// goesOn reports whether the message depends on the one before it, "And on Sundays?", or only has a
// question word: "How much does it cost?"
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

// pointsBack reports whether the message has a word that refers to something mentioned before: "How much is
// that?"
func (m message) pointsBack() bool {
	if m.goesOn() {
		return true
	}
	back := text.Phrases(m.language, language.Of(m.language).Speech().Back)
	_, n := text.Find(back, m.tokens)
	return n > 0
}
