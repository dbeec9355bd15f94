package main

import (
	"slices"
	"testing"

	"frontdesk/infra/answers"
	"frontdesk/shared/concept"
	"frontdesk/shared/language"
	"frontdesk/shared/text"
)

// TestFewConceptsAWord holds that concepts stay narrow: of the words that businesses write, few stand for
// more than two concepts.
func TestFewConceptsAWord(t *testing.T) {
	const mostInThousand = 6
	businesses, err := answers.Load("../answers/businesses")
	if err != nil {
		t.Fatal(err)
	}
	words, named, many := 0, 0, 0
	for _, b := range businesses {
		if !slices.Contains(language.Tags(), b.Language) {
			continue
		}
		for _, d := range b.Documents {
			tokens := text.Tokens(b.Language, d.Text)
			at := make([]int, len(tokens))
			for _, f := range concept.In(b.Language, tokens) {
				for i := f.From; i < f.To; i++ {
					at[i]++
				}
			}
			for _, n := range at {
				words++
				if n > 0 {
					named++
				}
				if n > 2 {
					many++
				}
			}
		}
	}
	t.Logf("of %d words %d stand for a concept, %d for more than two", words, named, many)
	if many*1000 > words*mostInThousand {
		t.Errorf("%d of %d words stand for more than two concepts", many, words)
	}
}
