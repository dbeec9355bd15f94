package assistant

import (
	"context"
	"errors"

	"frontdesk/shared/conversation"
	"frontdesk/shared/quota"
	"frontdesk/shared/table"
)

// DryRun answers a message like Turn, for trying an agent out. It stores nothing and does not count in the
// plan or in the analytics; only the cost of a language model counts in the agent's budget. The ids in the
// answer are zero. Its errors are those of Turn.
func (a *Assistant) DryRun(ctx context.Context, m Message) (answer Answer, err error) {
	model := new(byModel)
	var reserved quota.Reservation
	var refusal error
	err = table.Retry(ctx, func() error {
		s, err := a.load(ctx, m, &reserved)
		if err != nil {
			return err
		}
		if byBuiltIn(&s.Agent) {
			s.quota.Plan.Replies = 0 // the limit is for replies to contacts
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
	if err = errors.Join(err, reserved.GiveBack(ctx)); err != nil {
		return Answer{}, err
	}
	return answer, refusal
}
