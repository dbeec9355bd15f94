package auth

import (
	"fmt"
	"strings"

	"frontdesk/shared/table"
)

// A Plan is the limits and features that a workspace pays for.
type Plan struct {
	Name              string
	APIAccess         bool  // may use the REST API
	Agents            int64 // limit of agents
	Replies           int64 // AI replies in a period; 0 is no limit
	RequestsPerMinute int64 // of one API key
	Analytics         bool  // enterprise analytics
	Unbranded         bool  // the chat box need not name the product

	DeliveriesAtOnce    int // concurrent webhook deliveries
	DeliveriesPerMinute int // webhook deliveries begun in a minute

	Visitor VisitorLimits

	// DailyBudget is the default limit of the costs of one agent's language models in a UTC day, in
	// micro-dollars.
	DailyBudget int64
	// ModelPrice is the highest list price of an agent's language model, in micro-dollars for a million
	// output tokens; 0 allows all. Models without a known price belong to the operator and are always
	// allowed.
	ModelPrice int64
}

// VisitorLimits are the limits of one network in the chat boxes of a workspace. A network is an IPv4 address
// or an IPv6 /64. Many visitors may share one, as in an office or a mobile network.
type VisitorLimits struct {
	Messages int64 // in a day
	Sessions int64 // begun in a day; each creates a contact
	Replies  int64 // AI replies in a period; 0 is no limit
}

// HasModel reports whether agents may use a language model of that price; see ModelPrice.
func (p Plan) HasModel(price int64) bool { return p.ModelPrice == 0 || price <= p.ModelPrice }

// dollar is a dollar in micro-dollars.
const dollar = 1_000_000

// ReceiverDeliveriesAtOnce is the limit of concurrent deliveries to one webhook.
const ReceiverDeliveriesAtOnce = 20

// plans are all plans, cheapest first.
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

// PlanOf returns the plan of the workspace in an item, or the cheapest plan if the item has no known one.
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

// PlanNamed returns the plan of that name. Its error lists the known names.
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
