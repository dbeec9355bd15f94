package auth

import (
	"fmt"
	"strings"

	"frontdesk/shared/table"
)

// A Plan is what a workspace pays for.
type Plan struct {
	Name              string
	APIAccess         bool  // may use the REST API
	Agents            int64 // how many agents it may have
	Replies           int64 // AI replies in a period; 0 is no limit
	RequestsPerMinute int64 // of one API key
	Analytics         bool  // enterprise analytics
	Unbranded         bool  // a chat box need not say whose product it is

	DeliveriesAtOnce    int // attempts to deliver to webhooks that may be under way at a time
	DeliveriesPerMinute int // of them begun in a minute

	Visitor VisitorLimits

	// DailyBudget is what the language models of one agent may cost in a day, in millionths of a dollar,
	// where the agent has no budget of its own.
	DailyBudget int64
	// ModelPrice is the list price of the dearest language models that agents may have, in millionths of a
	// dollar for a million tokens of output; 0 allows all. Models without a known price are the operator's
	// own, and allowed.
	ModelPrice int64
}

// VisitorLimits are what one network may do in the chat boxes of a workspace. A network is an address of
// version 4 or 64 bits of one of version 6; an office or a mobile network may stand behind one.
type VisitorLimits struct {
	Messages int64 // a day
	Sessions int64 // begun in a day; each makes a contact
	Replies  int64 // AI replies of a period; 0 is no limit
}

// HasModel reports whether agents may have a language model of that price; see ModelPrice.
func (p Plan) HasModel(price int64) bool { return p.ModelPrice == 0 || price <= p.ModelPrice }

// dollar is a dollar in millionths.
const dollar = 1_000_000

// ReceiverDeliveriesAtOnce is how many attempts to one webhook may be under way at a time.
const ReceiverDeliveriesAtOnce = 20

// plans are all there are, the cheapest first.
var plans = []Plan{
	{Name: "widget", Agents: 1, Replies: 65, DeliveriesAtOnce: 10, DeliveriesPerMinute: 600,
		Visitor: VisitorLimits{Messages: 200, Sessions: 50, Replies: 32}, DailyBudget: 1 * dollar,
		ModelPrice: 1 * dollar},
	{Name: "free", APIAccess: true, Agents: 1, Replies: 65, RequestsPerMinute: 120,
		DeliveriesAtOnce: 10, DeliveriesPerMinute: 600,
		Visitor: VisitorLimits{Messages: 200, Sessions: 50, Replies: 32}, DailyBudget: 1 * dollar,
		ModelPrice: 1 * dollar},
	{Name: "starter", APIAccess: true, Agents: 3, Unbranded: true, Replies: 1_000, RequestsPerMinute: 300,
		DeliveriesAtOnce: 20, DeliveriesPerMinute: 3_000,
		Visitor: VisitorLimits{Messages: 500, Sessions: 100, Replies: 250}, DailyBudget: 5 * dollar,
		ModelPrice: 5 * dollar},
	{Name: "pro", APIAccess: true, Agents: 25, Unbranded: true, Replies: 10_000, RequestsPerMinute: 1_200,
		DeliveriesAtOnce: 40, DeliveriesPerMinute: 12_000,
		Visitor:     VisitorLimits{Messages: 1_000, Sessions: 200, Replies: 1_000},
		DailyBudget: 20 * dollar, ModelPrice: 15 * dollar},
	{Name: "enterprise", APIAccess: true, Agents: 1_000, Unbranded: true, RequestsPerMinute: 12_000,
		Analytics:        true,
		DeliveriesAtOnce: 75, DeliveriesPerMinute: 240_000,
		Visitor: VisitorLimits{Messages: 20_000, Sessions: 5_000}, DailyBudget: 100 * dollar},
}

// PlanOf returns the plan of the workspace that an item holds; the cheapest where it holds none that is
// known.
func PlanOf(account table.Item) Plan {
	a, err := ReadAccount(account)
	if err != nil {
		return plans[0]
	}
	plan, err := PlanNamed(a.Plan)
	if err != nil {
		return plans[0]
	}
	return plan
}

// PlanNamed returns the plan of that name. The error lists the names there are.
func PlanNamed(name string) (Plan, error) {
	var names []string
	for _, p := range plans {
		if p.Name == name {
			return p, nil
		}
		names = append(names, p.Name)
	}
	return Plan{}, fmt.Errorf("no plan is called %q: there are %s", name, strings.Join(names, ", "))
}
