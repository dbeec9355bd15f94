package understand

import (
	"math"

	"frontdesk/shared/language"
	"frontdesk/shared/understand/classify"
)

// prior is how many times more probable the expected language is than any other one, before the message was
// read.
const prior = 12

// enough is the share of a message that must be like a language's spelling for the message to tell its
// language.
const enough = 0.12

// leastSure is the probability from which on a message is written in another language than the expected one.
// Where it really is, it is hardly ever less; names, addresses and languages that are not learnt are.
const leastSure = 0.9

// Language returns the BCP 47 primary tag of the language of the product that a message is written in. The
// expected one is returned where the message does not tell, as "ok" or a name does not.
func Language(expected, message string) string {
	expected = language.Primary(expected)
	best, p := Languages(expected, message)
	if p < leastSure {
		return expected
	}
	return best
}

// Languages returns the most probable language of a message with its probability, 0 where the message does
// not tell.
func Languages(expected, message string) (tag string, p float64) {
	m := languagesModel()
	features := classify.Letters(cut(message))
	scores, known := m.Scores(features)
	if known < enough || len(features) == 0 {
		return expected, 0
	}
	sum, best := 0.0, 0
	for i, s := range scores {
		scores[i] = 1.7 * s
		if m.Classes[i] == expected {
			scores[i] += float32(math.Log(prior))
		}
		if scores[i] > scores[best] {
			best = i
		}
	}
	for _, s := range scores {
		sum += math.Exp(float64(s - scores[best]))
	}
	return m.Classes[best], 1 / sum
}
