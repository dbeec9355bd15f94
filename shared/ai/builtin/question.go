package builtin

import (
	"math/bits"
	"slices"
	"strings"
	"time"

	"frontdesk/shared/ai"
	"frontdesk/shared/concept"
	"frontdesk/shared/text"
	"frontdesk/shared/when"
)

// maxTerms bounds the terms of a question, so that a set of them is one word of memory. No question comes
// near; of a long message the first count.
const maxTerms = 64

// terms is a set of the terms of a question, by their places.
type terms uint64

// A term is a word of the question that says something.
type term struct {
	stem     string
	weight   float64
	own      bool     // it is the message's own
	about    bool     // it is, and not a word that it asks with
	concepts []string // that it stands for, in the language that the message is written in
}

// A question is what is to be looked up in the passages.
type question struct {
	language string
	lexicon  *lexicon
	tokens   []text.Token // of the message, without small talk
	terms    []term
	time     bool    // the message names a time
	asks     bool    // the message is a question, by its words or its marks
	tells    bool    // the message rather tells something
	day      bool    // it names a day of the week
	price    bool    // it asks what something costs
	person   bool    // it has a pronoun of a person
	follows  bool    // the message is about something that was said before it
	total    float64 // the weights of all terms together
	kind     askKind
	said     string // the message without small talk
	before   string // the message that this one goes on with; empty for none
	heard    string // the agent's last reply; empty for none
	theirs   theirs
}

// newQuestion makes the question that m asks. Its terms weigh what their origin gives them, until weigh is
// called. A message that goes on with the one before it, or says next to nothing, takes the words of that one
// along.
func newQuestion(m message, r ai.Request) question {
	q := question{language: m.language, lexicon: m.lexicon}
	q.theirs = m.theirs()
	q.asks = m.isQuestion() || q.theirs.read.isQuestion()
	q.read(m)
	for i := range q.terms {
		if t := &q.terms[i]; t.about && len(t.concepts) == 0 && r.Weights[t.stem] == 0 {
			t.concepts = concept.Near(m.language, t.stem)
		}
	}
	q.goOnWith(m, r)
	return q
}

// add adds a term that the question does not have, as long as there is room.
func (q *question) add(t term) {
	if len(q.terms) < maxTerms &&
		!slices.ContainsFunc(q.terms, func(other term) bool { return other.stem == t.stem }) {
		q.terms = append(q.terms, t)
	}
}

// read takes in what the message says itself.
func (q *question) read(m message) {
	q.kind, _, _ = q.theirs.read.asks()
	q.person = slices.ContainsFunc(q.theirs.read.tokens, func(t text.Token) bool {
		return q.theirs.read.lexicon.person[t.Stem]
	})
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
		for i := range q.terms { // it tells something, in words that say little in a question
			q.terms[i].weight, q.terms[i].about = 1, true
		}
	}
}

// borrow takes words of what was said before along.
func (q *question) borrow(s string, factor float64) {
	for _, t := range text.Tokens(q.language, s) {
		if !t.Stop {
			q.add(term{stem: t.Stem, weight: factor, concepts: concept.Of(q.language, t.Stem)})
		}
	}
}

// goOnWith takes along what the message goes on with.
func (q *question) goOnWith(m message, r ai.Request) {
	own := q.own()
	q.follows = own == 0 || own <= followUpTerms && m.goesOn() || own <= backTerms && m.pointsBack()
	q.time = !when.Parse(m.language, m.text, time.Unix(0, 0)).Empty()
	for _, turn := range slices.Backward(r.History) {
		if !turn.Inbound {
			q.heard = turn.Text
			break
		}
	}
	if own == 0 || own <= followUpTerms && m.goesOn() {
		for _, turn := range slices.Backward(r.History) {
			if turn.Inbound {
				q.borrow(turn.Text, historyFactor)
				q.before = turn.Text
				break
			}
		}
	}
	if own <= followUpTerms {
		q.borrow(r.Topic, topicFactor)
		q.borrow(r.Context, contextFactor)
	}
}

// weigh multiplies what each term weighs with how much its word says: as the knowledge has it, else by the
// number of the n passages that it stands in.
func (q *question) weigh(weights map[string]float64, found map[string]int, n int) {
	rarest := 0.0
	for _, w := range weights {
		rarest = max(rarest, w)
	}
	for i := range q.terms {
		t := &q.terms[i]
		w, known := weights[t.stem]
		if !known {
			w = inverseFrequency(found[t.stem], n)
			if found[t.stem] == 0 {
				w = unknownFactor * max(w, rarest)
			}
		}
		t.weight *= max(w, leastWeight)
	}
	for _, t := range q.terms {
		q.total += t.weight
	}
}

// passOver has some terms weigh nothing.
func (q *question) passOver(set terms) {
	q.total = 0
	for i := range q.terms {
		if set&(1<<i) != 0 {
			q.terms[i].weight = 0
		}
		q.total += q.terms[i].weight
	}
}

// about is the terms that say what the message itself is about.
func (q *question) about() (set terms) {
	for i, t := range q.terms {
		if t.about {
			set |= 1 << i
		}
	}
	return set
}

// ownTerms is the terms that the message itself says, those that it asks with too.
func (q *question) ownTerms() (set terms) {
	for i, t := range q.terms {
		if t.own {
			set |= 1 << i
		}
	}
	return set
}

// own is how many terms the message says of what it is about.
func (q *question) own() int { return bits.OnesCount64(uint64(q.about())) }

// weightOf adds up the weights of the terms of a set.
func (q *question) weightOf(set terms) float64 {
	sum := 0.0
	for i, t := range q.terms {
		if set&(1<<i) != 0 {
			sum += t.weight
		}
	}
	return sum
}

// heaviest is the weight of the term of a set that weighs most, 0 for none.
func (q *question) heaviest(set terms) float64 {
	most := 0.0
	for i, t := range q.terms {
		if set&(1<<i) != 0 {
			most = max(most, t.weight)
		}
	}
	return most
}
