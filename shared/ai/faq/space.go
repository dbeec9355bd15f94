package faq

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"frontdesk/shared/text"
)

// What of a text is compared: the pieces of its stems, the pieces of what is written, and its telling words
// whole. A piece is some letters in a row, the spaces between words among them.
const (
	stemPieces = iota
	writtenPieces
	wholeWords
	parts
)

// partWeights are what the parts weigh against one another.
var partWeights = [parts]float64{1, 1, 0.5}

// Lengths of a piece, in letters.
const minPiece, maxPiece = 2, 5

// read takes s apart. All digits are alike: that there is a number says more about the question than which
// one.
func read(language, s string) reading {
	r := reading{tokens: text.Tokens(language, s)}
	var stems strings.Builder
	stems.WriteByte(' ')
	for _, t := range r.tokens {
		stem := strings.Map(maskDigits, t.Stem)
		stems.WriteString(stem)
		stems.WriteByte(' ')
		if !t.Stop {
			r.pieces[wholeWords] = append(r.pieces[wholeWords], hash(stem))
		}
	}
	r.pieces[stemPieces] = pieces(stems.String())
	written := strings.Map(maskDigits, strings.ToLower(s))
	r.pieces[writtenPieces] = pieces(" " + strings.Join(strings.Fields(written), " ") + " ")
	return r
}

func maskDigits(r rune) rune {
	if unicode.IsDigit(r) {
		return '0'
	}
	return r
}

// pieces lists the hashes of all pieces of s.
func pieces(s string) []uint32 {
	out := make([]uint32, 0, 4*len(s))
	for start := 0; start < len(s); {
		end, n := start, 0
		h := uint32(fnvOffset)
		for end < len(s) && n < maxPiece {
			_, size := utf8.DecodeRuneInString(s[end:])
			for _, b := range []byte(s[end : end+size]) {
				h = (h ^ uint32(b)) * fnvPrime
			}
			end += size
			if n++; n >= minPiece {
				out = append(out, h)
			}
		}
		_, size := utf8.DecodeRuneInString(s[start:])
		start += size
	}
	return out
}

// The numbers of the hash FNV-1a, written out since a piece continues the hash of the one that it begins
// with.
const (
	fnvOffset = 2166136261
	fnvPrime  = 16777619
)

func hash(s string) uint32 {
	h := uint32(fnvOffset)
	for _, b := range []byte(s) {
		h = (h ^ uint32(b)) * fnvPrime
	}
	return h
}

// A space is the vectors of the examples, and what it takes to put a message among them: tf-idf with
// logarithmic term frequencies, each part of length one before it is weighted.
type space struct {
	dimensions [parts]map[uint32]int // a piece to its place in the two slices below
	idf        []float64
	postings   [][]component // of each dimension: the examples that have it
	examples   []vector
	words      map[string]int // in how many examples each stem stands
}

// A vector is the components that are not zero.
type vector []component

type component struct {
	at    int32 // the dimension; in a posting the example
	value float32
}

func newSpace(examples []reading) *space {
	s := &space{words: map[string]int{}}
	var found []int
	for part := range parts {
		s.dimensions[part] = map[uint32]int{}
		for _, e := range examples {
			for _, piece := range distinct(e.pieces[part]) {
				d, ok := s.dimensions[part][piece]
				if !ok {
					d = len(found)
					s.dimensions[part][piece] = d
					found = append(found, 0)
				}
				found[d]++
			}
		}
	}
	s.idf = make([]float64, len(found))
	for d, n := range found {
		s.idf[d] = 1 + math.Log(float64(1+len(examples))/float64(1+n))
	}
	s.postings = make([][]component, len(found))
	for i, e := range examples {
		v := s.vector(e)
		s.examples = append(s.examples, v)
		for _, c := range v {
			s.postings[c.at] = append(s.postings[c.at], component{int32(i), c.value})
		}
		seen := map[string]bool{}
		for _, t := range e.tokens {
			if !seen[t.Stem] {
				seen[t.Stem] = true
				s.words[t.Stem]++
			}
		}
	}
	return s
}

func distinct(pieces []uint32) []uint32 {
	sorted := slices.Clone(pieces)
	slices.Sort(sorted)
	return slices.Compact(sorted)
}

// vector puts a reading among the examples. What stands in none of them has no place.
func (s *space) vector(r reading) vector {
	var v vector
	for part := range parts {
		from := len(v)
		sorted := slices.Clone(r.pieces[part])
		slices.Sort(sorted)
		square := 0.0
		for i := 0; i < len(sorted); {
			n := i
			for n < len(sorted) && sorted[n] == sorted[i] {
				n++
			}
			if d, ok := s.dimensions[part][sorted[i]]; ok {
				x := (1 + math.Log(float64(n-i))) * s.idf[d]
				square += x * x
				v = append(v, component{int32(d), float32(x)})
			}
			i = n
		}
		scale := float32(partWeights[part] / math.Sqrt(square))
		for i := from; i < len(v); i++ {
			v[i].value *= scale
		}
	}
	return v
}

// products are the inner products of a vector with the first n examples.
func (s *space) products(v vector, n int) []float64 {
	out := make([]float64, n)
	for _, c := range v {
		for _, p := range s.postings[c.at] {
			if int(p.at) >= n {
				break // they are in order
			}
			out[p.at] += float64(c.value) * float64(p.value)
		}
	}
	return out
}

// stopShare is what a stop word counts in unknown.
const stopShare = 0.2

// unknown is the share of a message, 0 to 1, that stands in no example, by words weighted with their inverse
// document frequency.
func (s *space) unknown(r reading) float64 {
	var all, unknown float64
	n := float64(len(s.examples))
	for _, t := range r.tokens {
		found := s.words[t.Stem]
		w := math.Log(1 + (n-float64(found)+0.5)/(float64(found)+0.5))
		if t.Stop {
			w *= stopShare
		}
		all += w
		if found == 0 {
			unknown += w
		}
	}
	if all == 0 {
		return 1
	}
	return unknown / all
}
