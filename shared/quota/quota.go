// Package quota holds the turns of conversations to what their workspace may use: the AI replies of its plan,
// the messages, sessions and replies of one visitor's network, and the daily budget of an agent for language
// models.
//
// A turn counts what it will use before its transaction: CountAhead beside its reads, at half the price of a
// part of the transaction, and Reserve before a language model is asked. So turns that run at once cannot pay
// for more than the limits allow. The transaction of the turn adds the difference to what it used in the end
// (Writes); a turn that is not stored returns what it reserved (Reservation.GiveBack). A process that is
// killed in between leaves its reservation counted.
package quota

import (
	"context"
	"math"
	"time"

	"frontdesk/shared/agent"
	"frontdesk/shared/ai"
	"frontdesk/shared/auth"
	"frontdesk/shared/fault"
	"frontdesk/shared/table"
)

// A use is what a turn uses of what is limited.
type use struct {
	replies  int64       // of the plan's in the period
	visits   auth.Visits // of the visitor's network
	microUSD int64       // of the agent's daily budget
}

// minus returns the difference of two uses, which may be negative in each part.
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

func (u use) plus(v use) use { return u.minus(use{}.minus(v)) }

// A Reservation is what a turn has counted before its transaction. All attempts at one turn share it. The
// zero Reservation reserves nothing.
type Reservation struct {
	// Ahead makes CountAhead count. It is set for turns that are stored, and not for dry runs.
	Ahead bool
	// Cost is what a language model has charged for its reply, in millionths of a dollar. It is counted
	// whether the turn is stored or not.
	Cost int64

	use
	by     *Meter    // the attempt that counted it; nil while nothing is reserved
	at     time.Time // when it was counted; zero while nothing is reserved
	priced bool      // the use contains the price of a language model

	// What CountAhead has read: the counters after its updates. A later attempt does not read them again.
	askedReply  bool // used is known
	used        int64
	askedVisits bool // visits are known
	visits      auth.Visits
}

func (r *Reservation) add(m *Meter, u use) {
	r.use, r.by = r.use.plus(u), m
	if r.at.IsZero() {
		r.at = m.Now
	}
}

// GiveBack returns what is reserved for a turn that was not stored, except for its Cost. It also does so if
// the request has been cancelled.
func (r *Reservation) GiveBack(ctx context.Context) error {
	if r.by == nil {
		return nil
	}
	back := r.by.count(use{microUSD: r.Cost}.minus(r.use), 0)
	if len(back) == 0 {
		return nil
	}
	return r.by.Table.Transact(table.Alone(context.WithoutCancel(ctx)), back...)
}

// A Meter counts one attempt at a turn. The caller reads the items of Keys and passes them to Read; what the
// other methods report is as of then. Account, Plan and Agent must be set before any method is called.
type Meter struct {
	Table       table.Table
	Now         time.Time
	Reservation *Reservation
	Account     auth.Account
	Plan        auth.Plan
	Agent       *agent.Summary
	Network     string // of the visitor; "" is under no limits of a network
	NewSession  bool   // the message begins a session

	used   int64 // AI replies of the period
	visits auth.Visits
	spent  int64 // on the day, in millionths of a dollar
}

// Keys returns the keys of the counters that Read needs. Those that CountAhead reads are not among them;
// replies is what it will be called with.
func (m *Meter) Keys(replies bool) []table.Key {
	var keys []table.Key
	r := m.Reservation
	if m.Plan.Replies > 0 && !r.askedReply && !(r.Ahead && replies) {
		keys = append(keys, m.Account.UsageKey(m.Now))
	}
	if m.Network != "" && !r.Ahead {
		keys = append(keys, m.Account.VisitsKey(m.Network, m.Now))
	}
	if m.costs() {
		keys = append(keys, agent.SpentKey(m.Account.ID, m.Agent.ID, m.Now))
	}
	return keys
}

// Read reads the counters among the items. It is called after CountAhead.
func (m *Meter) Read(items map[table.Key]table.Item) {
	if m.used = m.Reservation.used; !m.Reservation.askedReply {
		m.used = auth.Used(items[m.Account.UsageKey(m.Now)])
	}
	if m.visits = m.Reservation.visits; !m.Reservation.askedVisits {
		m.visits = auth.VisitsIn(items[m.Account.VisitsKey(m.Network, m.Now)], m.Now)
	}
	m.spent = agent.Spent(items[agent.SpentKey(m.Account.ID, m.Agent.ID, m.Now)])
}

// costs reports whether the agent's model has a price.
func (m *Meter) costs() bool { return m.Agent.AIModel.Price() != ai.Price{} }

// BudgetSpent reports whether the agent's model has a price and the day's budget is spent. A turn that has
// reserved the price may still ask the model.
func (m *Meter) BudgetSpent() bool {
	return m.costs() && !m.Reservation.priced && m.spent >= m.Agent.Budget(m.Plan.DailyBudget)
}

// NetworkRefused reports whether the visitor's network has used up the messages of the day, or a new session
// its sessions. The counts of both are reset at auth.NextDay.
func (m *Meter) NetworkRefused() bool {
	most, held := m.Plan.Visitor, m.Reservation.use.visits
	return m.Network != "" && (m.visits.Messages-held.Messages >= most.Messages ||
		m.NewSession && m.visits.Sessions-held.Sessions >= most.Sessions)
}

// ReplyRefused returns the error of code fault.QuotaExceeded if the plan or the visitor's network has no AI
// reply left, and nil if they have.
func (m *Meter) ReplyRefused() error {
	held, most := m.Reservation.use, m.Plan.Visitor.Replies
	switch {
	case m.Plan.Replies > 0 && m.used-held.replies >= m.Plan.Replies:
		return m.exceeded("The plan's %d AI replies of this period are used up.", m.Plan.Replies)
	case m.Network != "" && most > 0 && m.visits.Replies-held.visits.Replies >= most:
		return m.exceeded("A visitor's network may use %d AI replies of a period.", most)
	}
	return nil
}

func (m *Meter) exceeded(detail string, most int64) error {
	e := fault.New(fault.QuotaExceeded, detail, most)
	e.Extra = map[string]any{"resets_at": m.Account.PeriodAt(m.Now).Ends}
	return e
}

// Reserve counts a reply and the estimated price of a language model, unless the turn has done so, and less
// what is reserved already. It returns a *table.ConditionError if other turns have used up a limit since
// Read; the next attempt then reads that the limit is used up.
func (m *Meter) Reserve(ctx context.Context, estimate ai.Usage) error {
	if m.Reservation.priced {
		return nil
	}
	held := m.Reservation.use
	var u use
	if m.Plan.Replies > 0 {
		u.replies = 1 - held.replies
	}
	if m.Network != "" && m.Plan.Visitor.Replies > 0 {
		u.visits.Replies = 1 - held.visits.Replies
	}
	if m.costs() {
		u.microUSD = max(1, m.Agent.AIModel.Price().Of(estimate))
	}
	if u == (use{}) {
		return nil
	}
	if err := m.Table.Transact(table.Alone(ctx), m.count(u, 0)...); err != nil {
		return err
	}
	m.Reservation.add(m, u)
	m.Reservation.priced = true
	return nil
}

// Writes returns the writes of a turn's transaction that count what the turn has used, less what is reserved.
// A condition of them fails if a limit would be exceeded. reply is the id of the reply, nil if there is none.
func (m *Meter) Writes(reply *int64) []table.Write {
	final, spread := use{microUSD: m.Reservation.Cost}, int64(0)
	if reply != nil {
		final.replies, spread = 1, *reply
	}
	if m.Network != "" {
		final.visits = auth.Visits{Messages: 1, Replies: final.replies}
		if m.NewSession {
			final.visits.Sessions = 1
		}
	}
	return m.count(final.minus(m.Reservation.use), spread)
}

// SessionWrites returns the writes that count a new session of a visitor who has written no message. There
// are none for a session that exists.
func (m *Meter) SessionWrites() []table.Write {
	if m.Network == "" || !m.NewSession {
		return nil
	}
	return m.count(use{visits: auth.Visits{Sessions: 1}}, 0)
}

// count returns the writes that add to what is used of the limits. They count for the day and the period in
// which the turn first reserved something, and a condition fails if a limit would be exceeded.
func (m *Meter) count(u use, spread int64) []table.Write {
	at := m.Reservation.at
	if at.IsZero() {
		at = m.Now
	}
	var writes []table.Write
	switch {
	case u.replies > 0:
		writes = append(writes, m.Account.CountReply(m.Plan, at, spread))
	case u.replies < 0:
		writes = append(writes, m.Account.ReturnReply(at))
	}
	if u.visits != (auth.Visits{}) {
		writes = append(writes, m.Account.CountVisits(m.Plan, m.Network, at, u.visits))
	}
	if u.microUSD != 0 {
		budget := m.Agent.Budget(m.Plan.DailyBudget)
		if m.Reservation.priced { // what a model has charged is counted whatever the budget
			budget = math.MaxInt64 - u.microUSD
		}
		writes = append(writes, agent.Spend(m.Account.ID, m.Agent.ID, at, u.microUSD, budget))
	}
	return writes
}
