package main

import (
	"fmt"

	"frontdesk/infra/answers"
	"frontdesk/shared/ai"
)

// A result counts replies: those to questions that have an answer, to those that go on with another, and to
// those that have none.
type result struct{ asked, right, guessed, wrong, declined int }

// results counts the engine's replies to the questions of all businesses.
type results struct {
	kinds             [3]result
	trust             [10]struct{ n, right int } // by confidence
	answerable, found int                        // that have an answer, and whose passages hold it
	length            int                        // of all replies together, in characters
}

// note counts the reply to a question.
func (r *results) note(q answers.Question, reply ai.Reply) {
	kind := 0
	switch {
	case len(q.Wants) == 0:
		kind = 2
	case q.GoesOn:
		kind = 1
	}
	of := &r.kinds[kind]
	of.asked++
	said := reply
	if reply.Action == ai.Fallback && reply.Guess != nil {
		said = *reply.Guess
	}
	if said.Action != ai.Respond {
		of.declined++
		return
	}
	right := q.Answered(said.Text)
	at := &r.trust[min(9, int(10*said.Confidence))]
	at.n++
	r.length += len([]rune(said.Text))
	if right {
		of.right++
		at.right++
		if said.Confidence < 0.5 {
			of.guessed++
		}
		return
	}
	of.wrong++
}

// print prints what was counted.
func (r *results) print() {
	replies, wrong := 0, 0
	for i, name := range []string{"questions", "follow-ups", "unanswerable"} {
		of := r.kinds[i]
		n := float64(max(1, of.asked))
		fmt.Printf("%-12s %4d: right %.3f (%.3f as a guess), wrong %.3f, declined %.3f\n", name, of.asked,
			float64(of.right)/n, float64(of.guessed)/n, float64(of.wrong)/n, float64(of.declined)/n)
		replies, wrong = replies+of.right+of.wrong, wrong+of.wrong
	}
	fmt.Printf("of %d that have an answer the passages hold it for %d\n", r.answerable, r.found)
	fmt.Printf("wrong of replies %.3f, characters a reply %d\nright by confidence:",
		float64(wrong)/float64(max(1, replies)), r.length/max(1, replies))
	for _, t := range r.trust {
		fmt.Printf(" %d/%d", t.right, t.n)
	}
	fmt.Println()
}
