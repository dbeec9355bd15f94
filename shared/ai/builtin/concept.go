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

// A theirs is what a message says in the language that it is written in, which can be another than the
// agent's.
type theirs struct {
	concepts map[int][]string // of the word that begins at a byte
	// the words, by their first bytes, that say little; empty in the agent's language
	stops   map[int]bool
	read    message // as the message is read in that language
	foreign bool
}

// theirs reads the message in its own language.
func (m message) theirs() theirs {
	t := theirs{concepts: map[int][]string{}, stops: map[int]bool{}, read: m}
	tag, tokens := m.language, m.tokens
	if other := understand.Language(m.language, m.text); other != language.Primary(m.language) {
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

// formal are the concepts that are no matter of a question: courtesies and answers.
var formal = map[string]bool{
	"hello": true, "thanks": true, "bye": true, "yes": true, "no": true, "sorry": true, "first": true,
	"stop": true,
}

// sharesConcept reports whether a word of the agent's language stands for a concept of the term.
func (t term) sharesConcept(language, stem string) bool {
	return len(t.concepts) > 0 && slices.ContainsFunc(concept.Of(language, stem), func(name string) bool {
		return slices.Contains(t.concepts, name)
	})
}

// What an FAQ is trusted with whose question has the concepts of a message, without being put like it: where
// it has all of them and no others, and where it has all or nearly so.
const (
	sameConcepts = 0.72
	mostConcepts = 0.58
	// leastNamed is the share of the message's telling words that must be concepts. Where an FAQ knows no
	// more of them, it has doubtFactor of the confidence that it has where it knows all, as concepts or as
	// words of its own.
	leastNamed  = 0.5
	doubtFactor = 0.8
)

// byConcepts finds the FAQ whose question is about the concepts of the message, where there is one alone:
// other words for the same thing, or those of another language.
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

// answeredOnly is what is left of the likeness to a question where only its answer has a concept of the
// message: PayPal in the answer to how one can pay.
const answeredOnly = 0.9

// conceptsShared tells how far a question of an FAQ is about the concepts of the message, 0 to 1: nothing
// unless it and its answer have all of them, and it has one itself; less, the more it is about beside them.
// Known is how many telling words of the message it and its answer have, those that stand for no concept too.
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

// A meaning is what a word of the agent's knowledge stands for: the message's own terms, and whether it is
// any matter of a question.
type meaning struct {
	terms   terms
	matters bool
}

// metBy is what each word of a text in the agent's language stands for. Stop words stand for something only
// within the phrase of a concept.
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
