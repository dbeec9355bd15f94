// Package funnel leads contacts through the steps of funnels. The chat uses it when an answer continues a
// funnel, and the queue's worker when a wait is over.
//
// The conversation stores the contact's position (frame.InFunnel); the steps are read each time. So changes
// of a funnel apply at once, and a funnel ends for contacts whose step was deleted.
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

// Intent is the intent of the agent's messages in a funnel.
const Intent = "funnel"

// between separates the contents of steps that are sent as one message.
const between = "\n\n"

// A Segment is the part of a funnel that runs without waiting for the contact or the clock.
type Segment struct {
	// Text is what the agent says: the contents of consecutive messages without a wait, up to and including a
	// question. It may be empty.
	Text string
	// Step is the end of the segment: a question that awaits its answer or, if Delayed, the step that
	// follows after Delay. It is nil at the end of the funnel.
	Step    *playbook.FunnelStep
	Delayed bool
	Delay   time.Duration
	// HandsOver is set if the funnel ends with a handoff to a person.
	HandsOver bool
	// Reached are the ids of the steps that the contact reaches: those whose contents are said, and waits.
	Reached []int64
}

// From returns the segment that begins at index place, which is len(steps) at the end. waited is set if the
// wait before this step is over. Text that exceeds one message is left to the next segment, without a wait.
func From(steps []playbook.FunnelStep, place int, waited bool) Segment {
	var s Segment
	for ; place < len(steps); place++ {
		step := &steps[place]
		// A wait after which nothing is said ends the funnel at once.
		if step.DelaySeconds > 0 && !waited {
			if !says(steps[place:]) {
				return s
			}
			s.Step, s.Delayed, s.Delay = step, true, time.Duration(step.DelaySeconds)*time.Second
			return s
		}
		waited = false
		if !saying(*step) {
			s.Reached = append(s.Reached, step.ID)
			continue
		}
		text := join(s.Text, step.Content)
		if utf8.RuneCountInString(text) > message.MaxText {
			s.Step, s.Delayed = step, true
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

// Choices returns the answers that a question offers: the numbered lines, from 1, at the end of its content,
// at least two. It returns nil for a question with a free answer.
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

// numbered returns the text after the number n at the beginning of a line.
func numbered(line string, n int) (string, bool) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(line), strconv.Itoa(n))
	if !ok || !strings.HasPrefix(rest, ".") && !strings.HasPrefix(rest, ")") {
		return "", false
	}
	label := strings.TrimSpace(rest[1:])
	return label, label != "" && label != rest[1:]
}

// Offered returns the answers offered by the question at the end of a segment, or nil.
func (s Segment) Offered() []conversation.Choice {
	if s.Step == nil || s.Delayed {
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

// saying reports whether the agent says or does something at a step.
func saying(step playbook.FunnelStep) bool {
	return step.StepType == playbook.HandoffStep || step.StepType != playbook.DelayStep &&
		strings.TrimSpace(step.Content) != ""
}

// says reports whether the agent says or does something at one of the steps.
func says(steps []playbook.FunnelStep) bool { return slices.ContainsFunc(steps, saying) }

// CanStart reports whether a funnel is active and the agent says something in it.
func CanStart(f playbook.Funnel, steps []playbook.FunnelStep) bool { return f.IsActive && says(steps) }

// StepIndex returns the index of the step with an id, or -1 if it was deleted.
func StepIndex(steps []playbook.FunnelStep, id int64) int {
	return slices.IndexFunc(steps, func(s playbook.FunnelStep) bool { return s.ID == id })
}

// Enter moves a conversation to the end of a segment. The writes count the steps that the contact reached
// and, if the segment waits, publish the event that continues the funnel.
func (s Segment) Enter(
	ids *id.Source, account int64, c *conversation.Conversation, funnel int64, at time.Time,
) ([]table.Write, error) {
	c.Frame.Asked.Funnel = frame.InFunnel{}
	reached := playbook.CountReached(account, c.AgentID, funnel, s.Reached)
	switch {
	case s.HandsOver:
		c.HandOver(conversation.HandoffFunnel)
	case s.Delayed:
		wait := ids.Next()
		c.Frame.Asked.Funnel = frame.InFunnel{Funnel: funnel, Step: s.Step.ID, Wait: wait, At: at}
		published, err := event.Publish(ids, account, nil, event.Event{
			ID: wait, Kind: event.FunnelWaiting, At: at, AgentID: c.AgentID, ConversationID: c.ID,
			Due: at.Add(s.Delay),
		})
		return append(reached, published...), err
	case s.Step != nil:
		c.Frame.Asked.Funnel = frame.InFunnel{Funnel: funnel, Step: s.Step.ID, At: at}
	}
	return reached, nil
}
