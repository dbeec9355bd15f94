package builtin

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"

	"frontdesk/shared/ai"
	"frontdesk/shared/ai/faq"
	"frontdesk/shared/text"
)

// maxExamples is how many phrasings are learnt from while a message waits, which takes some 20 ms. The
// nearest to the message are taken: what is far from it changes little (Bottou and Vapnik, "Local learning
// algorithms", 1992).
const maxExamples = 400

// asksFAQ finds the FAQ whose question the message asks, and how likely that is; nil when it is none. The
// trained model tells where it knows all the questions in hand, or else one that is made of these alone. An
// FAQ without a telling word of the message is none: they are alike in no more than how questions are put.
func asksFAQ(q *question, r ai.Request) (found *ai.Passage, confidence float64) {
	at := map[uint64]*ai.Passage{}
	var questions []faq.Question
	model := r.FAQ
	for _, passages := range [][]ai.Passage{r.Passages, r.Neighbours} {
		for i := range passages {
			p := &passages[i]
			if len(p.Questions) == 0 || p.Text == "" {
				continue
			}
			id := faq.ID(p.Questions)
			if at[id] != nil {
				continue
			}
			at[id] = p
			questions = append(questions, faq.Question{ID: id, Examples: p.Questions})
			if model != nil && !model.Knows(id) {
				model = nil
			}
		}
	}
	if len(questions) == 0 {
		return nil, 0
	}
	if model == nil {
		model = q.lexicon.fit(q.nearest(questions))
	}
	for i, message := range q.wordings() {
		p, sure := q.best(model.Match(message), at, i > 0)
		if sure > confidence {
			found, confidence = p, sure
		}
		if confidence >= threshold {
			break
		}
	}
	return found, confidence
}

// best is the FAQ that a message most probably asks by what the model says of its questions. Together tells
// that the message was looked up with the one before it.
func (q *question) best(matches []faq.Match, at map[uint64]*ai.Passage,
	together bool) (found *ai.Passage, sure float64) {
	for _, m := range matches {
		p := at[m.ID]
		if p == nil || together && q.about() == 0 && strings.Contains(q.heard, p.Text) {
			// of an FAQ that is gone, or far from the message, or that was the answer to the one before
			continue
		}
		if m.Confidence <= sure || m.Confidence < leastCompared {
			break
		}
		if c := m.Confidence * q.covered(p) * q.answered(p); c > sure && q.shares(p, together) {
			found, sure = p, c
		}
	}
	return found, sure
}

// shares reports whether an FAQ has a telling word of the question. Together with the message before it, it
// must have one that the message says itself, "And what does the valuation cost?" is not what was asked
// before, unless that is but a time: "And on Monday?"
func (q *question) shares(p *ai.Passage, together bool) bool {
	if len(q.terms) == 0 {
		return true
	}
	found := q.termsOf(p)
	if about := q.about(); together && about != 0 && !(q.time && bits.OnesCount64(uint64(about)) == 1) {
		found &= about
	}
	return found != 0
}

// leastCompared is what a question has of the model's confidence at least to be compared with the best.
const leastCompared = 0.25

// answered is what an FAQ keeps of its confidence by whether its answer has the time that a message asks for,
// and its question something of what the message is about: what its answer alone has stands there by chance.
func (q *question) answered(p *ai.Passage) float64 {
	factor := 1.0
	if q.kind == askWhen && !q.day {
		if q.lexicon.sense(p.Text).kinds&(anyTime|duration|count) == 0 {
			factor = unfitting
		}
	}
	if about := q.about(); about != 0 && q.termsOf(&ai.Passage{Questions: p.Questions})&about == 0 {
		factor *= unasked
	}
	return factor
}

// What is left of the confidence in an answer that has no time where one is asked for, and of an FAQ whose
// question has nothing of what the message is about.
const (
	unfitting = 0.7
	unasked   = 0.75
)

// covered is what an FAQ keeps of its confidence, by how much of what the message is about it has in its
// phrasings or its answer. From several phrasings the classifier has learnt which words matter, from one it
// has not: "Can I pay in cash?" is like "Can I pay in instalments?" but for the words that matter. Such an
// FAQ keeps less, by how much of the message and of its question the other does not have.
func (q *question) covered(p *ai.Passage) float64 {
	about := q.about()
	if about == 0 {
		return 1
	}
	share := float64(bits.OnesCount64(uint64(q.termsOf(p)&about))) / float64(bits.OnesCount64(uint64(about)))
	factor := min(1, leastCovered+(1-leastCovered)*share/fullyCovered)
	if len(p.Questions) == 1 {
		unmet := min(q.shareOf(about&^q.namedBy(p), about), q.leftOut(p.Questions[0]))
		factor = min(factor, 1-unmetCost*unmet)
	}
	return factor
}

// What an FAQ keeps of its confidence that has nothing of what the message is about, and the share of it that
// it must have to keep all; and what one with a single phrasing loses if neither has anything of the other.
const (
	leastCovered = 0.75
	fullyCovered = 0.5
	unmetCost    = 0.5
)

// leftOut is the share of the significant words of an FAQ's question that the message does not have.
func (q *question) leftOut(asked string) float64 {
	all, lacking := 0.0, 0.0
	for _, t := range q.lexicon.tokens(asked) {
		if t.Stop || q.lexicon.light[t.Stem] {
			continue
		}
		all++
		if !slices.ContainsFunc(q.terms, func(own term) bool { return own.own && q.means(own, t) }) {
			lacking++
		}
	}
	return lacking / max(1, all)
}

// termsOf is the terms of the question that an FAQ has in its phrasings or its answer, itself or in another
// form.
func (q *question) termsOf(p *ai.Passage) terms {
	return q.termsIn(p, func(own term, t text.Token) bool {
		return q.means(own, t) || slices.Contains(q.lexicon.related[own.stem], t.Stem)
	})
}

// namedBy is the terms of the question that an FAQ has by what they mean. Unlike for [question.termsOf],
// "cash" is not there with "pay".
func (q *question) namedBy(p *ai.Passage) terms { return q.termsIn(p, q.means) }

// termsIn is the terms of the question that a word of an FAQ's phrasings or its answer has.
func (q *question) termsIn(p *ai.Passage, has func(term, text.Token) bool) (found terms) {
	for _, said := range append(p.Questions[:len(p.Questions):len(p.Questions)], p.Text) {
		for _, t := range q.lexicon.tokens(said) {
			for i, own := range q.terms {
				if !t.Stop && has(own, t) {
					found |= 1 << i
				}
			}
		}
	}
	return found
}

// means reports whether a word of the agent's means a term: it is the same word in any form or spelling, or
// has a concept of it. Of a term without a concept, related words mean it too.
func (q *question) means(own term, t text.Token) bool {
	return own.stem == t.Stem || beginsAlike(own.stem, t.Stem) ||
		similarity(own.stem, t.Stem) > leastSimilarity ||
		len(own.concepts) == 0 && slices.Contains(q.lexicon.related[own.stem], t.Stem) ||
		own.sharesConcept(q.language, t.Stem)
}

// nearest leaves each question the phrasings that share most with the message, so that there are no more than
// maxExamples of all.
func (q *question) nearest(questions []faq.Question) []faq.Question {
	total := 0
	for _, question := range questions {
		total += len(question.Examples)
	}
	if total <= maxExamples {
		return questions
	}
	questions = questions[:min(len(questions), maxExamples)]
	room := maxExamples / len(questions)
	own := newShape(q.tokens)
	for i, question := range questions {
		if len(question.Examples) <= room {
			continue
		}
		type example struct {
			text  string
			alike float64
		}
		examples := make([]example, len(question.Examples))
		for j, said := range question.Examples {
			words, _, letters := own.in(newShape(q.lexicon.tokens(said)))
			examples[j] = example{said, words + letters}
		}
		slices.SortStableFunc(examples, func(a, b example) int { return cmp.Compare(b.alike, a.alike) })
		questions[i].Examples = nil
		for _, e := range examples[:room] {
			questions[i].Examples = append(questions[i].Examples, e.text)
		}
	}
	return questions
}

// wordings are what the message may mean: what it says without small talk, and where it goes on with the one
// before it, both together.
func (q *question) wordings() []string {
	said := q.said
	if q.before == "" {
		return []string{said}
	}
	return []string{said, strings.TrimSpace(q.before + " " + said)}
}
