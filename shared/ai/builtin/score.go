package builtin

import (
	"math"
	"math/bits"

	"frontdesk/shared/text"
)

// All figures by which the engine judges stand here. They were set by measuring; a change of one is to be
// measured too.
const (
	// What a term weighs besides how rare its word is. The words that say what is asked for ("time" in "what
	// time") seldom stand in the answer. What comes from the message before, the topic or the caller's
	// context, is a hint.
	askFactor     = 0.2
	historyFactor = 0.4
	// lightFactor is for words such as "have" and "possible", dayFactor for the days of the week.
	lightFactor   = 0.15
	dayFactor     = 0.7
	topicFactor   = 0.5
	contextFactor = 0.1
	// followUpTerms is how few words a message may say of its own to go on with the one before it.
	followUpTerms = 3
	// backTerms is how many it may say that points back: "Is that free?"
	backTerms = 2

	// A word that stands nowhere in the knowledge weighs so much as the rarest word that does, times this.
	unknownFactor = 1.0
	// leastWeight keeps a word that stands in almost every passage from weighing nothing.
	leastWeight = 0.05

	// headingMalus is what speaks against a heading, which names what follows it and seldom is the answer.
	headingMalus = 2.0

	// leastSimilarity is how like two words must be for one to stand for the other.
	leastSimilarity = 0.72

	// An answer takes in sentences until it is so likely that the right one is among them, and none that is
	// less likely than that to be it.
	enough   = 0.9
	unlikely = 0.05
	// leastExcerpt is how many characters must be left for the beginning of a sentence that does not fit.
	leastExcerpt = 24
	// With so many passages, and so few or so many terms, more and fewer of them change a confidence no
	// further.
	manyPassages = 20
	fewTerms     = 4
	manyTerms    = 12

	// maxItems is how long a list may be to be told whole.
	maxItems = 12

	// certain is the confidence in small talk and in the wish for a person, which are told by their words.
	certain = 0.95
	// surelyAlone is the confidence in an answer from which on a message that has one by itself goes on with
	// nothing.
	surelyAlone = 0.75
	// sure is the confidence from which on an FAQ goes before the wish for a person.
	sure = 0.8
	// threshold is the confidence from which on the engine answers.
	threshold = 0.5
)

// inverseFrequency tells how much a word says that stands in found of n passages.
func inverseFrequency(found, n int) float64 {
	return math.Log(1 + (float64(n-found)+0.5)/(float64(found)+0.5))
}

// What speaks for a sentence among others. Shares are of the question, by the weights of its terms but for
// the last three.
const (
	shareWhole = iota
	sharePart
	shareAlike
	shareAbove
	shareBefore
	shareAfter
	shareFar
	rank         // of its passage, as a share of the best passage's
	strangeWords // the logarithm of the telling words that the question does not have
	fitsWho
	fitsWhen
	fitsHowMany
	shareWords
	sharePairs
	shareLetters
	aspects
)

// aspects are what speaks for a unit.
func (q *question) aspects(u *unit, passageRank float64) (a [aspects]float64) {
	for at, found := range [...]terms{u.whole, u.part, u.alike, u.above, u.before, u.after, u.far} {
		a[at] = q.share(found)
	}
	a[rank] = passageRank
	a[strangeWords] = math.Log1p(float64(u.strange))
	a[fitsWho] = yes(q.kind == askWho && u.has&hasName != 0)
	a[fitsWhen] = yes(q.kind == askWhen && u.has&hasTime != 0)
	a[fitsHowMany] = yes(q.kind == askHowMany && u.has&hasNumber != 0 || q.kind == askPrice &&
		u.has&hasPrice != 0)
	a[shareWords], a[sharePairs], a[shareLetters] = u.words, u.pairs, u.letters
	return a
}

func yes(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// share is the share of the question that a set of its terms is.
func (q *question) share(set terms) float64 {
	if q.total == 0 {
		return 0
	}
	return q.weightOf(set) / q.total
}

// score ranks a unit among all units.
func (q *question) score(u *unit, passageRank float64) float64 {
	s := 0.0
	for i, x := range q.aspects(u, passageRank) {
		s += sentenceWeights[i] * x
	}
	if u.kind == text.Heading {
		s -= headingMalus
	}
	return s
}

// confidence is how likely an answer that begins with the unit is right, by a logistic regression on half of
// XQuAD and on questions about other documents: how much of the question is found in and around the sentence,
// how many words that is, how much of the question stands in no passage, and how much of its letters in the
// sentence. That a word is unknown says the more, the more passages of documents there are.
func (q *question) confidence(u *unit, unknown float64, passages, ofDocuments int) float64 {
	if q.total == 0 {
		return 0
	}
	unknown *= min(1, float64(passages)/manyPassages)
	sure := logistic(-2.88 + 3.0*q.share(u.found()) +
		0.22*float64(min(max(len(q.terms), fewTerms), manyTerms)) -
		2.4*unknown + 3.0*u.letters)
	if fits, told := q.fits(u); told && !fits && len(q.terms) <= fewTerms {
		sure *= unfitting
	}
	return max(q.direct(u, ofDocuments), sure)
}

// direct is the confidence in a sentence that has what a short question is about. Longer questions are told
// better by all of their words, and where many passages of documents have one of them it stands in some by
// chance.
func (q *question) direct(u *unit, passages int) float64 {
	about := q.about()
	n, met := bits.OnesCount64(uint64(about)), bits.OnesCount64(uint64(about&(u.whole|u.part|u.above)))
	if n == 0 || n > fewTerms || 2*met < n || about&(u.whole|u.part) == 0 || passages >= manyPassages {
		return 0
	}
	if fits, told := q.fits(u); told && !fits {
		return 0
	}
	if met < n {
		return mostly
	}
	return min(directly+alsoDirectly*float64(n-1), sure)
}

// The confidence in a sentence that has the one word that a question is about, and what each further word
// adds.
const (
	mostly       = 0.52 // where it has half of the words or more
	directly     = 0.58
	alsoDirectly = 0.12
)

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
