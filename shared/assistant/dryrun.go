package assistant

import (
	"context"
	"errors"

	"frontdesk/shared/conversation"
	"frontdesk/shared/table"
)

// DryRun answers a message as Turn does, for somebody who tries an agent out: nothing is stored, and
// neither the plan nor analytics count it. What a language model costs is counted in the agent's budget
// all the same. The ids of the answer are zero. Its errors are those of Turn.
func (a *Assistant) DryRun(ctx context.Context, m Message) (answer Answer, err error) {
	model := new(byModel)
	var reserved reservation
	var refusal error
	err = table.Retry(ctx, func() error {
		s, err := a.load(ctx, m, &reserved)
		if err != nil {
			return err
		}
		if byBuiltIn(&s.Agent) {
			s.plan.Replies = 0 // which is for replies to contacts
		}
		d, reply, refused, err := s.respond(ctx, model)
		if err != nil {
			return err
		}
		refusal = refused
		answer = Answer{Action: d.silence, Choices: []conversation.Choice{}, Cards: []conversation.Card{}}
		if reply != nil {
			s.say(&answer, reply)
		}
		return nil
	})
	if err = errors.Join(err, reserved.giveBack(ctx)); err != nil {
		return Answer{}, err
	}
	return answer, refusal
}
