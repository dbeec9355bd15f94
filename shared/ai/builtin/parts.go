package builtin

import (
	"slices"
	"strings"
	"unicode/utf8"

	"frontdesk/shared/ai"
	"frontdesk/shared/text"
	"frontdesk/shared/understand"
)

const (
	// maxParts is how many questions of a message are answered.
	maxParts = 3
	// maxAsked is how many of its questions are looked up, the first ones: each takes as long as a message of
	// one, and anybody can write a message of a thousand.
	maxAsked = 6
)

// answer finds what the knowledge has on a message: on all of it, or else on the questions that it puts one
// after the other. Each that has an answer gets it.
func (e *Engine) answer(m message, r ai.Request) answer {
	topic := r
	r.Topic = ""
	q, whole := inOne(m, r)
	if a, _ := m.field(r); a.text == "" || whole.faq || q.own() == 0 && q.kind != askWhere {
		a, ok := onTopic(m, topic, whole)
		if ok {
			return a
		}
		if whole.confidence < min(threshold, a.confidence) { // for a guess
			a.near, whole = whole.near, a
		}
	}
	if !whole.faq && m.asksOfBefore(&q, r) {
		whole.confidence *= byChance
	}
	found := e.answerParts(m, r)
	if len(found) == 0 {
		return m.orField(r, whole)
	}
	if whole.confidence >= threshold &&
		(len(found) == 1 || !slices.ContainsFunc(found, func(a answer) bool { return overlap(a, whole) })) {
		// "What is the difference between one and the other?" has no answer in those to its halves
		return whole
	}
	return joined(found, r.MaxLength)
}

// inOne looks a message up as one question: with the message that it goes on with, or else alone, where that
// one has the answer to something else.
func inOne(m message, r ai.Request) (question, answer) {
	q := newQuestion(m, r)
	whole := lookUp(&q, r)
	if about := q.about(); q.before != "" && about != 0 &&
		(whole.confidence < threshold || !whole.faq && whole.terms&about == 0) {
		alone := r
		alone.History = nil
		own := newQuestion(m, alone)
		whole = lookUp(&own, r)
	}
	return q, whole
}

// orField is what a field of the agent's states where the message asks for no more than that, "Where are
// you?" behind the phone number, or else the answer in hand.
func (m message) orField(r ai.Request, whole answer) answer {
	if whole.faq && whole.confidence >= sure || len(m.tokens) == 0 {
		return whole
	}
	stated := !whole.faq && len(whole.sources) == 0
	if a, named := m.field(r); named || (stated || whole.confidence < surelyAlone) && a.text != "" {
		return a
	}
	return whole
}

// answerParts are the answers to the questions that a message puts one after the other, each once, those that
// are sure enough to stand beside others.
func (e *Engine) answerParts(m message, r ai.Request) (found []answer) {
	parts := e.parts(m)
	for _, p := range parts[:min(len(parts), maxAsked)] {
		of := r
		if p.before != "" {
			of.History = append(slices.Clone(r.History), ai.Turn{Inbound: true, Text: p.before})
		}
		q := newQuestion(p.message, of)
		a := lookUp(&q, r)
		if a.confidence < threshold || (a.faq || p.needsFAQ) && !(a.faq && a.confidence >= sure) ||
			slices.ContainsFunc(found, func(b answer) bool { return overlap(a, b) }) {
			continue
		}
		found = append(found, a)
	}
	return found
}

// joined is one answer of several, as far as they fit into so many characters.
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

// onTopic is the answer to a message that leaves out what it is about, and so is about what the conversation
// was: "Does the insurance pay for that?" It is none where the message has an answer by itself and does not
// point back; what comes with it then is for a guess.
func onTopic(m message, r ai.Request, alone answer) (answer, bool) {
	if r.Topic == "" && len(r.History) == 0 || alone.faq && alone.confidence >= sure {
		return answer{}, false
	}
	var guess answer
	bare := r
	bare.Topic = ""
	if q := newQuestion(m, bare); q.follows || q.own() <= backTerms && alone.confidence < threshold {
		acts := understand.Read(m.language, m.text)
		q.asks, q.tells = q.asks || acts.Does(understand.Asks), acts.Does(understand.Tells)
		a := q.goOn(r)
		if a.confidence >= threshold && m.goesOnWith(q, a, alone) {
			return a, true
		}
		if a.confidence < threshold {
			guess = a
		}
	}
	q := newQuestion(m, r)
	own := q.own()
	if own > followUpTerms || alone.confidence >= threshold && (own > 1 || own == 1 && !m.pointsBack()) {
		return guess, false
	}
	if a := lookUp(&q, r); a.confidence >= threshold && m.meets(&q, a, r) {
		return a, true
	}
	return guess, false
}

// meets reports whether the answer to a message that was looked up with the topic has something of the
// message, and of the topic too where the message asks for a property alone.
func (m message) meets(q *question, a answer, r ai.Request) bool {
	if about := q.about(); about != 0 && a.terms&about == 0 {
		return false
	}
	return a.terms&^q.ownTerms() != 0 || !m.asksOfBefore(q, r)
}

// byChance is what is left of the confidence in sentences that are found by a property of something said
// before the message: "Is that free?" All that is free has the word.
const byChance = 0.5

// properties are the concepts that many things have, and that say of none what it is.
var properties = map[string]bool{
	"free": true, "cheap": true, "expensive": true, "waterproof": true, "warm": true, "material": true,
	"last": true,
}

// asksOfBefore reports whether the message asks for no more than a property of something that was said before
// it.
func (m message) asksOfBefore(q *question, r ai.Request) bool {
	own := q.own()
	if len(r.History) == 0 || own > 1 || !m.pointsBack() {
		return false
	}
	return slices.ContainsFunc(q.terms, func(t term) bool {
		return t.own && (t.about || own == 0) &&
			slices.ContainsFunc(t.concepts, func(name string) bool { return properties[name] })
	})
}

// goesOnWith reports whether an answer near what was said before is meant, rather than the one that the
// message has by itself. What only tells something goes on with nothing that could be looked up.
func (m message) goesOnWith(q question, near, alone answer) bool {
	switch {
	case !q.asks && q.tells:
		return false
	case q.own() == 0, alone.confidence < threshold:
		return true
	case near.confidence < likelyMatter:
		return false
	}
	return near.confidence >= alone.confidence || alone.confidence < surelyAlone ||
		near.confidence >= closeMatter && m.pointsBack()
}

// overlap reports whether one of the answers says what the other does.
func overlap(a, b answer) bool {
	return strings.Contains(a.text, b.text) || strings.Contains(b.text, a.text)
}

// A part is one of several questions that a message puts.
type part struct {
	message
	before string // the sentence or the clause before it
	// needsFAQ tells that it may be no question of its own, so that only one that the business has counts.
	needsFAQ bool
}

// parts are the questions that a message of several sentences puts, or one with an "and" between two; none
// where it puts one alone.
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

// halves are what stands before and behind the first word within a sentence that joins two clauses; empty
// where there is none.
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

// clause reports whether the words from one place to another may be a clause: some say something, and some
// hold it together, as verbs and articles do.
func (m message) clause(from, to int) bool {
	words := m.tokens[from:to]
	stop := func(t text.Token) bool { return t.Stop }
	return slices.ContainsFunc(words, stop) &&
		slices.ContainsFunc(words, func(t text.Token) bool { return !stop(t) })
}
