// Package faq detects which question of an FAQ a message asks, from examples of how each is phrased.
//
// A message and an example are compared by character n-grams of their words, so that inflections, typing
// errors and compounds matter little. A classifier on these similarities, kernel ridge regression with one
// output per question (Rifkin, Yeo and Poggio, "Regularized least-squares classification", 2003), learns
// which n-grams distinguish the questions. It is deterministic and fitted in one step. A logistic function
// turns its output into a probability (Platt, "Probabilistic outputs for support vector machines", 1999).
package faq

import (
	"cmp"
	"hash/fnv"
	"io"
	"math"
	"slices"

	"frontdesk/shared/text"
)

// A Question is a question with examples of its phrasing.
type Question struct {
	ID       uint64 // from [ID]
	Examples []string
}

// ID returns the id of a question with these examples. Questions with the same examples have the same id.
func ID(examples []string) uint64 {
	h := fnv.New64a()
	for _, e := range examples {
		io.WriteString(h, e)
		h.Write([]byte{0})
	}
	return h.Sum64()
}

// Limits of a Model: on the examples, since the time to fit grows with their third power, and on examples
// times questions, the size of the stored model. A thousand examples are fitted in a quarter of a second,
// six hundred in a tenth.
const (
	MaxExamples = 1000
	maxWeights  = 150_000
)

// Distinct removes repeated questions.
func Distinct(questions []Question) []Question {
	seen := map[uint64]bool{}
	var distinct []Question
	for _, q := range questions {
		if !seen[q.ID] {
			seen[q.ID] = true
			distinct = append(distinct, q)
		}
	}
	return distinct
}

// Fits reports whether the questions are within the limits of a Model.
func Fits(questions []Question) bool {
	n := 0
	for _, q := range questions {
		n += len(q.Examples)
	}
	return n > 0 && n <= MaxExamples && n*len(questions) <= maxWeights
}

// A Model is a classifier for a set of questions. It is safe for concurrent use.
type Model struct {
	language  string
	questions []Question
	at        map[uint64]int // the place of each question by its ID
	space     *space
	examples  int
	// weights holds the weight of each example for each question: examples by questions, row by row.
	weights []float32
}

// A Match is a question that a message may ask.
type Match struct {
	ID         uint64
	Confidence float64 // how likely it is that the message asks this, 0 to 1
}

// ridge is the strength of the regularisation. Half and double the value performed equally well.
const ridge = 0.5

// Fit trains a model for questions with distinct ids. The language is a BCP 47 tag. Check [Fits] first if
// time is limited.
func Fit(language string, questions []Question) *Model {
	m := newModel(language, questions)
	vectors := m.space.examples
	gram := newSymmetric(len(vectors))
	for i, v := range vectors {
		for j, k := range m.space.products(v, i+1) {
			gram.set(i, j, k)
		}
		gram.set(i, i, gram.at(i, i)+ridge)
	}
	gram.factor()
	m.weights = make([]float32, len(vectors)*len(questions))
	column := make([]float64, len(vectors))
	first := 0
	for c, q := range questions {
		clear(column)
		for i := range q.Examples {
			column[first+i] = 1
		}
		first += len(q.Examples)
		gram.solve(column)
		for i, w := range column {
			m.weights[i*len(questions)+c] = float32(w)
		}
	}
	return m
}

// newModel returns a model of the questions without weights.
func newModel(language string, questions []Question) *Model {
	m := &Model{language: language, questions: questions, at: make(map[uint64]int, len(questions))}
	var examples []reading
	for i, q := range questions {
		m.at[q.ID] = i
		for _, e := range q.Examples {
			examples = append(examples, read(language, e))
		}
	}
	m.examples = len(examples)
	m.space = newSpace(examples)
	return m
}

// Knows reports whether the question is one of the model's.
func (m *Model) Knows(id uint64) bool {
	_, ok := m.at[id]
	return ok
}

// How sure the model is that a message asks a question, by a logistic regression on what the classifier says
// (about 1 for a message like the examples, 0 for one like none), how much of the message stands in no
// example, and how many examples the question has: with few of them the classifier says less. It was fitted
// on drawings of 4 to 20 of the questions of CLINC150 with 1 to 24 examples each; of the messages 6 to 10 in
// 20 asked one of these.
const (
	confidenceBase     = -1.11
	confidenceScore    = 13.75
	confidenceUnknown  = -3.25
	confidenceExamples = -1.33 // for each e-fold of examples
)

// Match compares the message with every question and returns those with any similarity, the best first.
func (m *Model) Match(message string) []Match {
	r := read(m.language, message)
	unknown := m.space.unknown(r)
	scores := make([]float64, len(m.questions))
	for i, k := range m.space.products(m.space.vector(r), m.examples) {
		if k == 0 {
			continue
		}
		for c, w := range m.weights[i*len(scores) : (i+1)*len(scores)] {
			scores[c] += k * float64(w)
		}
	}
	order := make([]int, len(scores))
	for c := range order {
		order[c] = c
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	var matches []Match
	for _, c := range order {
		if scores[c] <= 0 {
			break
		}
		q := m.questions[c]
		x := confidenceBase + confidenceScore*scores[c] + confidenceUnknown*unknown +
			confidenceExamples*math.Log(float64(len(q.Examples)))
		matches = append(matches, Match{q.ID, 1 / (1 + math.Exp(-x))})
	}
	return matches
}

// A reading is the features of a text.
type reading struct {
	tokens []text.Token
	pieces [parts][]uint32 // hashes, as often as each occurs
}
