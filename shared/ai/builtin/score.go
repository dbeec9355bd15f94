package builtin

import (
	"math"

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
	// leastGuess is that from which on it has a guess, leastGuessOfMuch where the agent knows much.
	leastGuess       = 0.2
	leastGuessOfMuch = 0.3
	// mostOfGuess is how sure it is at most of what can be no more than one.
	mostOfGuess = 0.45
	// mostOfField is how sure it is at most of what no document says.
	mostOfField = 0.52
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

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
