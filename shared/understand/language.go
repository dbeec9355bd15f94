package understand

import (
	"math"

	"frontdesk/shared/language"
	"frontdesk/shared/understand/classify"
)

// OtherLanguage is the class of messages in a language that the product does not support.
const OtherLanguage = "und"

// prior is the ratio of the prior probabilities of an expected language and the next one.
const prior = 12

// enough is the minimum share of a message's features that must be known to detect its language.
const enough = 0.12

// leastSure is the minimum probability to accept another language than the expected one. Messages that
// really are in another language rarely score lower; names, addresses and unsupported languages do.
const leastSure = 0.9

// Language detects the language of a message and returns its BCP 47 primary tag. The expected languages are
// those of the author's earlier messages and of the reader, the most probable first: each is 12 times as
// probable as the next one, and the last as any other. The first is returned if the message does not tell,
// such as "ok" or a name, or is in an unsupported language.
func Language(message string, expected ...string) string {
	best, p := Languages(message, expected...)
	if p < leastSure {
		return language.Primary(expected[0])
	}
	return best
}

// Knows reports whether a message is in one of the product's languages, or may be. Of a message that it
// denies, not much can be read.
func Knows(message string, expected ...string) bool {
	_, p := Languages(message, expected...)
	return p > 0
}

// Languages returns the most probable language of a message and its probability, 0 if the message does not
// tell.
func Languages(message string, expected ...string) (tag string, p float64) {
	m := languagesModel()
	features := classify.Letters(cut(message))
	scores, known := m.Scores(features)
	if known < enough || len(features) == 0 {
		return language.Primary(expected[0]), 0
	}
	sum, best := 0.0, 0
	for i, s := range scores {
		scores[i] = 1.7 * s
		for n, tag := range expected {
			if m.Classes[i] == language.Primary(tag) {
				scores[i] += float32(math.Log(prior)) * float32(len(expected)-n)
				break
			}
		}
		if scores[i] > scores[best] {
			best = i
		}
	}
	for _, s := range scores {
		sum += math.Exp(float64(s - scores[best]))
	}
	if m.Classes[best] == OtherLanguage {
		return language.Primary(expected[0]), 0
	}
	return m.Classes[best], 1 / sum
}
