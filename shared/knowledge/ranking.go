package knowledge

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

// Chunks are ranked by BM25. The weight of a word depends on where it occurs.
const (
	saturation   = 1.2  // k1: how fast repetitions of a word lose value
	lengthEffect = 0.75 // b: how much long chunks are penalised

	// Occurrences in running text have weight 1. In FAQs the answer weighs less instead of the question
	// weighing more: an FAQ may have many phrasings of a question, and the number of phrasings with the word
	// is significant.
	headingWeight  = 2.0
	questionWeight = 1.0
	answerWeight   = 0.5
	titleWeight    = 1.0 // of the document, for each of its chunks
)

// A version is one generation of a document.
type version struct{ document, generation int64 }

// A place is the position of a chunk.
type place struct {
	version
	part, ordinal int
}

// A candidate is a chunk that shares words with a message.
type candidate struct {
	place
	length float64
	words  uint32 // bit set of the message's words that it contains; there are at most maxQueryWords
	score  float64
	units  int // read units of its part
}

// A ranking scores chunks by the words that they share with a message.
type ranking struct {
	corpus     Corpus
	candidates map[place]*candidate
	titles     map[version][]titleWord
	weights    map[string]float64
}

// A titleWord is a word of the message in a document's title.
type titleWord struct {
	word   int
	count  int
	weight float64
	units  int // of the document's head
}

func newRanking(c Corpus) *ranking {
	return &ranking{
		corpus: c, candidates: map[place]*candidate{}, titles: map[version][]titleWord{},
		weights: map[string]float64{},
	}
}

// add adds the scores of the i-th word of the message from its list.
func (r *ranking) add(i int, word string, l list) {
	if l.empty() {
		return
	}
	weight := r.weight(l.chunks())
	if word == everywhere {
		weight = 0
	}
	r.weights[word] = weight
	for _, e := range l.entries {
		if e.title > 0 {
			r.titles[e.version] = append(r.titles[e.version], titleWord{i, e.title, weight, e.readUnits(0)})
		}
		for _, p := range e.postings {
			c := r.candidate(place{e.version, p.part, p.ordinal}, float64(p.length))
			c.words |= 1 << i
			c.units = e.readUnits(p.part)
			c.score += weight * r.saturate(e.count(p), c.length)
		}
	}
}

// readUnits returns the read units of a part of the document.
func (e entry) readUnits(part int) int {
	if part == 0 {
		return 1 + e.head
	}
	return 1 + e.rest
}

// count returns the weighted number of a word's occurrences in a chunk.
func (e entry) count(p posting) float64 {
	label, body := float64(p.label), float64(p.body)
	title := titleWeight * float64(e.title)
	if e.faq {
		return title + questionWeight*label + answerWeight*body
	}
	return title + headingWeight*label + body
}

func (r *ranking) candidate(at place, length float64) *candidate {
	c, ok := r.candidates[at]
	if !ok {
		c = &candidate{place: at, length: length}
		r.candidates[at] = c
	}
	return c
}

// weight returns the inverse document frequency of a word in that many chunks.
func (r *ranking) weight(chunks int) float64 {
	n := float64(chunks)
	return math.Log(1 + (max(float64(r.corpus.Chunks), n)-n+0.5)/(n+0.5))
}

// saturate returns the value of a word with that count in a chunk of that length, from 0 to 1+saturation.
func (r *ranking) saturate(count, length float64) float64 {
	return count * (saturation + 1) / (count + saturation*(1-lengthEffect+lengthEffect*length/r.meanLength()))
}

func (r *ranking) meanLength() float64 {
	return max(1, float64(r.corpus.Words)/float64(max(1, r.corpus.Chunks)))
}

// ranked returns the candidates, best first. A title match counts for the chunks with other words of the
// message; if there are none, it adds the document's first chunk.
func (r *ranking) ranked() []*candidate {
	matched := map[version]bool{}
	for at := range r.candidates {
		matched[at.version] = true
	}
	for v := range r.titles {
		if !matched[v] {
			r.candidate(place{version: v}, r.meanLength()).units = r.titles[v][0].units
		}
	}
	all := slices.Collect(maps.Values(r.candidates))
	for _, c := range all {
		for _, t := range r.titles[c.version] {
			if c.words&(1<<t.word) == 0 {
				c.score += t.weight * r.saturate(titleWeight*float64(t.count), c.length)
			}
		}
	}
	slices.SortFunc(all, func(a, b *candidate) int {
		return cmp.Or(
			cmp.Compare(b.score, a.score),
			cmp.Compare(b.document, a.document), cmp.Compare(b.generation, a.generation),
			cmp.Compare(a.part, b.part), cmp.Compare(a.ordinal, b.ordinal),
		)
	})
	return all
}
