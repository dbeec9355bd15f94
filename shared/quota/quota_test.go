package quota_test

import (
	"testing"
	"time"

	"frontdesk/shared/agent"
	"frontdesk/shared/ai"
	"frontdesk/shared/auth"
	"frontdesk/shared/fault"
	"frontdesk/shared/quota"
	"frontdesk/shared/table"
	"frontdesk/shared/table/sqlite"
	"frontdesk/shared/worktest"
)

// used is what the counters of a workspace, a network and an agent say.
type used struct {
	replies  int64
	visits   auth.Visits
	microUSD int64
}

// A desk is a workspace whose turns are metered.
type desk struct {
	table   *sqlite.Table
	clock   *worktest.Clock
	account auth.Account
	plan    auth.Plan
	agent   agent.Summary
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	clock := worktest.NewClock(now)
	plan, err := auth.PlanNamed("starter")
	if err != nil {
		t.Fatal(err)
	}
	return &desk{
		table: worktest.Table(t, clock.Now), clock: clock, plan: plan,
		account: auth.Account{ID: 1, Plan: plan.Name, CreatedAt: now},
		agent:   agent.Summary{AccountID: 1, ID: 2, AIModel: "openai:gpt-4o"},
	}
}

// attempt is a meter that has read the counters, of a visitor who begins a session.
func (d *desk) attempt(t *testing.T, r *quota.Reservation, replies bool) *quota.Meter {
	t.Helper()
	m := &quota.Meter{
		Table: d.table, Now: d.clock.Now(), Reservation: r, Account: d.account, Plan: d.plan, Agent: &d.agent,
		Network: "192.0.2.1", NewSession: true,
	}
	keys := m.Keys(replies)
	if err := m.CountAhead(t.Context(), replies); err != nil {
		t.Fatal(err)
	}
	items, err := d.table.BatchGet(t.Context(), keys...)
	if err != nil {
		t.Fatal(err)
	}
	m.Read(items)
	return m
}

func (d *desk) want(t *testing.T, when string, want used) {
	t.Helper()
	at := d.clock.Now()
	usage, visits := d.account.UsageKey(at), d.account.VisitsKey("192.0.2.1", at)
	spent := agent.SpentKey(1, 2, at)
	items, err := d.table.BatchGet(t.Context(), usage, visits, spent)
	if err != nil {
		t.Fatal(err)
	}
	got := used{auth.Used(items[usage]), auth.VisitsIn(items[visits], at), agent.Spent(items[spent])}
	if got != want {
		t.Errorf("%s: used %+v, want %+v", when, got, want)
	}
}

// TestAttempts makes two attempts at a turn whose reply a language model writes, and stores it: everything is
// counted once, and the price is the one that was charged.
func TestAttempts(t *testing.T) {
	d := newDesk(t)
	r := &quota.Reservation{Ahead: true}
	estimate := ai.Usage{InputTokens: 1_000, OutputTokens: 100}
	price := d.agent.AIModel.Price().Of(estimate)
	var m *quota.Meter
	for range 2 {
		m = d.attempt(t, r, true)
		if m.BudgetSpent() || m.NetworkRefused() || m.ReplyRefused() != nil {
			t.Errorf("the turn is refused: %t, %t, %v", m.BudgetSpent(), m.NetworkRefused(), m.ReplyRefused())
		}
		if err := m.Reserve(t.Context(), estimate); err != nil {
			t.Fatal(err)
		}
		d.want(t, "reserved", used{1, auth.Visits{Messages: 1, Sessions: 1, Replies: 1}, price})
	}
	r.Cost = price / 2
	reply := int64(77)
	if err := d.table.Transact(t.Context(), m.Writes(&reply)...); err != nil {
		t.Fatal(err)
	}
	d.want(t, "stored", used{1, auth.Visits{Messages: 1, Sessions: 1, Replies: 1}, price / 2})
}

// TestMidnight stores a turn whose last attempt is on another day than its first: all of it is counted on the
// day of the first.
func TestMidnight(t *testing.T) {
	d := newDesk(t)
	r := &quota.Reservation{Ahead: true}
	d.attempt(t, r, true)
	d.clock.Pass(24 * time.Hour)
	m := d.attempt(t, r, true)
	r.Cost = 9
	reply := int64(77)
	if err := d.table.Transact(t.Context(), m.Writes(&reply)...); err != nil {
		t.Fatal(err)
	}
	d.clock.Pass(-24 * time.Hour)
	d.want(t, "the first day", used{1, auth.Visits{Messages: 1, Sessions: 1, Replies: 1}, 9})
}

// TestGiveBack gives back on the next day what a turn reserved that was not stored: the counters of the first
// day then have only what the model has charged.
func TestGiveBack(t *testing.T) {
	d := newDesk(t)
	r := &quota.Reservation{Ahead: true}
	if err := r.GiveBack(t.Context()); err != nil {
		t.Errorf("nothing is reserved: %v", err)
	}
	m := d.attempt(t, r, true)
	if err := m.Reserve(t.Context(), ai.Usage{InputTokens: 1_000}); err != nil {
		t.Fatal(err)
	}
	r.Cost = 9
	d.clock.Pass(24 * time.Hour)
	if err := r.GiveBack(t.Context()); err != nil {
		t.Fatal(err)
	}
	d.want(t, "the next day", used{})
	d.clock.Pass(-24 * time.Hour)
	d.want(t, "given back", used{0, auth.Visits{}, 9})
}

// TestLimits uses up one limit at a time.
func TestLimits(t *testing.T) {
	for name, test := range map[string]struct {
		use               func(d *desk) table.Write
		budget, network   bool
		code              fault.Code
		repliesAfterwards int64
	}{
		"plan": {use: func(d *desk) table.Write {
			w := d.account.CountReply(d.plan, d.clock.Now(), 0)
			w.Add = map[string]int64{"replies": d.plan.Replies}
			return w
		}, code: fault.QuotaExceeded, repliesAfterwards: 1_000},
		"replies of the network": {use: func(d *desk) table.Write {
			v := auth.Visits{Replies: d.plan.Visitor.Replies}
			return d.account.CountVisits(d.plan, "192.0.2.1", d.clock.Now(), v)
		}, code: fault.QuotaExceeded, repliesAfterwards: 1},
		"sessions of the network": {use: func(d *desk) table.Write {
			v := auth.Visits{Sessions: d.plan.Visitor.Sessions}
			return d.account.CountVisits(d.plan, "192.0.2.1", d.clock.Now(), v)
		}, network: true, repliesAfterwards: 1},
		"budget": {use: func(d *desk) table.Write {
			return agent.Spend(1, 2, d.clock.Now(), d.plan.DailyBudget, d.plan.DailyBudget)
		}, budget: true, repliesAfterwards: 1},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			if err := d.table.Transact(t.Context(), test.use(d)); err != nil {
				t.Fatal(err)
			}
			m := d.attempt(t, &quota.Reservation{Ahead: true}, true)
			var code fault.Code
			if refusal, ok := m.ReplyRefused().(*fault.Error); ok {
				code = refusal.Code
			}
			if m.BudgetSpent() != test.budget || m.NetworkRefused() != test.network || code != test.code {
				t.Errorf("budget %t, network %t, reply %q", m.BudgetSpent(), m.NetworkRefused(), code)
			}
			if m.NewSession = false; m.NetworkRefused() {
				t.Error("a message of a session that exists is refused")
			}
			item, err := d.table.Get(t.Context(), d.account.UsageKey(d.clock.Now()))
			if err != nil || auth.Used(item) != test.repliesAfterwards {
				t.Errorf("%d replies are counted, want %d: %v", auth.Used(item), test.repliesAfterwards, err)
			}
		})
	}
}
