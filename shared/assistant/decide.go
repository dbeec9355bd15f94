package assistant

import (
	"context"

	"frontdesk/shared/agent"
	"frontdesk/shared/ai"
	"frontdesk/shared/assistant/skill"
	"frontdesk/shared/conversation"
)

// A decision is what is to come of a message. The zero decision has the agent's model reply.
type decision struct {
	// silence is why nobody replies, an action of an Answer; "" where somebody does.
	silence string
	// refusal is what the caller is told instead of a reply: an error of the API.
	refusal error
	// reply is what the agent says; nil leaves it to a language model.
	reply *ai.Reply
	// guessed tells that an engine found the reply, and may not know: followModel has what comes of that.
	guessed bool
	// outcomes are what skills have done.
	outcomes []*skill.Outcome
	// passed are what skills have left that have the message answered by others: a question that is still
	// open.
	passed []*skill.Outcome
	// declined tells that the agent had no answer.
	declined bool
	// again tells that the reply puts the open question again.
	again bool
}

// reminder is the question of an appointment that is still open, with the answers that it offers; "" for
// none, or where the reply puts it itself.
func (d *decision) reminder() (question string, choices []conversation.Choice) {
	for _, o := range d.passed {
		if o.Reminder != "" && !d.again {
			question, choices = o.Reminder, o.Choices
		}
	}
	return question, choices
}

// pending is the question of a funnel that is still open, "" for none.
func (d *decision) pending() string {
	for _, o := range d.passed {
		if o.Pending != "" {
			return o.Pending
		}
	}
	return ""
}

// asksModel reports whether the decision leaves the message to the agent's model.
func (d *decision) asksModel() bool { return d.silence == "" && d.refusal == nil && d.reply == nil }

// decide finds out what is to come of the message: nothing, where the agent does not reply by itself, or what
// the skills do about it.
func (s *state) decide(ctx context.Context) (*decision, error) {
	if why := s.silence(); why != "" {
		return &decision{silence: why}, nil
	}
	if refusal := s.quotaUsed(); refusal != nil {
		return &decision{refusal: refusal}, nil
	}
	return s.interpret(ctx)
}

// silence is why the agent does not reply to the message by itself, "" where it does.
func (s *state) silence() string {
	switch {
	case !s.Conversation.AnsweredByAI():
		return HumanHandling
	case s.Agent.Status == agent.Paused, !s.inPlan:
		return AgentPaused
	case !s.Agent.AIEnabled:
		return AIDisabled
	case s.message.Silent:
		return NotAnswered
	}
	return ""
}
