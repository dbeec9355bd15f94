package builtin

import "frontdesk/shared/ai"

// An Evidence holds the features of a possible answer. infra/fit fits the engine's weights to them.
type Evidence struct {
	Way     Way
	Text    string // the sentence, or the whole answer
	Aspects []float64
}

// A Way is how an answer is found.
type Way string

// The ways to find an answer.
const (
	Sentence Way = "sentence" // a sentence of any passage
	Quoted   Way = "quoted"   // the answer of an agent with many documents
	Brief    Way = "brief"    // the answer of an agent with few documents
)

// Evidence returns the features of the possible answers to r.Message, which is looked up as one question.
func (e *Engine) Evidence(r ai.Request) (all []Evidence) {
	m := e.read(r.Language, r.Message)
	r = m.narrow(r)
	q := newQuestion(m, r)
	if rd, sentences := q.sentences(r); len(sentences) > 0 {
		for _, c := range sentences {
			aspects := q.aspects(rd, c.unit, c.rank)
			all = append(all, Evidence{Sentence, c.text, aspects[:]})
		}
		way := Brief
		if knowsMuch(r) {
			way = Quoted
		}
		aspects := q.sureOf(rd, sentences, r)
		said, _ := rd.compose(rd.choose(&q, sentences, r.MaxLength), r.MaxLength)
		all = append(all, Evidence{way, said, aspects[:]})
	}
	return all
}

// Figures returns the weights of the features, by the way of an answer.
func Figures(way Way) []float64 {
	switch way {
	case Sentence:
		return sentenceWeights[:]
	case Brief:
		return briefWeights[:]
	}
	return sureWeights[:]
}
