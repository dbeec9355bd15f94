package assistant

import (
	"context"
	"errors"
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

// plus is both together.
func (u use) plus(v use) use { return u.minus(use{}.minus(v)) }

// A reservation is what a turn counts before it is stored: what it will take as it seems, beside what it reads
// anyway and at half the price of a part of the transaction, and the price of a language model before that is
// asked. So many turns at once cannot pay for more than the limits allow. All tries of a turn share it. The
// zero reservation holds nothing.
type reservation struct {
	use
	by     *state    // the try that counted it; nil while nothing is reserved
	at     time.Time // when it was counted; zero while nothing is reserved
	priced bool      // the price of a language model is in it
	cost   int64     // what the model's reply has cost, in millionths of a dollar

	ahead       bool // a turn that is to be stored, which counts ahead
	askedReply  bool // whether the plan has a reply left, with used as the answer
	used        int64
	askedVisits bool // what the network has left, with visits as the answer
	visits      auth.Visits
}

// hold adds to what is reserved.
func (r *reservation) hold(s *state, u use) {
	r.use, r.by = r.use.plus(u), s
	if r.at.IsZero() {
		r.at = s.Now
	}
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
	if s.used = s.reservation.used; !s.reservation.askedReply {
		s.used = auth.Used(linked[s.account.UsageKey(at)])
	}
	if s.visits = s.reservation.visits; !s.reservation.askedVisits {
		s.visits = auth.VisitsIn(linked[s.account.VisitsKey(m.Network, at)], at)
	}
	spent := agent.Spent(linked[agent.SpentKey(m.AccountID, m.AgentID, at)])
	if s.costs() && spent >= s.Agent.Budget(s.plan.DailyBudget) && !s.reservation.priced {
		s.Agent.AIModel = ai.Builtin
		logline.Add(ctx, slog.String("restriction", string(agent.BudgetSpent)))
	}
	if m.Network != "" && s.networkUsed() {
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

// networkUsed reports whether the writer's network has used up the day's messages, or a new session its
// sessions.
func (s *state) networkUsed() bool {
	most, held := s.plan.Visitor, s.reservation.use.visits
	return s.visits.Messages-held.Messages >= most.Messages ||
		!s.hasSession && s.visits.Sessions-held.Sessions >= most.Sessions
}

// limitKeys are the items of readLimits, but for those that countAhead reads.
func (s *state) limitKeys(m Message) []table.Key {
	var keys []table.Key
	if !s.fits() {
		keys = append(keys, agent.CountKey(m.AccountID))
	}
	if s.plan.Replies > 0 && !s.reservation.askedReply && !(s.reservation.ahead && s.replies()) {
		keys = append(keys, s.account.UsageKey(s.Now))
	}
	if m.Network != "" && !s.reservation.ahead {
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

// replies reports whether the agent will reply, as far as the agent's summary and the conversation, where it
// was read, tell.
func (s *state) replies() bool {
	return s.Agent.Status != agent.Paused && s.Agent.AIEnabled && !s.message.Silent &&
		(s.conversationVersion == 0 || s.Conversation.AnsweredByAI())
}

// countAhead counts the visit of a turn that is to be stored, and its reply where the agent will reply, each
// once in a turn. What a limit does not leave is not counted: readLimits and quotaUsed refuse it.
func (s *state) countAhead(ctx context.Context, replies bool) error {
	r := s.reservation
	var reply, visit use
	// The counts are completed where another read fails, to be given back.
	ctx = table.Alone(context.WithoutCancel(ctx))
	err := table.Parallel(ctx, func(ctx context.Context) (err error) {
		if replies && r.ahead && !r.askedReply && s.plan.Replies > 0 {
			reply, err = s.countReplyAhead(ctx)
		}
		return err
	}, func(ctx context.Context) (err error) {
		if r.ahead && !r.askedVisits && s.message.Network != "" {
			visit, err = s.countVisitAhead(ctx, replies)
		}
		return err
	})
	if u := reply.plus(visit); u != (use{}) {
		r.hold(s, u)
	}
	return err
}

func (s *state) countReplyAhead(ctx context.Context) (use, error) {
	item, counted, err := s.update(ctx, s.account.CountReply(s.plan, s.Now, 0))
	if err != nil {
		return use{}, err
	}
	s.reservation.used, s.reservation.askedReply = auth.Used(item), true
	if !counted {
		return use{}, nil
	}
	return use{replies: 1}, nil
}

func (s *state) countVisitAhead(ctx context.Context, replies bool) (use, error) {
	visit := auth.Visits{Messages: 1}
	if !s.hasSession {
		visit.Sessions = 1
	}
	if s.plan.Visitor.Replies > 0 && replies {
		visit.Replies = 1
	}
	for {
		item, counted, err := s.update(ctx, s.account.CountVisits(s.plan, s.message.Network, s.Now, visit))
		if err != nil {
			return use{}, err
		}
		s.visits = auth.VisitsIn(item, s.Now)
		if !counted && visit.Replies > 0 && !s.networkUsed() {
			visit.Replies = 0 // the message is for people
			continue
		}
		s.reservation.visits, s.reservation.askedVisits = s.visits, true
		if !counted {
			return use{}, nil
		}
		return use{visits: visit}, nil
	}
}

// update carries out a write that counts, on its own, and returns the item as it is then. It is not counted
// where a limit does not leave it.
func (s *state) update(ctx context.Context, w table.Write) (item table.Item, counted bool, err error) {
	u := table.Update{Key: w.Item.Key, Add: w.Add, AtMost: w.AtMost}
	item, err = s.Table.Update(ctx, u)
	switch {
	case table.IsConditionError(err):
		return item, false, nil
	case !errors.Is(err, table.ErrNotFound):
		return item, err == nil, err
	}
	// The first of the period makes the item.
	err = s.Table.Transact(ctx, w)
	if table.IsConditionError(err) {
		item, err = s.Table.Get(ctx, w.Item.Key)
		return item, false, err
	}
	return table.Item{Key: w.Item.Key, Numbers: w.Add}, err == nil, err
}

// reserve counts what a decision takes of the limits that has a language model write the reply, once in a
// turn, beside what is counted already. Its error is a *table.ConditionError where others have used up a
// limit meanwhile: read anew, the limit refuses. The built-in engine costs nothing to ask.
func (s *state) reserve(ctx context.Context, d *decision) error {
	if !d.asksModel() || s.reservation.priced {
		return nil
	}
	held := s.reservation.use
	var u use
	if s.plan.Replies > 0 {
		u.replies = 1 - held.replies
	}
	if s.message.Network != "" && s.plan.Visitor.Replies > 0 {
		u.visits.Replies = 1 - held.visits.Replies
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
	s.reservation.hold(s, u)
	s.reservation.priced = true
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
	if !s.reservation.priced {
		return s.Agent.Budget(s.plan.DailyBudget)
	}
	return math.MaxInt64 - u.microUSD
}

// giveBack ends the reservation of a turn that was not stored, but for what the model has cost. The request
// may be over already.
func (r *reservation) giveBack(ctx context.Context) error {
	if r.by == nil {
		return nil
	}
	back := r.by.count(use{microUSD: r.cost}.minus(r.use), 0)
	if len(back) == 0 {
		return nil
	}
	return r.by.Table.Transact(table.Alone(context.WithoutCancel(ctx)), back...)
}
