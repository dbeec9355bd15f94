package faq

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
)

// A head is what the bytes of a Model begin with, as JSON behind its length: the examples as they are, from
// which the space is made again. Behind it come the weights as multiples of Scale, two bytes each with the
// low one first. encoding/gob would do the same, but takes 0.15 ms of every start of a function that links
// it.
type head struct {
	Language  string
	Questions []Question
	Scale     float32 // the largest weight's part of 32,767
}

// MarshalBinary encodes the model: the examples, and two bytes for each pair of an example and a question.
func (m *Model) MarshalBinary() ([]byte, error) {
	h := head{Language: m.language, Questions: m.questions}
	for _, w := range m.weights {
		h.Scale = max(h.Scale, float32(math.Abs(float64(w)))/math.MaxInt16)
	}
	text, err := json.Marshal(h)
	if err != nil {
		return nil, err
	}
	data := append(binary.AppendUvarint(nil, uint64(len(text))), text...)
	for _, w := range m.weights {
		multiple := int16(math.Round(float64(w / h.Scale)))
		data = binary.LittleEndian.AppendUint16(data, uint16(multiple))
	}
	return data, nil
}

// UnmarshalBinary decodes a model. It takes about 30 µs for each example.
func (m *Model) UnmarshalBinary(data []byte) error {
	length, n := binary.Uvarint(data)
	if n <= 0 || length > uint64(len(data)-n) {
		return errors.New("faq: the bytes are no model")
	}
	text, weights := data[n:n+int(length)], data[n+int(length):]
	var h head
	if err := json.Unmarshal(text, &h); err != nil {
		return err
	}
	*m = *newModel(h.Language, h.Questions)
	if len(weights) != 2*m.examples*len(h.Questions) {
		return errors.New("faq: the bytes hold other weights than for their questions")
	}
	m.weights = make([]float32, len(weights)/2)
	for i := range m.weights {
		m.weights[i] = float32(int16(binary.LittleEndian.Uint16(weights[2*i:]))) * h.Scale
	}
	return nil
}
