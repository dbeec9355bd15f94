package faq

import (
	"bytes"
	"encoding/gob"
	"math"
)

// stored is a Model as bytes: the examples as they are, from which the space is made again, and the weights as
// multiples of the largest one's part of 32,767.
type stored struct {
	Language  string
	Questions []Question
	Scale     float32
	Weights   []int16
}

// MarshalBinary returns the model as bytes: the examples, and two bytes for each pair of an example and a question.
func (m *Model) MarshalBinary() ([]byte, error) {
	s := stored{Language: m.language, Questions: m.questions, Weights: make([]int16, len(m.weights))}
	for _, w := range m.weights {
		s.Scale = max(s.Scale, float32(math.Abs(float64(w)))/math.MaxInt16)
	}
	for i, w := range m.weights {
		s.Weights[i] = int16(math.Round(float64(w / s.Scale)))
	}
	var b bytes.Buffer
	err := gob.NewEncoder(&b).Encode(s)
	return b.Bytes(), err
}

// UnmarshalBinary makes m the model that the bytes hold. It takes about 30 µs for each example.
func (m *Model) UnmarshalBinary(data []byte) error {
	var s stored
	if err := gob.NewDecoder(bytes.NewReader(data)).Decode(&s); err != nil {
		return err
	}
	*m = *newModel(s.Language, s.Questions)
	m.weights = make([]float32, len(s.Weights))
	for i, w := range s.Weights {
		m.weights[i] = float32(w) * s.Scale
	}
	return nil
}
