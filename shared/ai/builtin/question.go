package builtin

import (
	"math/bits"
	"slices"
	"strings"
	"time"

	"frontdesk/shared/ai"
	"frontdesk/shared/concept"
	"frontdesk/shared/text"
	"frontdesk/shared/understand"
	"frontdesk/shared/when"
)

// maxTerms is the maximum number of terms of a question, so that a set of them fits into one word of
// memory. The first terms of a longer message count.
const maxTerms = 64

// terms is a set of the terms of a question, by their indices.
type terms uint64

// A term is a significant word of the question.
type term struct {
	stem     string
	weight   float64
	own      bool     // it is from the message itself
	about    bool     // it is, and is not a question word
	concepts []string // its concepts, in the language of the message
}

// A question is what to look up in the passages.
type question struct {
	language string
	lexicon  *lexicon
	tokens   []text.Token // of the message, without small talk
	terms    []term
	time     bool    // the message names a time
	asks     bool    // the message is a question, by its words or its marks
	day      bool    // it names a day of the week
	price    bool    // it asks what something costs
	person   bool    // it has a pronoun of a person
	goesOn   bool    // it may depend on what was said before
	back     bool    // a word of it refers to something that was said
	kinds    kind    // what it asks for
	total    float64 // the total weight of the message's own terms
	around   float64 // the total weight of the other terms
	least    float64 // the minimum of total, for terms of little significance
	kind     askKind
	said     string // the message without small talk
	before   string // the message that this one depends on; empty for none
	heard    string // the agent's last reply; empty for none
	theirs   theirs
}

// newQuestion returns the question of m. Until weigh is called, its terms are weighted by their origin
// only. A message that depends on the one before it, or has hardly a significant word, takes over that
// one's words.
func newQuestion(m message, r ai.Request) question {
	q := question{language: m.language, lexicon: m.lexicon}
	q.theirs = m.theirs(r.Tongue)
	q.asks = m.isQuestion() || q.theirs.read.isQuestion()
	q.read(m)
	for i := range q.terms {
		if t := &q.terms[i]; t.about && len(t.concepts) == 0 && r.Weights[t.stem] == 0 {
			t.concepts = concept.Near(m.language, t.stem)
		}
	}
	q.goOnWith(m, r)
	q.asksFor()
	return q
}

// add adds a term unless the question has it or is full.
func (q *question) add(t term) {
	if len(q.terms) < maxTerms &&
		!slices.ContainsFunc(q.terms, func(other term) bool { return other.stem == t.stem }) {
		q.terms = append(q.terms, t)
	}
}

// read adds the terms of the message itself.
func (q *question) read(m message) {
	q.kind, _, _ = q.theirs.read.asks()
	q.person = q.theirs.read.mentionsPerson()
	asked, priced := m.askedWith(), m.pricedWith()
	if theirs := q.theirs.read.pricedWith(); theirs[1] > 0 {
		q.price = true
	}
	from, until := find(m.lexicon.hearsay, m.tokens)
	until += from
	var said strings.Builder
	last := 0
	for i, t := range m.tokens {
		if m.aside(i) {
			said.WriteString(m.text[last:t.Start])
			last = t.End
			continue
		}
		q.tokens = append(q.tokens, t)
		if t.Stop || q.theirs.stops[t.Start] || i >= from && i < until {
			continue
		}
		own := term{stem: t.Stem, weight: askFactor, own: true, concepts: q.theirs.concepts[t.Start]}
		switch {
		case i >= asked[0] && i < asked[1], i >= priced[0] && i < priced[1]:
		case m.lexicon.days[t.Stem]:
			own.weight, q.day = dayFactor, true
		case m.lexicon.light[t.Stem], m.lexicon.back[t.Stem]:
			own.weight = lightFactor
		default:
			own.weight, own.about = 1, true
		}
		q.add(own)
	}
	said.WriteString(m.text[last:])
	q.said = said.String()
	if q.own() == 0 && !q.asks {
		for i := range q.terms { // a statement in words that say little in a question
			q.terms[i].weight, q.terms[i].about = 1, true
		}
	}
}

// borrow adds words of what was said before in a language, with a factor to their weight.
func (q *question) borrow(language, s string, factor float64) {
	for _, t := range text.Tokens(language, s) {
		if !t.Stop {
			q.add(term{stem: t.Stem, weight: factor, concepts: concept.Of(language, t.Stem)})
		}
	}
}

// goOnWith adds words of what the message may depend on.
func (q *question) goOnWith(m message, r ai.Request) {
	own := q.own()
	q.time = !when.Parse(m.language, m.text, time.Unix(0, 0)).Empty()
	q.goesOn = len(r.History) > 0 || r.Topic != ""
	q.back = m.pointsBack() || q.theirs.read.pointsBack()
	if q.goesOn && !q.asks {
		// A mere statement continues nothing that could be looked up.
		acts := understand.Read(m.language, m.text)
		q.asks = acts.Does(understand.Asks)
		q.goesOn = q.asks || !acts.Does(understand.Tells)
	}
	for _, turn := range slices.Backward(r.History) {
		if !turn.Inbound {
			q.heard = turn.Text
			break
		}
	}
	if q.goesOn && q.person {
		for i := range q.terms { // a time that an answer need not repeat: "Is he in on Thursday evening?"
			if t := &q.terms[i]; q.lexicon.times[t.stem] {
				t.weight, t.about = 0, false
			}
		}
		own = q.own()
	}
	if own > borrowing {
		return
	}
	for _, turn := range slices.Backward(r.History) {
		if turn.Inbound {
			q.borrow(q.theirs.read.language, turn.Text, historyFactor)
			if own == 0 || own <= followUpTerms && (m.goesOn() || q.theirs.read.goesOn()) {
				q.before = turn.Text
			}
			break
		}
	}
	q.borrow(q.language, r.Topic, topicFactor)
	q.borrow(q.language, r.Context, contextFactor)
}

// weigh multiplies the weight of each term by the significance of its word: its weight in the agent's
// knowledge or, if there is little, its frequency among the units that were read.
func (q *question) weigh(rd *reading, weights map[string]float64, having []int, units int, much bool) {
	rarest := 0.0
	for _, w := range weights {
		rarest = max(rarest, w)
	}
	for i := range q.terms {
		t := &q.terms[i]
		w, known := weights[t.stem]
		switch {
		case !much && having[i] > 0:
			w = inverseFrequency(having[i], units)
		case !much:
			w = inverseFrequency(1, units)
		case !known:
			w = inverseFrequency(rd.found[t.stem], len(rd.passages))
			if rd.found[t.stem] == 0 {
				w = max(w, rarest)
			}
		}
		t.weight *= max(w, leastWeight)
	}
	q.least = leastTotal * inverseFrequency(1, units)
	own := 0.0
	for _, t := range q.terms {
		if t.own {
			own += t.weight
		} else {
			q.around += t.weight
		}
	}
	q.total = max(q.least, own)
}

// about returns the terms that say what the message itself is about.
func (q *question) about() (set terms) {
	for i, t := range q.terms {
		if t.about {
			set |= 1 << i
		}
	}
	return set
}

// ownTerms returns the terms of the message itself, including question words.
func (q *question) ownTerms() (set terms) {
	for i, t := range q.terms {
		if t.own {
			set |= 1 << i
		}
	}
	return set
}

// own returns the number of terms in about.
func (q *question) own() int { return bits.OnesCount64(uint64(q.about())) }

// weightOf returns the total weight of the terms in a set.
func (q *question) weightOf(set terms) float64 {
	sum := 0.0
	for i, t := range q.terms {
		if set&(1<<i) != 0 {
			sum += t.weight
		}
	}
	return sum
}

// heaviest returns the greatest weight of a term in a set, 0 for the empty set.
func (q *question) heaviest(set terms) float64 {
	most := 0.0
	for i, t := range q.terms {
		if set&(1<<i) != 0 {
			most = max(most, t.weight)
		}
	}
	return most
}
