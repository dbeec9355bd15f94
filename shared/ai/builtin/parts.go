package builtin

import (
	"slices"
	"strings"
	"unicode/utf8"

	"frontdesk/shared/ai"
	"frontdesk/shared/concept"
	"frontdesk/shared/text"
	"frontdesk/shared/understand"
)

const (
	// maxParts is the maximum number of questions of a message that are answered.
	maxParts = 3
	// maxAsked is the maximum number of its questions that are looked up, the first ones, since each takes
	// as long as a whole message.
	maxAsked = 6
)

// answer finds what the knowledge has on a message: on the whole of it, or else on each of the questions
// that it asks.
func (e *Engine) answer(m message, r ai.Request) answer {
	q := newQuestion(m, r)
	whole := lookUp(&q, r)
	if !whole.faq && !whole.follows && q.asksOfBefore(r) {
		whole.confidence *= byChance
	}
	if !whole.faq && whole.confidence >= threshold && m.praises() {
		whole.confidence = min(whole.confidence, mostOfGuess)
	}
	found := e.answerParts(m, r)
	if len(found) == 0 {
		return m.orField(r, whole, q.own() == 0 && q.kind != askWhere)
	}
	if whole.confidence >= threshold &&
		(len(found) == 1 || !slices.ContainsFunc(found, func(a answer) bool { return overlap(a, whole) })) {
		// "What is the difference between one and the other?" has no answer in those to its halves
		return whole
	}
	return joined(found, r.MaxLength)
}

// orField returns a field of the agent if the message asks for nothing else, such as "Where are you?" after
// the phone number, and otherwise the given answer.
func (m message) orField(r ai.Request, whole answer, goesOn bool) answer {
	if whole.faq && whole.confidence >= sure || len(m.tokens) == 0 || goesOn && whole.follows &&
		whole.confidence >= threshold {
		return whole
	}
	stated := !whole.faq && len(whole.sources) == 0
	if a, named := m.field(r); named || (stated || whole.confidence < surelyAlone) && a.text != "" {
		return a
	}
	return whole
}

// answerParts returns the distinct answers to the questions of a message that are certain enough to be
// combined.
func (e *Engine) answerParts(m message, r ai.Request) (found []answer) {
	parts := e.parts(m)
	for _, p := range parts[:min(len(parts), maxAsked)] {
		of := r
		if p.before != "" {
			of.History = append(slices.Clone(r.History), ai.Turn{Inbound: true, Text: p.before})
		}
		q := newQuestion(p.message, of)
		a := lookUp(&q, of)
		if a.confidence < threshold || (a.faq || p.needsFAQ) && !(a.faq && a.confidence >= sure) ||
			slices.ContainsFunc(found, func(b answer) bool { return overlap(a, b) }) {
			continue
		}
		found = append(found, a)
	}
	return found
}

// joined joins answers, as far as they fit into length characters.
func joined(found []answer, length int) answer {
	both := found[0]
	for _, a := range found[1:min(len(found), maxParts)] {
		if said := both.text + "\n" + a.text; utf8.RuneCountInString(said) <= length {
			both.text, both.confidence = said, min(both.confidence, a.confidence)
			for _, s := range a.sources {
				if !slices.Contains(both.sources, s) {
					both.sources = append(both.sources, s)
				}
			}
		}
	}
	return both
}

// praises reports whether the message thanks or praises, by a word for it or by the classifier, and asks
// nothing.
func (m message) praises() bool {
	const likely, hardly = 0.3, 0.1
	acts := understand.Read(m.language, m.text).Acts
	thanks := acts[understand.Thanks] >= likely ||
		slices.Contains(concept.Names(m.language, m.text), "thanks") && !strings.ContainsAny(m.text, "?？؟")
	return thanks && acts[understand.Asks] < hardly
}

// properties are concepts of properties that many things have and that identify none.
var properties = map[string]bool{
	"free": true, "cheap": true, "expensive": true, "waterproof": true, "warm": true, "material": true,
	"last": true,
}

// asksOfBefore reports whether the message only asks for a property of something that was mentioned before.
func (q *question) asksOfBefore(r ai.Request) bool {
	own := q.own()
	if len(r.History) == 0 || own > 1 || !q.back {
		return false
	}
	return slices.ContainsFunc(q.terms, func(t term) bool {
		return t.own && (t.about || own == 0) &&
			slices.ContainsFunc(t.concepts, func(name string) bool { return properties[name] })
	})
}

// overlap reports whether one of the answers includes the other.
func overlap(a, b answer) bool {
	return strings.Contains(a.text, b.text) || strings.Contains(b.text, a.text)
}

// A part is one of several questions in a message.
type part struct {
	message
	before string // the sentence or the clause before it
	// needsFAQ reports whether it may not be a question of its own, so that only an FAQ can answer it.
	needsFAQ bool
}

// parts returns the questions of a message of several sentences, or of one with an "and"; nil if it asks
// only one.
func (e *Engine) parts(m message) []part {
	var parts []part
	before := ""
	sentences := text.Segments(m.text)
	for _, s := range sentences[:min(len(sentences), maxRead)] {
		said := e.read(m.language, s.Text(m.text))
		if len(sentences) > 1 && said.isQuestion() {
			parts = append(parts, part{message: said, before: before})
		}
		first, second := said.halves()
		if first != "" {
			a, b := e.read(m.language, first), e.read(m.language, second)
			inquires, _ := b.inquires()
			parts = append(parts, part{message: a, needsFAQ: !inquires},
				part{message: b, before: first, needsFAQ: !inquires})
		}
		before = said.text
	}
	return parts
}

// halves returns the text before and after the first word that joins two clauses in a sentence, "" if there
// is none.
func (m message) halves() (first, second string) {
	for i := 1; i+1 < len(m.tokens); i++ {
		for _, p := range m.lexicon.followUp {
			if !p.at(m.tokens, i) || !m.clause(0, i) || !m.clause(i+len(p), len(m.tokens)) {
				continue
			}
			return m.text[:m.tokens[i].Start], m.text[m.tokens[i+len(p)-1].End:]
		}
	}
	return "", ""
}

// clause reports whether the words in a range may be a clause: some are significant, and some, such as
// verbs and articles, hold it together.
func (m message) clause(from, to int) bool {
	words := m.tokens[from:to]
	stop := func(t text.Token) bool { return t.Stop }
	return slices.ContainsFunc(words, stop) &&
		slices.ContainsFunc(words, func(t text.Token) bool { return !stop(t) })
}
