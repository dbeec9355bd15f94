// Package funnel is how agents lead contacts through the steps of funnels: what comes next, for the chat,
// where an answer takes a contact on, and for the worker behind the queue, where the end of a wait does.
//
// Where a contact is lies in the conversation (frame.InFunnel), and the step itself is read anew each time.
// So a funnel goes on as it is at that moment, and ends for those who are at a step that is no more.
package funnel

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"frontdesk/shared/conversation"
	"frontdesk/shared/event"
	"frontdesk/shared/frame"
	"frontdesk/shared/id"
	"frontdesk/shared/message"
	"frontdesk/shared/playbook"
	"frontdesk/shared/table"
)

// Intent is that of what an agent says in a funnel.
const Intent = "funnel"

// between stands between the contents of steps that come in one message.
const between = "\n\n"

// A Stretch is what comes of a funnel without anybody else's doing.
type Stretch struct {
	// Text is what the agent says: the contents of messages that follow one another without a wait, up to a
	// question with which they end. It may be empty.
	Text string
	// Step is where the stretch ends: a question that awaits its answer or, with Waits, the step that comes
	// after Wait. It is nil at the end of the funnel.
	Step  *playbook.FunnelStep
	Waits bool
	Wait  time.Duration
	// HandsOver tells that the funnel ends with a person who takes over.
	HandsOver bool
	// Reached are the ids of the steps that the contact comes to: those whose contents are said, and waits.
	Reached []int64
}

// From goes on with the step at a place, which is one behind the last at the end. With waited the wait
// before this step is over. What the agent has to say and does not fit in one message comes in the next,
// after no wait.
func From(steps []playbook.FunnelStep, place int, waited bool) Stretch {
	var s Stretch
	for ; place < len(steps); place++ {
		step := &steps[place]
		if step.DelaySeconds > 0 && !waited {
			if !says(steps[place:]) {
				return s
			}
			s.Step, s.Waits, s.Wait = step, true, time.Duration(step.DelaySeconds)*time.Second
			return s
		}
		waited = false
		if !saying(*step) {
			s.Reached = append(s.Reached, step.ID)
			continue
		}
		text := join(s.Text, step.Content)
		if utf8.RuneCountInString(text) > message.MaxText {
			s.Step, s.Waits = step, true
			return s
		}
		s.Text, s.Reached = text, append(s.Reached, step.ID)
		switch step.StepType {
		case playbook.QuestionStep:
			s.Step = step
			return s
		case playbook.HandoffStep:
			s.HandsOver = true
			return s
		}
	}
	return s
}

// Choices are the answers that a question offers: the numbered lines with which its content ends, from 1
// on, two of them at least. It is nil for a question that is answered freely.
func Choices(question playbook.FunnelStep) []conversation.Choice {
	var labels []string
	for line := range strings.SplitSeq(strings.TrimSpace(question.Content), "\n") {
		if label, ok := numbered(line, len(labels)+1); ok {
			labels = append(labels, label)
			continue
		}
		labels = nil
		if label, ok := numbered(line, 1); ok {
			labels = append(labels, label)
		}
	}
	if len(labels) < 2 {
		return nil
	}
	return conversation.Choices(labels...)
}

// numbered is what stands behind the number n at the beginning of a line.
func numbered(line string, n int) (string, bool) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(line), strconv.Itoa(n))
	if !ok || !strings.HasPrefix(rest, ".") && !strings.HasPrefix(rest, ")") {
		return "", false
	}
	label := strings.TrimSpace(rest[1:])
	return label, label != "" && label != rest[1:]
}

// Offered are the answers that the question offers with which a stretch ends; nil for none.
func (s Stretch) Offered() []conversation.Choice {
	if s.Step == nil || s.Waits {
		return nil
	}
	return Choices(*s.Step)
}

func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + between + b
}

// saying reports whether the agent has something to say, or to do, at a step.
func saying(step playbook.FunnelStep) bool {
	return step.StepType == playbook.HandoffStep || step.StepType != playbook.DelayStep &&
		strings.TrimSpace(step.Content) != ""
}

// says reports whether the agent has something to say, or to do, at one of the steps.
func says(steps []playbook.FunnelStep) bool { return slices.ContainsFunc(steps, saying) }

// Leads reports whether contacts are led through a funnel: it is active, and the agent has something to say.
func Leads(f playbook.Funnel, steps []playbook.FunnelStep) bool { return f.IsActive && says(steps) }

// Place is where the step with an id is, -1 where it is no more.
func Place(steps []playbook.FunnelStep, id int64) int {
	return slices.IndexFunc(steps, func(s playbook.FunnelStep) bool { return s.ID == id })
}

// Enter moves the conversation to where a stretch of a funnel ends, at that time. The writes count the
// steps that the contact comes to and, where it waits, publish the event that takes the contact on.
func (s Stretch) Enter(
	ids *id.Source, account int64, c *conversation.Conversation, funnel int64, at time.Time,
) ([]table.Write, error) {
	c.Frame.Asked.Funnel = frame.InFunnel{}
	reached := playbook.CountReached(account, c.AgentID, funnel, s.Reached)
	switch {
	case s.HandsOver:
		c.HandOver(conversation.HandoffFunnel)
	case s.Waits:
		wait := ids.Next()
		c.Frame.Asked.Funnel = frame.InFunnel{Funnel: funnel, Step: s.Step.ID, Wait: wait, At: at}
		published, err := event.Publish(ids, account, nil, event.Event{
			ID: wait, Kind: event.FunnelWaiting, At: at, AgentID: c.AgentID, ConversationID: c.ID,
			Due: at.Add(s.Wait),
		})
		return append(reached, published...), err
	case s.Step != nil:
		c.Frame.Asked.Funnel = frame.InFunnel{Funnel: funnel, Step: s.Step.ID, At: at}
	}
	return reached, nil
}
