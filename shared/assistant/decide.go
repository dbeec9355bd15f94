package assistant

import (
	"context"

	"frontdesk/shared/agent"
	"frontdesk/shared/ai"
	"frontdesk/shared/assistant/skill"
	"frontdesk/shared/conversation"
)

// A decision is what to do about a message. The zero decision leaves the reply to the agent's language
// model.
type decision struct {
	// silence is the reason for not replying, an action of an Answer; "" to reply.
	silence string
	// refusal is an error of the API for the caller, instead of a reply.
	refusal error
	// reply is the agent's reply; nil leaves it to a language model.
	reply *ai.Reply
	// guessed reports whether the reply comes from an engine that may not know the answer; see followModel.
	guessed bool
	// outcomes are the outcomes of the skills that replied.
	outcomes []*skill.Outcome
	// passed are the outcomes of skills that left the message to others, with a question that is still
	// open.
	passed []*skill.Outcome
	// declined reports whether the agent had no answer.
	declined bool
	// again reports whether the reply repeats the open question.
	again bool
}

// reminder returns the open question of an appointment with its choices, or "" if there is none or the
// reply repeats it itself.
func (d *decision) reminder() (question string, choices []conversation.Choice) {
	for _, o := range d.passed {
		if o.Reminder != "" && !d.again {
			question, choices = o.Reminder, o.Choices
		}
	}
	return question, choices
}

// pending returns the open question of a funnel, or "".
func (d *decision) pending() string {
	for _, o := range d.passed {
		if o.Pending != "" {
			return o.Pending
		}
	}
	return ""
}

// asksModel reports whether the reply is left to the agent's language model.
func (d *decision) asksModel() bool { return d.silence == "" && d.refusal == nil && d.reply == nil }

// decide decides what to do about the message: nothing, if the agent may not reply, a refusal, or what the
// skills do.
func (s *state) decide(ctx context.Context) (*decision, error) {
	if why := s.silence(); why != "" {
		return &decision{silence: why}, nil
	}
	if refusal := s.quota.ReplyRefused(); refusal != nil {
		return &decision{refusal: refusal}, nil
	}
	return s.interpret(ctx)
}

// silence returns why the agent does not reply, or "" if it does.
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
