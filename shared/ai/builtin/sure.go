package builtin

import (
	"math"
	"math/bits"

	"frontdesk/shared/ai"
)

// What speaks for an answer that begins with the best sentence. Shares are of the question, by the weights of
// its terms.
const (
	sureAlways    = iota // 1
	sureFound            // found in and around the best sentence
	sureNear             // in it, in its heading or the passage's title
	sureWhole            // in it word for word
	sureMet              // of the words that say what the message is about, those in it or above it
	sureUnmet            // how many of these are not, up to fewTerms
	sureTerms            // how many words that is all, within bounds
	sureUnknown          // in no passage, the more the more passages there are
	sureLetters          // of its letters
	sureWords            // of its words, stop words too
	sureTop              // how likely the sentence is the best one
	sureFits             // the sentence has what is asked for: a price, a time
	sureUnfit            // it has not
	sureStrange          // the logarithm of the telling words that the question does not have
	sureCorpus           // how many passages the documents have, by its logarithm
	sureCorpusMet        // that, times what is met
	sureRarest           // the weight of the rarest word met, as a share of the rarest that it is about
	sureCount            // how many words that it is about are met, up to fewTerms
	surePairs            // of its pairs of words
	sureMeant            // met by a related word alone
	sureHeading          // met by the heading or the title alone
	sureNowhere          // of the words that it is about, those that stand in no passage
	sureAsks             // the message is a question
	sureOfFAQ            // the sentence is the answer of an FAQ
	sureOfField          // it is what a field of the agent's states
	sureLead             // by how much the sentence is likelier than the next
	sureAspects
)

// fewChunks is how many passages the documents of a business have that says all of itself on a few pages.
const fewChunks = 50

// manyChunks is how many passages of documents say no more about a question than more of them do.
const manyChunks = 100

// knowsMuch reports whether an agent's documents say so much that by the words of a question it is told whether
// they have the answer. To an agent that knows little people say much that it has no word of.
func knowsMuch(r ai.Request) bool { return r.Chunks >= fewChunks }

// sureOf is what speaks for an answer that begins with the best of the sentences.
func (q *question) sureOf(rd *reading, sentences []candidate, r ai.Request) (a [sureAspects]float64) {
	best := sentences[0]
	u := best.unit
	about := q.about()
	met := about & (u.whole | u.part | u.alike | u.above)
	a[sureAlways] = 1
	a[sureFound] = q.share(u.found())
	a[sureNear] = q.share(u.whole | u.part | u.above)
	a[sureWhole] = q.share(u.whole)
	a[sureMet] = q.shareOf(met, about)
	a[sureUnmet] = float64(min(fewTerms, bits.OnesCount64(uint64(about&^met)))) / fewTerms
	a[sureTerms] = float64(min(max(len(q.terms), 1), manyTerms)) / manyTerms
	a[sureUnknown] = rd.unknown(q) * min(1, float64(len(r.Passages))/manyPassages)
	a[sureLetters], a[sureWords] = u.letters, u.words
	a[sureTop] = best.share
	fits, told := q.fits(u)
	a[sureFits], a[sureUnfit] = yes(told && fits), yes(told && !fits)
	a[sureStrange] = math.Log1p(float64(u.strange))
	a[sureCorpus] = min(1, math.Log1p(float64(r.Chunks))/math.Log1p(manyChunks))
	a[sureCorpusMet] = a[sureCorpus] * a[sureMet]
	a[sureRarest] = q.heaviest(met) / max(leastWeight, q.heaviest(about))
	a[sureCount] = float64(min(fewTerms, bits.OnesCount64(uint64(met)))) / fewTerms
	a[surePairs] = u.pairs
	a[sureMeant] = q.shareOf(met&^(u.whole|u.above), about)
	a[sureHeading] = q.shareOf(met&u.above, about)
	a[sureNowhere] = q.shareOf(about&^rd.known(q), about)
	a[sureAsks] = yes(q.asks)
	a[sureOfFAQ], a[sureOfField] = yes(len(rd.asked[best.passage]) > 0), yes(rd.isField(best.passage))
	a[sureLead] = best.share
	if len(sentences) > 1 {
		a[sureLead] -= sentences[1].share
	}
	return a
}

// sure is how likely an answer that begins with the best of the sentences is right.
func (q *question) sure(rd *reading, sentences []candidate, r ai.Request) float64 {
	aspects := q.sureOf(rd, sentences, r)
	weights := briefWeights
	if knowsMuch(r) {
		weights = sureWeights
	}
	return logistic(weighed(weights[:], aspects[:]))
}

// weighed is the weighted sum of what speaks for something.
func weighed(weights, aspects []float64) float64 {
	sum := 0.0
	for i, w := range weights {
		sum += w * aspects[i]
	}
	return sum
}

// shares turns scores into shares of likelihood.
func shares(all []candidate) {
	top, sum := math.Inf(-1), 0.0
	for _, c := range all {
		top = max(top, c.score)
	}
	for i := range all {
		all[i].share = math.Exp(all[i].score - top)
		sum += all[i].share
	}
	for i := range all {
		all[i].share /= sum
	}
}
