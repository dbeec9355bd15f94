package builtin

import (
	"math/bits"
	"slices"

	"frontdesk/shared/ai"
	"frontdesk/shared/concept"
	"frontdesk/shared/language"
	"frontdesk/shared/text"
	"frontdesk/shared/understand"
)

// A theirs is the message analysed in the language in which it is written, which may differ from the
// agent's.
type theirs struct {
	concepts map[int][]string // of the word that starts at a byte
	// insignificant words, by the byte where they start; empty in the agent's language
	stops   map[int]bool
	read    message // the message analysed in that language
	foreign bool
}

// theirs analyses the message in its own language, which is detected if tongue is "".
func (m message) theirs(tongue string) theirs {
	t := theirs{concepts: map[int][]string{}, stops: map[int]bool{}, read: m}
	tag, tokens := m.language, m.tokens
	if tongue == "" {
		tongue = understand.Language(m.text, m.language)
	}
	if other := language.Primary(tongue); other != language.Primary(m.language) {
		tag, tokens, t.foreign = other, text.Tokens(other, m.text), true
		t.read = message{engine: m.engine, lexicon: m.engine.lexicon(other), language: other, text: m.text,
			tokens: tokens}
		for _, token := range tokens {
			t.stops[token.Start] = token.Stop || t.read.lexicon.light[token.Stem]
		}
		for _, asked := range [][2]int{t.read.askedWith(), t.read.pricedWith()} {
			for _, token := range tokens[asked[0]:asked[1]] {
				t.stops[token.Start] = true
			}
		}
	}
	for _, f := range concept.In(tag, tokens) {
		if formal[f.Name] {
			continue
		}
		for _, token := range tokens[f.From:f.To] {
			t.concepts[token.Start] = append(t.concepts[token.Start], f.Name)
		}
	}
	return t
}

// formal are the concepts of courtesies and answers, which are no subject of a question.
var formal = map[string]bool{
	"hello": true, "thanks": true, "bye": true, "yes": true, "no": true, "sorry": true, "first": true,
	"stop": true,
}

// sharesConcept reports whether a word of the agent's language has a concept of the term.
func (t term) sharesConcept(language, stem string) bool {
	return len(t.concepts) > 0 && slices.ContainsFunc(concept.Of(language, stem), func(name string) bool {
		return slices.Contains(t.concepts, name)
	})
}

// The confidence in an FAQ whose question has the concepts of a message but is phrased differently: exactly
// the same concepts, or all or nearly all of them.
const (
	sameConcepts = 0.72
	mostConcepts = 0.58
	// leastNamed is the minimum share of the message's significant words that are concepts. If an FAQ
	// matches only these, its confidence is multiplied by doubtFactor.
	leastNamed  = 0.5
	doubtFactor = 0.8
)

// byConcepts finds the only FAQ whose question has the concepts of the message: a paraphrase, or one in
// another language.
func byConcepts(q *question, r ai.Request) (found *ai.Passage, confidence float64) {
	named, telling := 0, 0
	for _, t := range q.terms {
		if t.about {
			telling++
			if len(t.concepts) > 0 {
				named++
			}
		}
	}
	if named == 0 || float64(named) < leastNamed*float64(telling) {
		return nil, 0
	}
	best, second, known := 0.0, 0.0, 0
	for _, passages := range [][]ai.Passage{r.Passages, r.Neighbours} {
		for i := range passages {
			p := &passages[i]
			if p.Text == "" {
				continue
			}
			for _, said := range p.Questions {
				s, n := q.conceptsShared(said, p.Text)
				switch {
				case found != nil && slices.Equal(p.Questions, found.Questions):
					best, known = max(best, s), max(known, n)
				case s > best:
					best, second, found, known = s, best, p, n
				default:
					second = max(second, s)
				}
			}
		}
	}
	if best < 0.5 || second >= best {
		return nil, 0
	}
	share := float64(max(named, known)) / float64(telling)
	trust := doubtFactor + (1-doubtFactor)*(share-leastNamed)/(1-leastNamed)
	if best >= 0.99 {
		return found, sameConcepts * trust
	}
	return found, mostConcepts * trust
}

// answeredOnly is the factor if only an FAQ's answer has a concept of the message: PayPal in the answer to
// how to pay.
const answeredOnly = 0.9

// conceptsShared returns how similar an FAQ's question is to the message by concepts, from 0 to 1. It is 0
// unless question and answer together have all of the message's concepts and the question has one; further
// concepts reduce it. Known is the number of significant words of the message that question and answer
// have.
func (q *question) conceptsShared(said, answered string) (share float64, known int) {
	own, met := 0, terms(0)
	asked := q.metBy(said)
	for i, t := range q.lexicon.tokens(said) {
		met |= asked[i].terms
		if !t.Stop && (asked[i].matters || asked[i].terms != 0) {
			own++
		}
	}
	if met == 0 {
		return 0, 0
	}
	beside := terms(0)
	for _, word := range q.metBy(answered) {
		beside |= word.terms &^ met
	}
	factor := 1.0
	if beside != 0 {
		factor = answeredOnly
	}
	shared := 0
	for i, term := range q.terms {
		switch bit := terms(1) << i; {
		case (met|beside)&bit != 0:
			shared++
		case term.about && len(term.concepts) > 0:
			return 0, 0
		}
	}
	return factor * min(1, float64(shared)/float64(max(1, own))), bits.OnesCount64(uint64(met | beside))
}

// A meaning is what a word of the agent's knowledge means for the question: the terms that it matches, and
// whether it can be a subject at all.
type meaning struct {
	terms   terms
	matters bool
}

// metBy returns the meaning of each word of a text in the agent's language. Stop words count only within
// the phrase of a concept.
func (q *question) metBy(said string) []meaning {
	tokens := q.lexicon.tokens(said)
	words := make([]meaning, len(tokens))
	for i, t := range tokens {
		for j, term := range q.terms {
			if term.about && !t.Stop && term.stem == t.Stem {
				words[i].terms |= 1 << j
			}
		}
	}
	for _, f := range concept.In(q.language, tokens) {
		for i := f.From; i < f.To; i++ {
			words[i].matters = words[i].matters || !formal[f.Name]
			for j, term := range q.terms {
				if term.about && slices.Contains(term.concepts, f.Name) {
					words[i].terms |= 1 << j
				}
			}
		}
	}
	return words
}
