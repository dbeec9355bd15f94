package builtin

import (
	"math"
	"slices"

	"frontdesk/shared/text"
)

// All parameters of the engine are here. They were determined by measurement; measure after a change.
const (
	// Factors of a term's weight, in addition to how rare its word is. Question words ("time" in "what
	// time") seldom occur in the answer. Words from the previous message, the topic or the caller's context
	// are hints.
	askFactor     = 0.2
	historyFactor = 0.4
	// lightFactor is for general words such as "have" and "possible", dayFactor for days of the week.
	lightFactor   = 0.15
	dayFactor     = 0.7
	topicFactor   = 0.5
	contextFactor = 0.1
	// borrowing is the maximum number of own words of a message that is looked up together with earlier
	// words.
	borrowing = 5
	// followUpTerms is the maximum number of own words of a message that may depend on the one before it.
	followUpTerms = 3

	// leastTotal is the minimum total weight of a message, relative to a word that only one unit has, so
	// that a message of insignificant words does not match where these occur.
	leastTotal = 0.6
	// leastWeight is the minimum weight of a word, however common it is.
	leastWeight = 0.05

	// leastSimilarity is the minimum similarity of two words for one to count as the other.
	leastSimilarity = 0.72

	// Sentences are added to an answer until the right one is probably among them. A sentence that is less
	// probable than this is not added.
	enough   = 0.88
	unlikely = 0.05
	// besideFollowing is the minimum probability of a further sentence in the answer to a follow-up.
	besideFollowing = 0.2
	// outstanding is the ratio to the next probability from which an entry is quoted without its list.
	outstanding = 2
	// leastExcerpt is the minimum number of characters of a sentence that is cut to fit.
	leastExcerpt = 24
	// Bounds of features: beyond these numbers of passages and terms the confidence does not change.
	manyPassages = 20
	fewTerms     = 4
	manyTerms    = 12

	// presence is added to the score of a sentence that says on which days the mentioned person is in.
	presence = 4.0
	// merelyNear is subtracted from the score of a sentence near what was said that has nothing of what the
	// message is about, if another has all of it.
	merelyNear = 2.5
	// highScore is the approximate score of a sentence that is almost certainly the answer.
	highScore = 10.0

	// maxItems is the maximum length of a list that is quoted whole.
	maxItems = 12

	// certain is the confidence in small talk and requests for a person, which are recognised by their
	// words.
	certain = 0.95
	// surelyAlone is the confidence of an answer from which the message is not taken as a follow-up.
	surelyAlone = 0.75
	// sure is the confidence from which an FAQ takes precedence over a request for a person.
	sure = 0.8
	// threshold is the minimum confidence of an answer.
	threshold = 0.5
	// byChance is the factor for sentences that match only by a property of something mentioned before: in
	// "Is that free?" everything that is free has the word.
	byChance = 0.4
	// leastGuess is the minimum confidence of a guess, leastGuessOfMuch for an agent with many documents.
	leastGuess       = 0.28
	leastGuessOfMuch = 0.35
	// linkMalus is subtracted from the score of a sentence with a web address, which says where information
	// is.
	linkMalus = 1.5
	// mostOfGuess is the maximum confidence of what can only be a guess.
	mostOfGuess = 0.45
	// mostOfField is the maximum confidence of what no document says.
	mostOfField = 0.52
)

// inverseFrequency returns the significance of a word that occurs in found of n passages.
func inverseFrequency(found, n int) float64 {
	return math.Log(1 + (float64(n-found)+0.5)/(float64(found)+0.5))
}

// The features of a sentence among others. Shares are of the message's own terms by weight, except for the
// last three of a row.
const (
	shareWhole = iota
	sharePart
	shareMeant
	shareAlike
	shareAbove
	shareAkin
	shareBefore
	shareAfter
	shareFar
	rarest       // the weight of the heaviest term in or above the unit, relative to the heaviest
	rank         // of its passage, relative to that of the best passage
	strangeWords // the logarithm of the number of significant words that the question does not have
	shareWords
	sharePairs
	shareLetters
	isHeading
	isItem
	isFAQ
	isField
	isSaid  // in the last reply
	saidFit // it is, and has what is asked for

	// The following are per length of the message, from no terms of its own to three and more, and one for
	// a message that refers to something mentioned before.
	atNext
	atText    = atNext + lengths
	atSection = atText + lengths
	atPassage = atSection + lengths
	inContext = atPassage + lengths // of the terms of what was said before, those in the unit
	onContext = inContext + lengths // and those above it
	ofKinds   = onContext + lengths // for each kind that is asked for, each that the unit states
	aspects   = ofKinds + kinds*kinds
)

// lengths is the number of classes of messages by length, including those that refer back.
const lengths = 5

// aspects returns the features of a unit.
func (q *question) aspects(rd *reading, u *unit, passageRank float64) *[aspects]float64 {
	a := new([aspects]float64)
	for at, found := range [...]terms{u.whole, u.part, u.meant, u.alike, u.above, u.akin, u.before, u.after,
		u.far} {
		a[at] = q.share(found)
	}
	a[rarest] = q.heaviest((u.whole|u.part|u.meant|u.above)&q.ownTerms()) /
		max(leastWeight, q.least, q.heaviest(q.ownTerms()))
	a[rank] = passageRank
	a[strangeWords] = math.Log1p(float64(u.strange))
	a[shareWords], a[sharePairs], a[shareLetters] = u.words, u.pairs, u.letters
	a[isHeading], a[isItem] = yes(u.kind == text.Heading), yes(u.kind == text.Item)
	a[isFAQ], a[isField] = yes(len(rd.asked[u.passage]) > 0), yes(rd.isField(u.passage))
	if q.goesOn {
		q.aspectsOfContext(u, a)
	}
	for asked := range kinds {
		if q.kinds&(1<<asked) == 0 {
			continue
		}
		for stated := range kinds {
			a[ofKinds+asked*kinds+stated] = yes(u.states&(1<<stated) != 0)
		}
	}
	return a
}

// aspectsOfContext adds the features that depend on what was said before the message.
func (q *question) aspectsOfContext(u *unit, a *[aspects]float64) {
	fits, told := q.fits(u)
	a[isSaid], a[saidFit] = yes(u.said), yes(u.said && told && fits)
	length := min(q.own(), lengths-2)
	note := func(at int, value float64) {
		a[at+length] = value
		if q.back {
			a[at+lengths-1] = value
		}
	}
	switch u.near {
	case next:
		note(atNext, 1)
	case sameText:
		note(atText, 1)
	case sameSection:
		note(atSection, 1)
	case samePassage:
		note(atPassage, 1)
	}
	if q.around > 0 {
		context := ^q.ownTerms()
		note(inContext, q.weightOf((u.whole|u.part|u.meant)&context)/q.around)
		note(onContext, q.weightOf(u.above&context)/q.around)
	}
}

func yes(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// share returns the weight of a set of terms relative to the question's.
func (q *question) share(set terms) float64 {
	if q.total == 0 {
		return 0
	}
	return q.weightOf(set&q.ownTerms()) / q.total
}

// score returns the score of a unit.
func (q *question) score(rd *reading, u *unit, passageRank float64) float64 {
	s := weighed(sentenceWeights[:], q.aspects(rd, u, passageRank)[:])
	if slices.ContainsFunc(u.tokens, func(t text.Token) bool { return t.Kind == text.URL }) {
		s -= linkMalus
	}
	if q.goesOn && q.person && q.own() == 0 && q.kinds&u.states&day != 0 && u.near >= sameSection {
		s += presence // "Is she in on Wednesdays?"
	}
	return s
}

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
