package builtin

import "frontdesk/shared/ai"

// An Evidence is what speaks for something that the engine may answer. The programs that fit the engine's
// figures learn from it.
type Evidence struct {
	Way     Way
	Text    string // the sentence, or the whole answer
	Aspects []float64
}

// A Way is how an answer is come by.
type Way string

// The ways to an answer. All sentences that compete are there.
const (
	Sentence Way = "sentence" // of all passages
	Quoted   Way = "quoted"   // the answer of an agent that knows much, composed of them
	Brief    Way = "brief"    // that of one that knows little
)

// Evidence is what speaks for the answers to r.Message, looked up as one question.
func (e *Engine) Evidence(r ai.Request) (all []Evidence) {
	m := e.read(r.Language, r.Message)
	r = m.narrow(r)
	alone := r
	alone.Topic = ""
	q := newQuestion(m, alone)
	if rd, sentences := q.sentences(alone); len(sentences) > 0 {
		for _, c := range sentences {
			aspects := q.aspects(c.unit, c.rank)
			all = append(all, Evidence{Sentence, c.text, aspects[:]})
		}
		way := Brief
		if knowsMuch(r) {
			way = Quoted
		}
		aspects := q.sureOf(rd, sentences, alone)
		said, _ := rd.compose(rd.choose(&q, sentences, r.MaxLength), r.MaxLength)
		all = append(all, Evidence{way, said, aspects[:]})
	}
	return all
}

// Figures are the weights of what speaks for an answer, by its way.
func Figures(way Way) []float64 {
	switch way {
	case Sentence:
		return sentenceWeights[:]
	case Brief:
		return briefWeights[:]
	}
	return sureWeights[:]
}
