package assistant

import (
	"context"

	"frontdesk/shared/agent"
	"frontdesk/shared/ai"
	"frontdesk/shared/assistant/skill"
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
	// passed are changes of skills that have left the message to others.
	passed []skill.Change
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
