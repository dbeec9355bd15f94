// Package funnels leads contacts through the steps of the business's funnels.
package funnels

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"
	"unicode"

	"frontdesk/shared/ai"
	"frontdesk/shared/ai/builtin"
	"frontdesk/shared/assistant/skill"
	"frontdesk/shared/booking"
	"frontdesk/shared/conversation"
	"frontdesk/shared/counter"
	"frontdesk/shared/funnel"
	"frontdesk/shared/playbook"
	"frontdesk/shared/table"
)

// A Skill handles messages that start one of the agent's funnels, answer the question of the contact's
// funnel, or leave it. While a question is open, other questions are left to other skills, and the funnel's
// question is repeated after their reply.
type Skill struct{}

// Spec implements skill.Skill.
func (Skill) Spec() skill.Spec { return skill.Spec{Name: "funnel", ByRule: true} }

const (
	begun  = 0.98  // probability of a keyword that starts a funnel
	awaits = 0.985 // probability of a message while a question of the funnel is open
	// awaited is how long the question of a funnel stays open.
	awaited = 24 * time.Hour
)

// Explain implements skill.Skill.
func (Skill) Explain(_ context.Context, s *skill.State) (skill.Claim, error) {
	in := s.Conversation.Frame.Asked.Funnel
	place := asked(s, s.Book.Steps[in.Funnel])
	if (place >= 0 || in.Wait != 0) && s.Is(s.Phrasing().Cancel) {
		o := &skill.Outcome{Reply: s.Reply(ai.Respond, funnel.Intent, s.Spoken().AllRight)}
		o.Change.LeaveFunnel()
		return skill.Claims(awaits, o), nil
	}
	id := begins(s, place >= 0)
	claim := skill.Claim{P: begun, Act: func(context.Context, *skill.State) (*skill.Outcome, error) {
		return leadOn(s, id, s.Book.Steps[id], 0), nil
	}}
	switch {
	case place < 0 && id == 0:
		return skill.Claim{}, nil
	case id == 0:
		claim.Act = func(ctx context.Context, s *skill.State) (*skill.Outcome, error) {
			return goOn(ctx, s, place)
		}
	}
	if place >= 0 {
		claim.P = awaits
	}
	return claim, nil
}

// goOn takes the message as the answer to a step, or leaves it to other skills if it is none.
func goOn(ctx context.Context, s *skill.State, place int) (*skill.Outcome, error) {
	in := s.Conversation.Frame.Asked.Funnel
	steps := s.Book.Steps[in.Funnel]
	step := steps[place]
	if aside, err := aside(ctx, s, step); aside != nil || err != nil {
		return aside, err
	}
	if !fits(s, step) && !s.Refuses() && !in.Again {
		in.Again, in.At = true, s.Now
		return &skill.Outcome{
			Reply: funnelReply(ai.Respond, step.Content), Choices: funnel.Choices(step),
			Change: skill.Change{Funnel: &in},
		}, nil
	}
	o := leadOn(s, in.Funnel, steps, place+1)
	keep(s, step, &o.Change)
	return o, nil
}

// asked returns the index of the step whose question is open, or -1.
func asked(s *skill.State, steps []playbook.FunnelStep) int {
	in := s.Conversation.Frame.Asked.Funnel
	if in.Funnel == 0 || in.Wait != 0 || s.Now.Sub(in.At) > awaited {
		return -1
	}
	place := funnel.StepIndex(steps, in.Step)
	active := slices.ContainsFunc(
		s.Book.Funnels,
		func(f playbook.Funnel) bool { return f.ID == in.Funnel && f.IsActive },
	)
	if !active || place < 0 || steps[place].StepType != playbook.QuestionStep {
		return -1
	}
	return place
}

// begins returns the id of the funnel whose keyword the message has, the longest keyword if there are
// several; 0 for none. While a question is open, the message must be the keyword and nothing else.
func begins(s *skill.State, answers bool) int64 {
	var begun int64
	longest := 0
	for _, f := range s.Book.Funnels {
		if f.TriggerKeyword == "" || !funnel.CanStart(f, s.Book.Steps[f.ID]) ||
			answers && !s.Is(f.TriggerKeyword) {
			continue
		}
		if _, n := s.Find(f.TriggerKeyword); n > longest {
			begun, longest = f.ID, n
		}
	}
	return begun
}

// leadOn returns the outcome that continues a funnel at a step. If the steps have no text, the agent says
// thanks.
func leadOn(s *skill.State, id int64, steps []playbook.FunnelStep, place int) *skill.Outcome {
	segment := funnel.From(steps, place, false)
	action, words := ai.Respond, segment.Text
	if segment.HandsOver {
		action = ai.Handoff
		words = cmp.Or(words, builtin.Courtesy(s.Request(), builtin.Human))
	}
	after := s.Conversation
	waits, err := segment.Enter(s.IDs, s.Account, &after, id, s.Now)
	o := &skill.Outcome{
		Reply:   funnelReply(action, cmp.Or(words, s.Spoken().Thanks)),
		Choices: segment.Offered(),
		Change:  skill.Change{Booking: &booking.State{}, Funnel: &after.Frame.Asked.Funnel},
		Store: func(*skill.State) ([]table.Write, counter.Change, error) {
			return waits, counter.Change{}, err
		},
	}
	if segment.HandsOver {
		o.Change.HandOver = conversation.HandoffFunnel
	}
	return o
}

// funnelReply returns a reply with the text of a funnel's steps, which is not cut since it is the
// business's own.
func funnelReply(action, words string) *ai.Reply {
	return &ai.Reply{Text: words, Action: action, Intent: funnel.Intent, Confidence: skill.Sure}
}

// aside returns the outcome of a message that does not answer the open question: another question, a
// shortcut, a request for a person, or small talk, of which a goodbye ends the funnel. It returns nil if
// the message answers.
func aside(ctx context.Context, s *skill.State, step playbook.FunnelStep) (*skill.Outcome, error) {
	o := &skill.Outcome{Pending: step.Content}
	_, shortcut := s.Shortcut()
	switch {
	case s.Reading.SmallTalk == builtin.Goodbye:
		o.Pending = ""
		o.Change.LeaveFunnel()
		return o, nil
	case s.Reading.SmallTalk != "", s.Reading.Human, shortcut:
		return o, nil
	case answersContact(s, step):
		return nil, nil
	}
	if asks, err := asksSomething(ctx, s); !asks || err != nil {
		return nil, err
	}
	return o, nil
}

const (
	// plainWords is the maximum number of words of an answer with a question mark: "500?"
	plainWords = 3
	// surelyKnown is the minimum confidence of the knowledge's answer for a message that does not look like
	// a question to be one.
	surelyKnown = 0.9
)

// asksSomething reports whether the message asks the agent something. If its form does not tell, it does if
// the agent's knowledge has an answer.
func asksSomething(ctx context.Context, s *skill.State) (bool, error) {
	words := len(s.Reading.Tokens)
	bare := strings.TrimRightFunc(
		s.Text,
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) },
	)
	byWords, byMark := s.Engine.Read(s.Language(), bare).Asks, strings.ContainsAny(s.Text, "?？؟")
	if byMark && (byWords || words > plainWords || words == 0) {
		return true, nil
	}
	if !byMark && !byWords && words < plainWords {
		return false, nil
	}
	reply, err := s.Known(ctx)
	if err != nil {
		return false, err
	}
	return reply.Action == ai.Respond && (byMark || byWords || reply.Confidence >= surelyKnown), nil
}
