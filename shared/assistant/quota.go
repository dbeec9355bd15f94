package assistant

import (
	"context"

	"frontdesk/shared/ai"
	"frontdesk/shared/fault"
	"frontdesk/shared/table"
)

// A reservation is the reply that a turn counts before it asks a language model, so that no model is paid for a reply
// that the plan does not have. The zero reservation holds none.
type reservation struct {
	back *table.Write // gives the reply back
}

// quota refuses to reply when the plan has no reply left.
func (s *state) quota(context.Context) (*decision, error) {
	if s.plan.Replies == 0 || s.used < s.plan.Replies || s.reservation.back != nil {
		return nil, nil
	}
	return &decision{refusal: s.quotaExceeded()}, nil
}

func (s *state) quotaExceeded() error {
	e := fault.New(fault.QuotaExceeded, "The plan's %d AI replies of this period are used up.", s.plan.Replies)
	e.Extra = map[string]any{"resets_at": s.account.PeriodAt(s.now).Ends}
	return e
}

// reserve counts the reply of a decision that has a language model write it, once in a turn. Where others took the last
// reply meanwhile the decision becomes a refusal. The built-in engine costs nothing to ask; what it writes is counted
// when it is stored, as is what a plan without a limit has.
func (s *state) reserve(ctx context.Context, d *decision) error {
	asks := d.silence == "" && d.refusal == nil && d.reply == nil && s.agent.AIModel != ai.Builtin
	if !asks || s.plan.Replies == 0 || s.reservation.back != nil {
		return nil
	}
	err := s.Table.Transact(table.Alone(ctx), s.account.CountReply(s.plan, s.now, 0))
	if table.IsConditionError(err) {
		d.refusal = s.quotaExceeded()
		return nil
	}
	if err == nil {
		back := s.account.ReturnReply(s.now)
		s.reservation.back = &back
	}
	return err
}

// countReply counts the reply of that message, unless it is reserved. Without a reply, nil, it gives back what was
// reserved for it.
func (s *state) countReply(messageID *int64) []table.Write {
	switch back := s.reservation.back; {
	case messageID != nil && back == nil:
		return []table.Write{s.account.CountReply(s.plan, s.now, *messageID)}
	case messageID == nil && back != nil:
		return []table.Write{*back}
	}
	return nil
}

// giveBack ends the reservation of a turn that was not stored. The request may be over already.
func (a *Assistant) giveBack(ctx context.Context, r reservation) error {
	if r.back == nil {
		return nil
	}
	return a.Table.Transact(table.Alone(context.WithoutCancel(ctx)), *r.back)
}
