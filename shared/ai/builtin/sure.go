package builtin

import (
	"math"
	"math/bits"

	"frontdesk/shared/ai"
)

// The features of an answer that begins with the best sentence. Shares are of the question, weighted by its
// terms.
const (
	sureAlways     = iota // 1
	sureFound             // the share found in and around the best sentence
	sureNear              // in it, its heading or the passage's title
	sureWhole             // literally in it
	sureMet               // of the words that the message is about, the share in it or above it
	sureUnmet             // how many of these are missing, up to fewTerms
	sureTerms             // how many these are in total, within bounds
	sureUnknown           // the share in no passage, scaled by the number of passages
	sureLetters           // the share of its letters
	sureWords             // the share of its words, including stop words
	sureTop               // the probability that the sentence is the best
	sureFits              // the sentence has what is asked for: a price, a time
	sureUnfit             // it lacks that
	sureStrange           // the logarithm of the number of significant words that the question does not have
	sureCorpus            // the logarithm of the number of passages
	sureCorpusMet         // that, times sureMet
	sureRarest            // the weight of the rarest word found, relative to the rarest that it is about
	sureCount             // how many words that it is about are found, up to fewTerms
	surePairs             // the share of its pairs of words
	sureMeant             // found only as a related word
	sureHeading           // found only in the heading or title
	sureNowhere           // the share of the words that it is about that are in no passage
	sureAsks              // the message is a question
	sureOfFAQ             // the sentence is the answer of an FAQ
	sureOfField           // it is what a field of the agent's states
	sureLead              // its lead in probability over the next
	sureScore             // its score
	sureUnsaidKind        // the message does not say what it asks for
	sureSaid              // the sentence is in the last reply
	sureNegates           // the sentence says that something is not so
	sureAkin              // found only as something related
	sureInContext         // the share of the earlier messages that it has, if the message may depend on them

	// By the length of a message that may go on with another; see lengths.
	sureLength
	sureClose   = sureLength + lengths // the sentence stands near what was said
	sureAspects = sureClose + lengths
)

// fewChunks is the number of passages of a business that describes itself on a few pages.
const fewChunks = 50

// manyChunks is the number of passages beyond which more of them make no difference.
const manyChunks = 100

// knowsMuch reports whether an agent's documents are so comprehensive that the words of a question reveal
// whether they have the answer. Questions to other agents often have words that occur nowhere.
func knowsMuch(r ai.Request) bool { return r.Chunks >= fewChunks }

// sureOf returns the features of an answer that begins with the best of the sentences.
func (q *question) sureOf(rd *reading, sentences []candidate, r ai.Request) (a [sureAspects]float64) {
	best := sentences[0]
	u := best.unit
	about := q.about()
	met := about & u.named()
	a[sureAlways] = 1
	a[sureFound] = q.share(u.found())
	a[sureNear] = q.share(u.whole | u.part | u.meant | u.above)
	a[sureWhole] = q.share(u.whole)
	a[sureMet] = q.shareOf(met, about)
	a[sureUnmet] = float64(min(fewTerms, bits.OnesCount64(uint64(about&^met)))) / fewTerms
	a[sureTerms] = float64(min(max(bits.OnesCount64(uint64(q.ownTerms())), 1), manyTerms)) / manyTerms
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
	a[sureMeant] = q.shareOf(met&(u.meant|u.part|u.alike), about)
	a[sureHeading] = q.shareOf(met&u.above, about)
	a[sureNowhere] = q.shareOf(about&^rd.known(q), about)
	a[sureAsks] = yes(q.asks)
	a[sureOfFAQ], a[sureOfField] = yes(len(rd.asked[best.passage]) > 0), yes(rd.isField(best.passage))
	a[sureLead] = best.share
	if len(sentences) > 1 {
		a[sureLead] -= sentences[1].share
	}
	a[sureScore] = best.score / highScore
	a[sureUnsaidKind], a[sureSaid] = yes(!told), yes(u.said)
	a[sureNegates] = yes(u.states&negation != 0)
	a[sureAkin] = q.shareOf(u.akin&about, about)
	if !q.goesOn {
		return a
	}
	if q.around > 0 {
		a[sureInContext] = q.weightOf(u.named()&^q.ownTerms()) / q.around
	}
	length := min(q.own(), lengths-2)
	for _, at := range []int{length, lengths - 1} {
		if at == length || q.back {
			a[sureLength+at], a[sureClose+at] = 1, yes(u.near >= sameSection)
		}
	}
	return a
}

// sure returns the probability that an answer which begins with the best of the sentences is right.
func (q *question) sure(rd *reading, sentences []candidate, r ai.Request) float64 {
	aspects := q.sureOf(rd, sentences, r)
	weights := briefWeights
	if knowsMuch(r) {
		weights = sureWeights
	}
	return logistic(weighed(weights[:], aspects[:]))
}

// weighed returns the weighted sum of the features.
func weighed(weights, aspects []float64) float64 {
	sum := 0.0
	for i, w := range weights {
		sum += w * aspects[i]
	}
	return sum
}

// shares sets each candidate's share of the total likelihood.
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
