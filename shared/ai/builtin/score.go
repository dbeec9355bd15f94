package builtin

import (
	"math"

	"frontdesk/shared/text"
)

// All figures by which the engine judges stand here. They were set by measuring; a change of one is to be measured too.
const (
	// What a term weighs besides how rare its word is. The words that say what is asked for ("time" in "what time")
	// seldom stand in the answer. What comes from the message before, or from the caller's context, is a hint.
	askFactor     = 0.2
	historyFactor = 0.4
	contextFactor = 0.1
	// followUpTerms is how few words a message may say of its own to go on with the one before it.
	followUpTerms = 3

	// A word that stands nowhere in the knowledge weighs so much as the rarest word that does, times this.
	unknownFactor = 1.0
	// leastWeight keeps a word that stands in almost every passage from weighing nothing.
	leastWeight = 0.05

	// How much a term counts as found, by where it is: 1 in the sentence itself; less for a related or similar word;
	// less in the heading or title, the sentence before or the sentence after; least elsewhere in the passage.
	partCredit   = 0.7
	aboveCredit  = 0.5
	beforeCredit = 0.5
	afterCredit  = 0.5
	farCredit    = 0.3

	// What else speaks for a sentence: words of the question side by side in it, a thing of the kind that is asked for,
	// and the rank of its passage. And against it: length beyond what one expects.
	pairBonus    = 0.15
	kindBonus    = 0.2
	rankBonus    = 0.1
	lengthMalus  = 0.13
	usualLength  = 25 // words
	pairReach    = 3  // words
	headingMalus = 0.3

	// leastSimilarity is how like two words must be for one to stand for the other.
	leastSimilarity = 0.72

	// The likeness of a message and an FAQ's phrasing: how much of each stands in the other, and how like they are
	// letter by letter, which sees through typing errors and words that were joined.
	likeWords   = 0.6
	likeLetters = 0.4
	// In that likeness a stop word weighs so much of the message's average word, and a word of the phrasing that the
	// message does not have so much.
	stopFactor    = 0.1
	strangeFactor = 0.5

	// nearlyAsGood is the share of the best sentence's score that another one must have to be said as well.
	nearlyAsGood = 0.6
	// enough is the share of the question that a sentence must have to be said alone.
	enough = 0.75
	// besideBonus is what a sentence is worth more for standing beside one that is said.
	besideBonus = 0.1
	// maxItems is how long a list may be to be told whole.
	maxItems = 12

	// certain is the confidence in small talk and in the wish for a person, which are told by their words.
	certain = 0.95
	// threshold is the confidence from which on the engine answers.
	threshold = 0.5
)

// inverseFrequency tells how much a word says that stands in found of n passages.
func inverseFrequency(found, n int) float64 {
	return math.Log(1 + (float64(n-found)+0.5)/(float64(found)+0.5))
}

// coverage is how much of the question is found in and around a unit, 0 to 1.
func (q *question) coverage(u *unit) float64 {
	if q.total == 0 {
		return 0
	}
	sum := 0.0
	for i, t := range q.terms {
		sum += t.weight * u.credit(i)
	}
	return sum / q.total
}

// credit is how much term i of the question counts as found.
func (u *unit) credit(i int) float64 {
	bit := terms(1) << i
	switch {
	case u.whole&bit != 0:
		return 1
	case u.part&bit != 0:
		return partCredit
	case u.above&bit != 0:
		return aboveCredit
	case u.before&bit != 0:
		return beforeCredit
	case u.after&bit != 0:
		return afterCredit
	case u.far&bit != 0:
		return farCredit
	}
	return 0
}

// fits reports whether the unit has a thing of the kind that the question asks for; asked is false when it asks for none
// that can be told.
func (q *question) fits(u *unit) (fits, asked bool) {
	switch q.kind {
	case askWho:
		return u.has&hasName != 0, true
	case askWhen:
		return u.has&(hasTime|hasNumber) != 0, true
	case askHowMany:
		return u.has&(hasNumber|hasPrice|hasTime) != 0, true
	case askPrice:
		return u.has&hasPrice != 0, true
	}
	return false, false
}

// score ranks a unit among all units.
func (q *question) score(u *unit, rank float64) float64 {
	s := q.coverage(u) + pairBonus*u.pairs + rankBonus*rank
	if fits, asked := q.fits(u); asked && fits {
		s += kindBonus
	}
	s -= lengthMalus * max(0, math.Log(float64(len(u.tokens)+1)/usualLength))
	if u.kind == text.Heading {
		s -= headingMalus
	}
	return s
}

// like tells how like a phrasing of an FAQ's question is to the message, 0 to 1.
func (q *question) like(phrasing []text.Token, hits map[string]hit, own letters) float64 {
	mean := leastWeight
	if len(q.terms) > 0 {
		mean = q.total / float64(len(q.terms))
	}
	var whole, part terms
	sum, stops := 0.0, map[string]bool{}
	for _, t := range phrasing {
		if t.Stop {
			stops[t.Stem] = true
			sum += mean * stopFactor
			continue
		}
		h := hits[t.Stem]
		whole |= h.whole
		part |= h.part
		if h.whole|h.part == 0 {
			sum += mean * strangeFactor
		}
	}
	found := q.weightOf(whole) + partCredit*q.weightOf(part&^whole)
	sum += q.weightOf(whole|part) + q.total
	found *= 2
	for _, t := range q.tokens {
		if t.Stop {
			sum += mean * stopFactor
			if stops[t.Stem] {
				found += 2 * mean * stopFactor
			}
		}
	}
	if sum == 0 {
		return 0
	}
	return likeWords*min(1, found/sum) + likeLetters*own.like(lettersOf(phrasing))
}

// confidence is how likely an answer of the unit is right, by a logistic regression over questions of which one in six
// is about something that the knowledge does not have. Of what was tried only this told the two kinds apart: how much
// of the question is covered by the sentence and by its passage, and how many words that is.
func (q *question) confidence(u *unit) float64 {
	if q.total == 0 {
		return 0
	}
	return logistic(-5.75 + 9.7*q.coverage(u) + 0.8*q.weightOf(u.whole|u.part|u.far)/q.total + 0.35*float64(min(len(q.terms), 12)))
}

// likeConfidence is the confidence in the answer of an FAQ whose question is so like the message.
func likeConfidence(like float64) float64 { return logistic(-3.5 + 8*like) }

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
