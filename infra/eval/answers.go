package main

import (
	"fmt"

	"frontdesk/infra/answers"
	"frontdesk/shared/language"
)

// madeUp measures the answers to the questions of businesses that are made up, in twelve languages. With
// misses it lists the questions that got a wrong answer or none.
func madeUp(s *service, folder string, misses bool, said *calibration) error {
	businesses, err := answers.Load(folder)
	if err != nil {
		return err
	}
	if len(businesses) == 0 {
		return fmt.Errorf("no businesses in %q", folder)
	}
	fmt.Println(
		"\n| business | right of questions | of follow-ups | wrong | declined without an answer " +
			"|\n|---|---|---|---|---|")
	var all replies
	for _, b := range businesses {
		r := replies{said: said, misses: misses}
		if err := r.play(s, b); err != nil {
			return err
		}
		fmt.Printf("| %s %s\n", b.Name, r.row())
		all.add(r)
	}
	fmt.Printf("| all %s\n", all.row())
	return nil
}

// replies counts the replies to questions.
type replies struct {
	asked, right         [2]int // questions, and those that go on with one
	wrong                int
	unanswered, declined int
	misses               bool
	said                 *calibration
}

func (r *replies) row() string {
	return fmt.Sprintf("| %.3f of %d | %.3f of %d | %d | %.3f of %d |", ratio(r.right[0], r.asked[0]),
		r.asked[0],
		ratio(r.right[1], r.asked[1]), r.asked[1], r.wrong, ratio(r.declined, r.unanswered), r.unanswered)
}

func (r *replies) add(o replies) {
	for i := range r.asked {
		r.asked[i], r.right[i] = r.asked[i]+o.asked[i], r.right[i]+o.right[i]
	}
	r.wrong, r.unanswered, r.declined = r.wrong+o.wrong, r.unanswered+o.unanswered, r.declined+o.declined
}

// play teaches an agent what a business knows, and asks it. A business in a language that the product does
// not speak has an agent in the default one.
func (r *replies) play(s *service, b answers.Business) error {
	var faqs []map[string]string
	for _, f := range b.FAQs {
		faqs = append(faqs, map[string]string{"question": f.Question, "answer": f.Answer})
	}
	var agent struct{ ID int64 }
	tag := language.Of(b.Language).Tag()
	err := s.post("/agents/", map[string]any{"name": b.Name, "language": tag, "faqs": faqs}, &agent)
	if err != nil {
		return err
	}
	for _, d := range b.Documents {
		if err := s.teach(agent.ID, "text", d.Title, d.Text); err != nil {
			return err
		}
	}
	session := ""
	for _, q := range b.Questions {
		if !q.GoesOn {
			session = ""
		}
		a, err := s.say(agent.ID, session, q.Text)
		if err != nil {
			return err
		}
		session = a.Session
		r.count(b, q, a)
	}
	return nil
}

func (r *replies) count(b answers.Business, q answers.Question, a answer) {
	kind, right := 0, q.Answered(a.Reply)
	if q.GoesOn {
		kind = 1
	}
	if len(q.Wants) == 0 {
		r.unanswered++
		right = a.Action != "respond"
		if right {
			r.declined++
		}
	} else {
		r.asked[kind]++
		if right {
			r.right[kind]++
		}
	}
	if a.Action == "respond" {
		r.said.add(a.Confidence, right)
		if !right {
			r.wrong++
		}
	}
	if r.misses && !right {
		fmt.Printf("%s: %q gets %s %.2f %q, not %q\n", b.Name, q.Text, a.Action, a.Confidence, a.Reply,
			q.Wants)
	}
}
