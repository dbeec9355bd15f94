package classify

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
)

// A Model is a trained linear classifier. The zero Model has no classes.
//
// Its table has slots for the features that training selected, each with a weight per class. A feature is
// in the slot of its hash or in the next one; sixteen further bits of the hash are the slot's tag. Features
// without a slot are ignored.
type Model struct {
	// Digest is the trainer's digest of the training data.
	Digest  string
	Classes []string

	slots   int
	scale   []float32 // per class
	bias    []float32
	slope   []float32 // per class; with offset, calibrates the score to a probability
	offset  []float32
	tags    string // two bytes per slot, 0 for an empty one
	weights string // a signed byte per class and slot
}

// magic is the prefix of a model's file.
const magic = "fdmodel1"

// Parse reads a model from its file. The model keeps the file in memory; only the parameters of the classes
// are copied. It fails if the file is truncated or of another format.
func Parse(file string) (*Model, error) {
	fail := func() (*Model, error) {
		return nil,
			fmt.Errorf("classify: a model of %d bytes is cut off", len(file))
	}
	head, rest, ok := strings.Cut(file, "\n")
	if !ok || !strings.HasPrefix(head, magic+" ") {
		return nil, fmt.Errorf("classify: no model begins with %.20q", file)
	}
	fields := strings.Fields(head)
	if len(fields) != 4 {
		return fail()
	}
	m := &Model{Digest: fields[1], Classes: strings.Split(fields[2], ",")}
	if _, err := fmt.Sscan(fields[3], &m.slots); err != nil || m.slots < 1 {
		return fail()
	}
	n := len(m.Classes)
	if len(rest) != n*16+m.slots*2+m.slots*n {
		return fail()
	}
	for _, to := range []*[]float32{&m.scale, &m.bias, &m.slope, &m.offset} {
		*to = make([]float32, n)
		for i := range *to {
			(*to)[i] = math.Float32frombits(
				uint32(rest[0]) | uint32(rest[1])<<8 | uint32(rest[2])<<16 | uint32(rest[3])<<24)
			rest = rest[4:]
		}
	}
	m.tags, m.weights = rest[:m.slots*2], rest[m.slots*2:]
	return m, nil
}

// tagOf returns the tag of a feature's slot, which is never 0.
func tagOf(h uint32) uint16 { return uint16(h>>16) | 1 }

// slot returns the index of a feature's slot, or -1 if it has none.
func (m *Model) slot(h uint32) int {
	at, tag := int(h%uint32(m.slots)), tagOf(h)
	for range 2 {
		if uint16(m.tags[2*at])|uint16(m.tags[2*at+1])<<8 == tag {
			return at
		}
		if at++; at == m.slots {
			at = 0
		}
	}
	return -1
}

// Scores returns the score of each class, in the order of Classes, and the share of the features, by
// weight, that the model knows.
func (m *Model) Scores(features []Feature) (scores []float32, known float64) {
	n := len(m.Classes)
	scores = make([]float32, n)
	var all, met float64
	for _, f := range features {
		all += float64(f.Value) * float64(f.Value)
		at := m.slot(f.Hash)
		if at < 0 {
			continue
		}
		met += float64(f.Value) * float64(f.Value)
		for i, w := range []byte(m.weights[at*n : at*n+n]) {
			scores[i] += f.Value * float32(int8(w))
		}
	}
	for i := range scores {
		scores[i] = scores[i]*m.scale[i] + m.bias[i]
	}
	if all == 0 {
		return scores, 0
	}
	return scores, met / all
}

// Probabilities returns the probability of each class by itself, since a text can belong to several or
// none, and the known share as Scores does.
func (m *Model) Probabilities(features []Feature) (p []float64, known float64) {
	scores, known := m.Scores(features)
	p = make([]float64, len(scores))
	for i, s := range scores {
		p[i] = 1 / (1 + math.Exp(-float64(m.slope[i]*s+m.offset[i])))
	}
	return p, known
}

// A Trained is the result of training, before it is encoded.
type Trained struct {
	Digest  string
	Classes []string
	Slots   []uint32    // the hash of each slot's feature, 0 for an empty slot
	Weights [][]float32 // by slot, then by class
	Bias    []float32
	Slope   []float32
	Offset  []float32
}

// Encode returns the file of the model, for Parse.
func (t Trained) Encode() []byte {
	n := len(t.Classes)
	scale := make([]float32, n)
	for _, w := range t.Weights {
		for i := range w {
			scale[i] = max(scale[i], float32(math.Abs(float64(w[i])))/127)
		}
	}
	out := fmt.Appendf(nil, "%s %s %s %d\n", magic, t.Digest, strings.Join(t.Classes, ","), len(t.Slots))
	for _, figures := range [][]float32{scale, t.Bias, t.Slope, t.Offset} {
		for _, f := range figures {
			out = binary.LittleEndian.AppendUint32(out, math.Float32bits(f))
		}
	}
	for _, h := range t.Slots {
		tag := uint16(0)
		if h != 0 {
			tag = tagOf(h)
		}
		out = binary.LittleEndian.AppendUint16(out, tag)
	}
	for _, w := range t.Weights {
		for i := range n {
			q := 0.0
			if scale[i] > 0 {
				q = math.Round(float64(w[i] / scale[i]))
			}
			out = append(out, byte(int8(q)))
		}
	}
	return out
}

// Places assigns features to the slots of a table, the most important first. A feature whose two slots are
// both taken gets none. It returns the feature of each slot, 0 for none.
func Places(features []uint32, slots int) []uint32 {
	out := make([]uint32, slots)
	for _, h := range features {
		if h == 0 {
			continue
		}
		at := int(h % uint32(slots))
		for range 2 {
			if out[at] == 0 {
				out[at] = h
				break
			}
			if tagOf(out[at]) == tagOf(h) {
				break // same tag: the features are indistinguishable
			}
			if at++; at == slots {
				at = 0
			}
		}
	}
	return out
}
