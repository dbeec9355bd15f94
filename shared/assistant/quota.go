package assistant

import (
	"context"
	"log/slog"
	"math"
	"time"

	"frontdesk/shared/agent"
	"frontdesk/shared/ai"
	"frontdesk/shared/auth"
	"frontdesk/shared/fault"
	"frontdesk/shared/language"
	"frontdesk/shared/logline"
	"frontdesk/shared/table"
)

// A use is what a turn takes of what is limited.
type use struct {
	replies  int64       // of the plan's in the period
	visits   auth.Visits // of the visitor's network
	microUSD int64       // of the agent's daily budget
}

// minus is what is left to count of u when v is counted already.
func (u use) minus(v use) use {
	return use{
		u.replies - v.replies,
		auth.Visits{
			Messages: u.visits.Messages - v.visits.Messages,
			Sessions: u.visits.Sessions - v.visits.Sessions,
			Replies:  u.visits.Replies - v.visits.Replies,
		},
		u.microUSD - v.microUSD,
	}
}

// A reservation is what a turn counts before it asks a language model, so that many turns at once cannot pay
// for more than the limits allow. All tries of a turn share it. The zero reservation holds nothing.
type reservation struct {
	use
	at   time.Time // when it was counted; zero while nothing is reserved
	cost int64     // what the model's reply has cost, in millionths of a dollar
}

// countedAt is the moment that decides on which day and in which period the turn is counted.
func (s *state) countedAt() time.Time {
	if s.reservation.at.IsZero() {
		return s.Now
	}
	return s.reservation.at
}

// readLimits takes in what has been used of the limits, and refuses the message where its network has used up
// the day's. An agent whose budget is spent answers by the built-in engine.
func (s *state) readLimits(ctx context.Context, m Message, linked map[table.Key]table.Item) (err error) {
	at := s.Now
	s.used = auth.Used(linked[s.account.UsageKey(at)])
	s.visits = auth.VisitsIn(linked[s.account.VisitsKey(m.Network, at)], at)
	spent := agent.Spent(linked[agent.SpentKey(m.AccountID, m.AgentID, at)])
	if s.costs() && spent >= s.Agent.Budget(s.plan.DailyBudget) && s.reservation.at.IsZero() {
		s.Agent.AIModel = ai.Builtin
		logline.Add(ctx, slog.String("restriction", string(agent.BudgetSpent)))
	}
	most := s.plan.Visitor
	if m.Network != "" &&
		(s.visits.Messages >= most.Messages || !s.hasSession && s.visits.Sessions >= most.Sessions) {
		e := fault.New(fault.RateLimited, "%s", language.Of(s.Language()).Widget().Enough)
		e.RetryAfter = auth.NextDay(at).Sub(at)
		return e
	}
	if s.inPlan = s.fits(); s.inPlan {
		return nil
	}
	count := linked[agent.CountKey(m.AccountID)]
	s.inPlan, err = agent.AnswersIn(ctx, s.Table, m.AccountID, m.AgentID, count, s.plan.Agents)
	if err == nil && agent.Fits(count, s.plan.Agents) {
		s.assistant.fits.keep(s.Account, s.fit(), struct{}{})
	}
	return err
}

// limitKeys are the items of readLimits.
func (s *state) limitKeys(m Message) []table.Key {
	var keys []table.Key
	if !s.fits() {
		keys = append(keys, agent.CountKey(m.AccountID))
	}
	if s.plan.Replies > 0 {
		keys = append(keys, s.account.UsageKey(s.Now))
	}
	if m.Network != "" {
		keys = append(keys, s.account.VisitsKey(m.Network, s.Now))
	}
	if s.costs() {
		keys = append(keys, agent.SpentKey(m.AccountID, m.AgentID, s.Now))
	}
	return keys
}

// costs reports whether the agent's model has a price.
func (s *state) costs() bool { return s.Agent.AIModel.Price() != ai.Price{} }

// restrictModel has the built-in engine answer where the plan does not have the agent's language model.
func (s *state) restrictModel() {
	if !s.plan.HasModel(s.Agent.AIModel.Price().Output) {
		s.Agent.AIModel = ai.Builtin
	}
}

// quotaUsed is the refusal to reply when the plan, or the writer's network, has no reply left; nil while they
// have.
func (s *state) quotaUsed() error {
	held, most := s.reservation.use, s.plan.Visitor.Replies
	switch {
	case s.plan.Replies > 0 && s.used-held.replies >= s.plan.Replies:
		return s.quotaExceeded("The plan's %d AI replies of this period are used up.", s.plan.Replies)
	case s.message.Network != "" && most > 0 && s.visits.Replies-held.visits.Replies >= most:
		return s.quotaExceeded("A visitor's network may use %d AI replies of a period.", most)
	}
	return nil
}

func (s *state) quotaExceeded(detail string, most int64) error {
	e := fault.New(fault.QuotaExceeded, detail, most)
	e.Extra = map[string]any{"resets_at": s.account.PeriodAt(s.Now).Ends}
	return e
}

// reserve counts what a decision takes of the limits that has a language model write the reply, once in a
// turn. Its error is a *table.ConditionError where others have used up a limit meanwhile: read anew, the
// limit refuses. The built-in engine costs nothing to ask; what it writes is counted when it is stored.
func (s *state) reserve(ctx context.Context, d *decision) error {
	if !d.asksModel() || !s.reservation.at.IsZero() {
		return nil
	}
	var u use
	if s.plan.Replies > 0 {
		u.replies = 1
	}
	if s.message.Network != "" && s.plan.Visitor.Replies > 0 {
		u.visits.Replies = 1
	}
	if s.costs() {
		u.microUSD = max(1, s.Agent.AIModel.Price().Of(s.Request().Estimate()))
	}
	if u == (use{}) {
		return nil
	}
	if err := s.Table.Transact(table.Alone(ctx), s.count(u, 0)...); err != nil {
		return err
	}
	s.reservation.use, s.reservation.at = u, s.Now
	return nil
}

// countTurn counts what the turn takes of the limits in the end, beside what is reserved. The message is the
// reply's; nil without one.
func (s *state) countTurn(messageID *int64) []table.Write {
	final, spread := use{microUSD: s.reservation.cost}, int64(0)
	if messageID != nil {
		final.replies, spread = 1, *messageID
	}
	if s.message.Network != "" {
		final.visits = auth.Visits{Messages: 1, Replies: final.replies}
		if !s.hasSession {
			final.visits.Sessions = 1
		}
	}
	return s.count(final.minus(s.reservation.use), spread)
}

// count adds to what is used of the limits, and fails where one would be exceeded.
func (s *state) count(u use, spread int64) []table.Write {
	var writes []table.Write
	at := s.countedAt()
	switch {
	case u.replies > 0:
		writes = append(writes, s.account.CountReply(s.plan, at, spread))
	case u.replies < 0:
		writes = append(writes, s.account.ReturnReply(at))
	}
	if u.visits != (auth.Visits{}) {
		writes = append(writes, s.account.CountVisits(s.plan, s.message.Network, at, u.visits))
	}
	if u.microUSD != 0 {
		writes = append(writes, agent.Spend(s.Account, s.Agent.ID, at, u.microUSD, s.spendable(u)))
	}
	return writes
}

// spendable is the budget that a use is held to. What a model has cost already is counted whatever the
// budget.
func (s *state) spendable(u use) int64 {
	if s.reservation.at.IsZero() {
		return s.Agent.Budget(s.plan.DailyBudget)
	}
	return math.MaxInt64 - u.microUSD
}

// giveBack ends the reservation of a turn that was not stored, but for what the model has cost. The request
// may be over already.
func (s *state) giveBack(ctx context.Context) error {
	if s == nil || s.reservation.at.IsZero() {
		return nil
	}
	back := s.count(use{microUSD: s.reservation.cost}.minus(s.reservation.use), 0)
	if len(back) == 0 {
		return nil
	}
	return s.Table.Transact(table.Alone(context.WithoutCancel(ctx)), back...)
}
