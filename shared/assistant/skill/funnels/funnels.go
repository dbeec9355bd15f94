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

// A Skill takes up a message that begins one of the agent's funnels, and one that answers the question of the
// funnel that the contact is in or wants out of it. While a question awaits its answer, another question is
// left to other skills, and the funnel's is put again behind what they say.
type Skill struct{}

// Spec implements skill.Skill.
func (Skill) Spec() skill.Spec { return skill.Spec{Name: "funnel", ByRule: true} }

const (
	begun  = 0.98  // how probably a keyword begins a funnel
	awaits = 0.985 // how probably a message to a question that awaits its answer is of the funnel
	// awaited is how long a question of a funnel awaits its answer.
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

// goOn takes the message for the answer to the step at a place, or leaves it to others where it is none.
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

// asked is the place of the step whose question awaits its answer, -1 where none does any more.
func asked(s *skill.State, steps []playbook.FunnelStep) int {
	in := s.Conversation.Frame.Asked.Funnel
	if in.Funnel == 0 || in.Wait != 0 || s.Now.Sub(in.At) > awaited {
		return -1
	}
	place := funnel.Place(steps, in.Step)
	active := slices.ContainsFunc(
		s.Book.Funnels,
		func(f playbook.Funnel) bool { return f.ID == in.Funnel && f.IsActive },
	)
	if !active || place < 0 || steps[place].StepType != playbook.QuestionStep {
		return -1
	}
	return place
}

// begins is the funnel whose keyword the message has, of several the one with the longest; 0 for none. A
// message that is to be an answer has to be the keyword and nothing else.
func begins(s *skill.State, answers bool) int64 {
	var begun int64
	longest := 0
	for _, f := range s.Book.Funnels {
		if f.TriggerKeyword == "" || !funnel.Leads(f, s.Book.Steps[f.ID]) ||
			answers && !s.Is(f.TriggerKeyword) {
			continue
		}
		if _, n := s.Find(f.TriggerKeyword); n > longest {
			begun, longest = f.ID, n
		}
	}
	return begun
}

// leadOn is the outcome that goes on with a funnel at a step. Where nothing is said for the moment the agent
// says thanks.
func leadOn(s *skill.State, id int64, steps []playbook.FunnelStep, place int) *skill.Outcome {
	stretch := funnel.From(steps, place, false)
	action, words := ai.Respond, stretch.Text
	if stretch.HandsOver {
		action = ai.Handoff
		words = cmp.Or(words, builtin.Courtesy(s.Request(), builtin.Human))
	}
	after := s.Conversation
	waits, err := stretch.Enter(s.IDs, s.Account, &after, id, s.Now)
	o := &skill.Outcome{
		Reply:   funnelReply(action, cmp.Or(words, s.Spoken().Thanks)),
		Choices: stretch.Offered(),
		Change:  skill.Change{Booking: &booking.State{}, Funnel: &after.Frame.Asked.Funnel},
		Store: func(*skill.State) ([]table.Write, counter.Change, error) {
			return waits, counter.Change{}, err
		},
	}
	if stretch.HandsOver {
		o.Change.HandOver = conversation.HandoffFunnel
	}
	return o
}

// funnelReply is a reply in the words of a funnel's steps, which are not cut: they are the business's own.
func funnelReply(action, words string) *ai.Reply {
	return &ai.Reply{Text: words, Action: action, Intent: funnel.Intent, Confidence: skill.Sure}
}

// aside is the outcome of a message that is none of the funnel's, though a question awaits its answer: a
// question itself, a shortcut, the wish for a person, or small talk, of which a goodbye ends the funnel. Nil
// where it answers.
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
	// plainWords is how few words may be an answer though a question mark is behind them: "500?"
	plainWords = 3
	// surelyKnown is how sure the agent's knowledge has to be that a message is one of its questions, though
	// it does not look like one.
	surelyKnown = 0.9
)

// asksSomething reports whether the message is a question to the agent. Where its looks do not tell, it is
// one if the agent's knowledge has an answer.
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
