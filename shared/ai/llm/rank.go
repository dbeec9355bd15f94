package llm

import (
	"cmp"
	"slices"

	"frontdesk/shared/ai"
	"frontdesk/shared/text"
)

// rank sorts passages by the significance of the words that they share with the message.
func rank(passages []ai.Passage, r ai.Request) {
	asked := map[string]bool{}
	for _, token := range text.Tokens(r.Language, r.Message) {
		if !token.Stop {
			asked[token.Stem] = true
		}
	}
	weigh := func(passage ai.Passage) float64 {
		sum, seen := 0.0, map[string]bool{}
		for _, s := range append([]string{passage.Title, passage.Text}, passage.Questions...) {
			for _, token := range text.Tokens(r.Language, s) {
				if asked[token.Stem] && !seen[token.Stem] {
					seen[token.Stem] = true
					sum += 1 + r.Weights[token.Stem]
				}
			}
		}
		return sum
	}
	type weighed struct {
		ai.Passage
		weight float64
	}
	all := make([]weighed, len(passages))
	for i, passage := range passages {
		all[i] = weighed{passage, weigh(passage)}
	}
	slices.SortStableFunc(all, func(a, b weighed) int { return cmp.Compare(b.weight, a.weight) })
	for i := range all {
		passages[i] = all[i].Passage
	}
}
