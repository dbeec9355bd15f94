package assistant

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"frontdesk/shared/ai"
	"frontdesk/shared/ai/builtin"
	"frontdesk/shared/conversation"
	"frontdesk/shared/counter"
	"frontdesk/shared/funnel"
	"frontdesk/shared/message"
	"frontdesk/shared/playbook"
	"frontdesk/shared/table"
)

// awaited is how long a question of a funnel awaits its answer.
const awaited = 24 * time.Hour

// funnel takes up a message that begins one of the agent's funnels, and one that answers the question of the funnel that
// the contact is in or wants out of it. While a question awaits its answer, another question is left to those who know, and
// the funnel's is put again behind what they say.
func (s *state) funnel(ctx context.Context) (*decision, error) {
	in := s.conversation.Funnel
	steps := s.book.Steps[in.Funnel]
	place := s.asked(steps)
	if in.Wait == 0 && place < 0 {
		in, s.conversation.Funnel = conversation.InFunnel{}, conversation.InFunnel{}
	}
	if in != (conversation.InFunnel{}) && s.is(s.phrasing().Cancel) {
		return &decision{
			reply: s.reply(ai.Respond, funnel.Intent, s.wording().AllRight),
			then:  (*state).leaveFunnel,
		}, nil
	}
	if begun := s.begins(place >= 0); begun != 0 {
		return s.leadOn(begun, s.book.Steps[begun], 0), nil
	}
	if place < 0 {
		return nil, nil
	}
	step := steps[place]
	if aside, err := s.aside(ctx, step); aside || err != nil {
		return nil, err
	}
	if !s.fits(step) && !s.refuses() && !in.Again {
		in.Again, in.At = true, s.now
		return &decision{
			reply: s.funnelReply(ai.Respond, step.Content),
			then:  func(s *state) { s.conversation.Funnel = in },
		}, nil
	}
	s.keepAnswer(step)
	return s.leadOn(in.Funnel, steps, place+1), nil
}

// asked is the place of the step whose question awaits its answer, -1 where none does any more.
func (s *state) asked(steps []playbook.FunnelStep) int {
	in := s.conversation.Funnel
	if in.Funnel == 0 || in.Wait != 0 || s.now.Sub(in.At) > awaited {
		return -1
	}
	place := funnel.Place(steps, in.Step)
	active := slices.ContainsFunc(s.book.Funnels, func(f playbook.Funnel) bool { return f.ID == in.Funnel && f.IsActive })
	if !active || place < 0 || steps[place].StepType != playbook.QuestionStep {
		return -1
	}
	return place
}

func (s *state) leaveFunnel() { s.conversation.Funnel = conversation.InFunnel{} }

// begins is the funnel whose keyword the message has, of several the one with the longest; 0 for none. A message that is
// to be an answer has to be the keyword and nothing else.
func (s *state) begins(answers bool) int64 {
	var begun int64
	longest := 0
	for _, f := range s.book.Funnels {
		if f.TriggerKeyword == "" || !funnel.Leads(f, s.book.Steps[f.ID]) || answers && !s.is(f.TriggerKeyword) {
			continue
		}
		if _, n := s.find(f.TriggerKeyword); n > longest {
			begun, longest = f.ID, n
		}
	}
	return begun
}

// leadOn is the decision to go on with a funnel at a step. Where nothing is said for the moment the agent says thanks.
func (s *state) leadOn(id int64, steps []playbook.FunnelStep, place int) *decision {
	stretch := funnel.From(steps, place, false)
	action, words := ai.Respond, stretch.Text
	if stretch.HandsOver {
		action = ai.Handoff
		words = cmp.Or(words, builtin.Courtesy(s.request(), builtin.Human))
	}
	var waits []table.Write
	var failed error
	return &decision{
		reply: s.funnelReply(action, cmp.Or(words, s.wording().Thanks)),
		then: func(s *state) {
			s.conversation.Booking = ""
			waits, failed = stretch.Enter(s.IDs, s.message.AccountID, &s.conversation, id, s.now)
		},
		store: func() ([]table.Write, counter.Change, error) { return waits, counter.Change{}, failed },
	}
}

// funnelReply is a reply in the words of a funnel's steps, which are not cut: they are the business's own.
func (s *state) funnelReply(action, words string) *ai.Reply {
	return &ai.Reply{Text: words, Action: action, Intent: funnel.Intent, Confidence: certain}
}

// aside reports whether the message is none of the funnel's, though a question awaits its answer: a question itself, a
// shortcut, the wish for a person, or small talk, of which a goodbye ends the funnel.
func (s *state) aside(ctx context.Context, step playbook.FunnelStep) (bool, error) {
	switch {
	case s.reading.SmallTalk == builtin.Goodbye:
		s.leaveFunnel()
		return true, nil
	case s.reading.SmallTalk != "", s.reading.Human:
		s.pending = step.Content
		return true, nil
	}
	if shortcut, err := s.quickAnswer(ctx); shortcut != nil || err != nil {
		s.pending = step.Content
		return true, err
	}
	if s.answersContact(step) {
		return false, nil
	}
	asks, err := s.asksSomething(ctx)
	if asks {
		s.pending = step.Content
	}
	return asks, err
}

const (
	// plainWords is how few words may be an answer though a question mark is behind them: "500?"
	plainWords = 3
	// surelyKnown is how sure the agent's knowledge has to be that a message is one of its questions, though it does not look
	// like one.
	surelyKnown = 0.9
)

// asksSomething reports whether the message is a question to the agent. Where its looks do not tell, it is one if the
// agent's knowledge has an answer.
func (s *state) asksSomething(ctx context.Context) (bool, error) {
	words := len(s.reading.Tokens)
	bare := strings.TrimRightFunc(s.message.Text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	byWords, byMark := s.engine.Read(s.language(), bare).Asks, strings.ContainsAny(s.message.Text, "?？؟")
	if byMark && (byWords || words > plainWords || words == 0) {
		return true, nil
	}
	if !byMark && !byWords && words < plainWords {
		return false, nil
	}
	reply, err := s.engine.Reply(ctx, s.request())
	if err != nil {
		return false, modelFailed(err)
	}
	return reply.Action == ai.Respond && (byMark || byWords || reply.Confidence >= surelyKnown), nil
}

// askAgain puts the question of the funnel again behind a reply to something else.
func (s *state) askAgain(reply *ai.Reply) {
	both := reply.Text + "\n\n" + s.pending
	if utf8.RuneCountInString(both) > message.MaxText {
		return
	}
	reply.Text = both
	s.conversation.Asked, s.conversation.Funnel.At = "", s.now
}
